"""Shows chessmen as pieces of a scene, and those that are lost beside the board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.kit.chess.board import Chessboard
from games.kit.chess.men import COLOURS, Kind, Men
from games.kit.scene import Look, Piece, Tray
from games.values import Side

GLYPHS = "♟♞♝♜♛♚"  # by kind; solid, to be filled with the look's colour
LOOKS: tuple[Look, Look] = ("light", "dark")


def man(side: Side, kind: Kind) -> Piece:
    return Piece(f"{COLOURS[side]}_{kind.name.lower()}", LOOKS[side], glyph=GLYPHS[kind])


def standing(board: Chessboard, men: Men) -> dict[str, tuple[Piece, ...]]:
    """Returns the men by the names of their squares."""
    return {
        cell: (man(side, kind),)
        for kind in Kind
        for side in Side
        for cell in board.cells(men[kind] & men.of(side))
    }


def lost_men(men: Men, complete: Mapping[Kind, int]) -> tuple[Tray, ...]:
    """Returns the men that each side has lost of a `complete` set. Empty when there are none."""
    lost = {side: tuple(_missing(men, side, complete)) for side in Side}
    return tuple(Tray(side, lost[side], "lost") for side in Side) if any(lost.values()) else ()


def _missing(men: Men, side: Side, complete: Mapping[Kind, int]) -> Iterator[tuple[Piece, int]]:
    """Yields the men missing from a side's first position, the strongest first. Promoted men do not count as
    lost pawns.
    """
    left = {kind: (men[kind] & men.of(side)).bit_count() for kind in Kind}
    promoted = sum(max(0, left[kind] - complete[kind]) for kind in Kind if kind != Kind.PAWN)
    left[Kind.PAWN] += promoted
    for kind in reversed(Kind):
        if left[kind] < complete[kind]:
            yield man(side, kind), complete[kind] - left[kind]

"""Reads and writes moves: `e2-e4`, `Ng1-f3` and `Nf3`, in the letters of each language."""

from __future__ import annotations

import re

from games.cheshire.objections import objection
from games.cheshire.rules import Position
from games.kit.chess.men import Move
from games.kit.chess.notation import Reader, Spelling, letters, plain
from games.protocol import AmbiguousMove, IllegalMove, Notation, Objection, UnreadableMove

_MOVE = re.compile(r"([a-j](?:[1-9]|10))([-x])([a-j](?:[1-9]|10))(?:=([NBRQ]))?", re.ASCII)


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    found = _MOVE.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a canonical move")
    origin, sign, target, promotion = found.groups()
    return Move(origin, target, sign == "x", promotion or "")


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
    written = Spelling(__package__, notation.language, position.rules.size).read(plain(text))
    if written is None:
        raise UnreadableMove(text)
    if position.outcome():
        raise IllegalMove(text, Objection("finished"))
    meant = Reader(
        position.rules.board,
        position,
        lambda move: objection(position.steps, position.at, move),
        lambda castles: Objection("no_castling"),
    ).meant(written)
    if isinstance(meant, Objection):
        raise IllegalMove(text, meant)
    if len(meant) > 1:
        raise AmbiguousMove(text, tuple(map(str, meant)))
    return meant[0]


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move in long algebraic notation."""
    step, initials = position.step(move), letters(__package__, notation.language)
    promotion = f"={initials[step.promotion]}" if step.promotion else ""
    sign = "x" if move.capture else "-"
    return f"{initials[step.kind].strip()}{move.origin}{sign}{move.target}{promotion}"

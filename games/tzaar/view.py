"""Shows a position of TZAAR as a scene: stacks by their tops, the last turn, how many stacks of each type are left."""

from __future__ import annotations

from collections.abc import Mapping

from games.kit.scene import Arrow, Cell, Edge, Figure, Look, Mark, Piece, Scene, Tray
from games.protocol import Remark, Side
from games.tzaar.board import INDEX, PLACES, POINTS, TYPES, Move
from games.tzaar.rules import CASES, NAMES, Position, acted, height, owner

_KINDS: Mapping[str, tuple[str, Figure]] = {
    "Z": ("tzaar", "ring"),
    "A": ("tzarra", "dot"),
    "T": ("tott", ""),
}
_LOOKS: tuple[Look, Look] = ("light", "dark")
PIECES = {
    case(letter): Piece(f"{name}_{kind}", look, figure=figure)
    for case, name, look in zip(CASES, NAMES, _LOOKS, strict=True)
    for letter, (kind, figure) in _KINDS.items()
}
MEN = (PIECES["T"], PIECES["t"])

_CELLS = tuple(Cell(name, *PLACES[name]) for name in POINTS)
_LINES = [[name for name in POINTS if name[0] == letter] for letter in "abcdefghi"]
_EDGES = tuple(Edge(line[end], dx, 0) for line in _LINES for end, dx in ((0, -1), (-1, 1)))


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the turn that led to it, if any."""
    changes, marks, arrows = _turn(before, move) if before and move else ((), (), ())
    return Scene(
        shape="point",
        cells=_CELLS,
        pieces={
            name: (PIECES[stack[0]],) * height(stack)
            for name, stack in zip(POINTS, after.board, strict=True)
            if stack
        },
        edges=_EDGES,
        to_move=None if after.outcome() else after.to_move,
        marks=marks,
        arrows=arrows,
        trays=tuple(_in_hand(after, side) for side in Side) if after.placing else (),
        changes=changes,
        notes=_notes(after),
        men=MEN,
        counted=True,
    )


def _in_hand(position: Position, side: Side) -> Tray:
    left = position.in_hand(side)
    return Tray(side, tuple((PIECES[CASES[side](kind)], left[kind]) for kind in TYPES), held="hand")


def _notes(position: Position) -> tuple[Remark, ...]:
    count, code = (position.in_hand, "to_place") if position.placing else (position.counts, "left")
    left = (
        Remark(f"{code}_{name}", numbers=tuple(count(side).values()))
        for side, name in zip(Side, NAMES, strict=True)
    )
    return (*left, Remark("one_capture")) if position.opening else tuple(left)


def _turn(before: Position, move: Move) -> tuple[tuple[Remark, ...], tuple[Mark, ...], tuple[Arrow, ...]]:
    if move.placed:
        piece = PIECES[CASES[before.to_move](move.placed)]
        return (Remark("places", (move.point,), (piece.kind,)),), (Mark("to", move.point),), ()
    board, changes, marks, arrows = before.board, list[Remark](), list[Mark](), list[Arrow]()
    for origin, sign, target in move.actions:
        there = board[INDEX[target]]
        code = (
            "stacks"
            if owner(there) == before.to_move
            else "captures"
            if height(there) == 1
            else "captures_stack"
        )
        changes.append(Remark(code, (origin, target), (PIECES[there[0]].kind,), (height(there),)))
        marks += (Mark("from", origin), Mark("to", target))
        if sign == "x":
            marks.append(Mark("captured", target, PIECES[there[0]]))
        arrows.append(Arrow((origin, target)))
        board = acted(board, INDEX[origin], INDEX[target])
    return tuple(changes), tuple(dict.fromkeys(marks)), tuple(arrows)

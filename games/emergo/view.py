"""Shows a position of Emergo as a scene: columns, men in hand, and the last turn."""

from __future__ import annotations

from games.emergo.board import INDEX, SQUARES, Move, exposed, indices
from games.emergo.rules import Position, jumped
from games.kit.scene import Arrow, Edge, Mark, Piece, Scene, SquareBoard, Tray
from games.protocol import Remark, Side

MEN = (Piece("white", "light"), Piece("black", "dark"))

_BOARD = SquareBoard(9)
_DARK = {f"{letter}1": f"{letter}2" for letter in "bdfh"} | {f"a{row}": f"b{row}" for row in "2468"}
_CELLS = tuple(cell for cell in _BOARD.scene_cells if cell.name in INDEX)
# Letters below the first row and numbers left of column a. b1 is no square: its letter is one further below
# b2.
_NEAR = tuple(
    edge if edge.cell in INDEX else Edge(_DARK[edge.cell], 2 * edge.dx, 2 * edge.dy, edge.part)
    for edge in _BOARD.scene_edges
)
# Also above the last row and right of column i: rows of nine squares are hard to follow.
_FAR = tuple(
    Edge(f"{edge.cell[0]}{10 - int(edge.cell[1])}", edge.dx, -edge.dy, edge.part)
    if edge.part == "letter"
    else Edge(f"{'ihgfedcba'['abcdefghi'.index(edge.cell[0])]}{edge.cell[1]}", -edge.dx, edge.dy, edge.part)
    for edge in _NEAR
)
_EDGES = (*_NEAR, *_FAR)

Turn = tuple[tuple[Remark, ...], tuple[Mark, ...], tuple[Arrow, ...]]


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the turn that led to it, if any."""
    changes, marks, arrows = _turn(before, move, after) if before and move else ((), (), ())
    return Scene(
        shape="square",
        cells=_CELLS,
        pieces={SQUARES[square]: _stack(after, square) for square in indices(after.mine | after.theirs)},
        edges=_EDGES,
        to_move=None if after.outcome() else after.to_move,
        marks=marks,
        arrows=arrows,
        trays=_trays(after),
        changes=changes,
        notes=_notes(after),
        men=MEN,
    )


def _stack(position: Position, square: int) -> tuple[Piece, ...]:
    """Returns the men of a column, bottom first."""
    owner, column = position.owner(square), position.columns[square]
    return (MEN[owner.other],) * (column & 15) + (MEN[owner],) * (column >> 4)


def _trays(position: Position) -> tuple[Tray, ...]:
    """Returns the men in hand. Empty when neither side has any."""
    if not any(position.hands):
        return ()
    return tuple(Tray(side, ((MEN[side], position.hands[side]),), held="hand") for side in Side)


def _notes(position: Position) -> tuple[Remark, ...]:
    if position.outcome():
        return ()
    if captures := position.captures():
        taken = len(captures[0][1])
        return (Remark("must_capture" if taken == 1 else "must_capture_most", numbers=(taken,)),)
    if not position.hand:
        return ()
    notes = []
    if position.entering > 1:
        notes.append(Remark("shadow", numbers=(position.entering,)))
    if under_attack := exposed(position.mine, position.theirs, position.empty):
        notes.append(Remark("under_attack", tuple(SQUARES[square] for square in indices(under_attack))))
    return tuple(notes)


def _turn(before: Position, move: Move, after: Position) -> Turn:
    mover = before.to_move
    start, end = move.path[0], move.path[-1]
    if len(move.path) == 1:
        men = (MEN[mover].kind,) * before.entering
        return (Remark("enters" if len(men) == 1 else "shadow", (end,), men),), (Mark("to", end),), ()
    ends = (Mark("from", start), Mark("to", end))
    if not move.capture:
        return (Remark("steps", move.path, (MEN[mover].kind,)),), ends, (Arrow(move.path),)
    over = [SQUARES[square] for square in jumped(move)]
    taken = tuple(Mark("captured", cell, MEN[mover.other]) for cell in dict.fromkeys(over))
    code = "captures" if len(over) == 1 else "chain"
    changes = [Remark(code, move.path, (MEN[mover.other].kind,) * len(over))]
    freed = [cell for cell in dict.fromkeys(over) if after.theirs >> INDEX[cell] & 1]
    if freed:
        changes.append(Remark("frees", tuple(freed)))
    return tuple(changes), (*ends, *taken), (Arrow(move.path),)

"""Shows a position of Zèrtz as a scene, with the last turn."""

from __future__ import annotations

from games.kit.scene import Arrow, Cell, Edge, Mark, Piece, Scene, Tray
from games.protocol import Remark, Side
from games.zertz.board import Colour, Jump, Move, Placement
from games.zertz.rules import Position
from games.zertz.variants import Counts

PIECES = (Piece("white", "light"), Piece("grey", "grey"), Piece("black", "dark"))

# units between the end of a row and its label, outside of a ring one unit wide
LABEL_GAP = 0.75


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the turn that led to it, if any."""
    board = after.rules.board
    cells = tuple(
        Cell(name, x, y, "plain" if board.bit[name] & after.rings else "gone")
        for name, (x, y) in board.places.items()
    )
    changes, marks, arrows = _turn(before, move, after)
    return Scene(
        shape="ring",
        cells=cells,
        pieces={name: (PIECES[after.colour_of(board.bit[name])],) for name in board.names(after.occupied)},
        edges=tuple(
            Edge(row[end], dx, 0) for row in board.rows for end, dx in ((0, -LABEL_GAP), (-1, LABEL_GAP))
        ),
        to_move=None if after.outcome() else after.to_move,
        marks=marks,
        arrows=arrows,
        trays=(_tray(None, after.pool), *(_tray(side, after.captives[side]) for side in Side)),
        changes=changes,
        notes=_notes(after),
    )


def _tray(owner: Side | None, counts: Counts) -> Tray:
    return Tray(owner, tuple(zip(PIECES, counts, strict=True)))


def _notes(position: Position) -> tuple[Remark, ...]:
    goals = position.rules.goals
    notes = [Remark("goals", numbers=(goals.each, *goals.single))]
    if not position.outcome():
        if position.must_jump:
            notes.append(Remark("must_jump"))
        elif not any(position.pool):
            notes.append(Remark("pool_empty"))
    return tuple(notes)


Turn = tuple[tuple[Remark, ...], tuple[Mark, ...], tuple[Arrow, ...]]


def _turn(before: Position | None, move: Move | None, after: Position) -> Turn:
    if before is None or move is None:
        return (), (), ()
    taken = before.taken(move)
    captured = tuple(Mark("captured", name, PIECES[colour]) for name, colour in taken)
    kinds = tuple(colour.kind for _, colour in taken)
    if isinstance(move, Jump):
        code = "jump" if len(move.path) == 2 else "chain"
        ends = (Mark("from", move.path[0]), Mark("to", move.path[-1]))
        return (Remark(code, move.path, kinds),), (*ends, *captured), (Arrow(move.path),)
    changes, marks = _placement(before, move)
    gone = tuple(before.rules.board.names(before.rings & ~after.rings))
    emptied = [name for name in gone if name != move.removed and name not in dict(taken)]
    if taken:
        changes.append(Remark("island", tuple(name for name, _ in taken), kinds))
    if emptied:
        changes.append(Remark("empty_island", tuple(emptied)))
    return tuple(changes), (*marks, *captured, *(Mark("removed", name) for name in emptied)), ()


def _placement(before: Position, move: Placement) -> tuple[list[Remark], list[Mark]]:
    code = "place" if any(before.pool) else "place_captive"
    changes = [Remark(code, (move.cell,), (Colour(move.colour).kind,))]
    marks = [Mark("to", move.cell)]
    if move.removed:
        changes.append(Remark("remove", (move.removed,)))
        marks.append(Mark("removed", move.removed))
    return changes, marks

"""Shows a position of Bashni as a scene: columns, kings with crowns, and the last turn."""

from __future__ import annotations

from itertools import pairwise

from games.bashni.board import INDEX, KINGS, LINES, SQUARES, Move, Path, owner
from games.bashni.rules import MOST_QUIET, Position, chains
from games.kit.scene import Arrow, Edge, Mark, Piece, Scene, SquareBoard
from games.protocol import Remark, Side

KINDS = {
    "w": Piece("white_man", "light"),
    "W": Piece("white_king", "light", crown=True),
    "b": Piece("black_man", "dark"),
    "B": Piece("black_king", "dark", crown=True),
}
WORTH_A_WORD = 20  # quiet turns, from which on the draw that they lead to is mentioned

_BOARD = SquareBoard(8)
_CELLS = tuple(cell for cell in _BOARD.scene_cells if cell.name in INDEX)
# Light squares are not used: the coordinate of one stands two squares away from the dark one behind it.
_EDGES = tuple(
    edge
    if edge.cell in INDEX
    else Edge(f"b{edge.cell[1]}" if edge.dx else f"{edge.cell[0]}2", 2 * edge.dx, 2 * edge.dy, edge.part)
    for edge in _BOARD.scene_edges
)

Turn = tuple[tuple[Remark, ...], tuple[Mark, ...], tuple[Arrow, ...]]


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the turn that led to it, if any."""
    changes, marks, arrows = _turn(before, move, after) if before and move else ((), (), ())
    placed = zip(SQUARES, after.columns, strict=True)
    over = after.outcome()
    return Scene(
        shape="square",
        cells=_CELLS,
        pieces={name: tuple(KINDS[piece] for piece in column) for name, column in placed if column},
        edges=_EDGES,
        to_move=None if over else after.to_move,
        marks=marks,
        arrows=arrows,
        changes=changes,
        notes=() if over else _notes(after),
        men=(KINDS["w"], KINDS["b"]),
    )


def _notes(position: Position) -> tuple[Remark, ...]:
    notes = []
    if position.captures():
        notes.append(Remark("must_capture"))
    if position.quiet >= WORTH_A_WORD:
        notes.append(Remark("quiet", numbers=(position.quiet, MOST_QUIET)))
    return tuple(notes)


def _turn(before: Position, move: Move, after: Position) -> Turn:
    path = tuple(INDEX[name] for name in move.path)
    marks, moved = [Mark("from", move.path[0]), Mark("to", move.path[-1])], before.columns[path[0]]
    if move.capture:
        taken = _taken(before, path)
        kinds = tuple(KINDS[piece].kind for _, piece in taken)
        changes = [Remark("captures" if len(taken) == 1 else "chain", move.path, kinds)]
        marks += [Mark("captured", name, KINDS[piece]) for name, piece in dict(taken).items()]
        freed = tuple(name for name, _ in dict(taken).items() if _belongs(after, name, before.to_move))
        changes += [Remark("frees", freed)] if freed else []
    else:
        changes = [Remark("steps", move.path, (KINDS[moved[-1]].kind,))]
    if moved[-1] not in KINGS and after.columns[path[-1]][-1] in KINGS:
        changes.append(Remark("promotes"))
    return tuple(changes), tuple(marks), (Arrow(move.path),)


def _taken(before: Position, path: Path) -> list[tuple[str, str]]:
    """Returns the square and the piece of each jump of a capture."""
    taken = []
    for chain, onward in pairwise(chains(before.columns, path, before.rules.stacking)):
        _, between = LINES[chain.at, onward.at]
        over = next(square for square in between if chain.columns[square])
        taken.append((SQUARES[over], chain.columns[over][-1]))
    return taken


def _belongs(position: Position, name: str, side: Side) -> bool:
    column = position.columns[INDEX[name]]
    return bool(column) and owner(column) == side

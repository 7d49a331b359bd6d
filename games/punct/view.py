"""Shows a position of PÜNCT as a scene: pieces with their levels, what is beside the board, the last turn."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.kit.scene import Arrow, Body, Cell, Edge, Look, Mark, Piece, Scene, Tray
from games.protocol import Remark, Side
from games.punct.board import BIT, CENTRE, EACH, LATTICE, OF_KIND, PLACEMENTS, Move
from games.punct.rules import NAMES, Position
from games.punct.rules import Piece as Placed

_LOOKS: Mapping[Side, Look] = {Side.FIRST: "light", Side.SECOND: "dark"}
MEN = Piece("white", "light"), Piece("black", "dark")


def _beside(kind: str, side: Side) -> Piece:
    """Returns a piece as it lies beside the board."""
    lies = OF_KIND[kind][0]
    return Piece(kind, _LOOKS[side], dots=tuple(LATTICE.places[name] for name in lies.names))


PIECES = {(kind, side): _beside(kind, side) for kind in EACH for side in Side}

_CELLS = tuple(
    Cell(name, *LATTICE.places[name], ground="shaded" if BIT[name] & CENTRE else "plain") for name in BIT
)
_EDGES = tuple(Edge(row[end], dx, 0) for row in LATTICE.rows for end, dx in ((0, -1), (-1, 1)))

Told = tuple[tuple[Remark, ...], tuple[Mark, ...], tuple[Arrow, ...]]


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the turn that led to it, if any."""
    changes, marks, arrows = _turn(before, move, after) if before and move else ((), (), ())
    return Scene(
        shape="spot",
        cells=_CELLS,
        pieces={},
        edges=_EDGES,
        to_move=None if after.outcome() else after.to_move,
        marks=marks,
        arrows=arrows,
        trays=tuple(
            Tray(side, tuple((PIECES[kind, side], n) for kind, n in after.stock(side).items()), held="stock")
            for side in Side
        ),
        changes=changes,
        notes=tuple(_notes(after)),
        men=MEN,
        bodies=tuple(map(_body, after.pieces)),
    )


def _body(piece: Placed) -> Body:
    return Body(PIECES[piece.lies.kind, piece.side], NAMES[piece.side], piece.lies.names, piece.level)


def _notes(position: Position) -> Iterator[Remark]:
    central = tuple(map(position.central, Side))
    if position.rules.centre == "closed" and any(central):
        yield Remark("central", numbers=central)
    if hidden := _hidden(position):
        yield Remark("hidden", hidden)


def _hidden(position: Position) -> tuple[str, ...]:
    """Returns how the pieces lie that cannot be seen at all."""
    seen, hidden = 0, list[str]()
    for piece in reversed(position.pieces):
        if not piece.lies.cells & ~seen:
            hidden.append(piece.where)
        seen |= piece.lies.cells
    return tuple(reversed(hidden))


def _turn(before: Position, move: Move, after: Position) -> Told:
    lies = PLACEMENTS[move.target]
    marks = tuple(Mark("to", name) for name in lies.names)
    if not move.origin:
        return (Remark("places", (move.target,), (lies.kind,)),), marks, ()
    old, new = before.top(move.origin), after.top(lies.names[0])
    assert old
    assert new
    left = tuple(Mark("from", name) for name in old.lies.names if name not in lies.names)
    code = "moves" if move.origin != lies.names[0] else "turns"
    changes = [Remark(code, (move.origin, move.target), (lies.kind,))]
    if new.level:
        changes.append(Remark("level", numbers=(new.level,)))
    arrows = (Arrow((move.origin, lies.names[0])),) if code == "moves" else ()
    return tuple(changes), (*left, *marks), arrows

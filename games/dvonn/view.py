"""Shows a position of DVONN as a scene: stacks, pieces in hand or points so far, the last turn."""

from __future__ import annotations

from collections.abc import Iterator
from math import sqrt

from games.dvonn.board import MEN, PASS, PLACES, POINTS, REDS, Move
from games.dvonn.rules import Position
from games.kit.scene import Arrow, Cell, Edge, Mark, Piece, Scene, Tray
from games.protocol import Remark, Side

PIECES = {"w": Piece("white", "light"), "b": Piece("black", "dark"), "r": Piece("red", "red")}
SIDES = (PIECES["w"], PIECES["b"])

_CELLS = tuple(Cell(name, *PLACES[name]) for name in POINTS)
# The number of a row stands at its left end, a letter below the lower end of its line.
_EDGES = (
    *(Edge(name, -1, 0, "number") for name in ("a1", "a2", "a3", "b4", "c5")),
    *(
        Edge(name, 1 / 2, sqrt(3) / 2, "letter")
        for name in (*(f"{letter}1" for letter in "abcdefghi"), "j2", "k3")
    ),
)

Turn = tuple[tuple[Remark, ...], tuple[Mark, ...], tuple[Arrow, ...]]


def scene(before: Position | None, move: Move | None, after: Position) -> Scene:
    """Shows `after`, with the turn that led to it, if any."""
    changes, marks, arrows = _turn(before, move, after) if before and move else ((), (), ())
    return Scene(
        shape="point",
        cells=_CELLS,
        pieces={name: tuple(map(PIECES.__getitem__, stack)) for name, stack in after.stood().items()},
        edges=_EDGES,
        to_move=None if after.outcome() else after.to_move,
        marks=marks,
        arrows=arrows,
        trays=tuple(_trays(after)),
        changes=changes,
        notes=(_note(after),),
        men=SIDES,
        counted=True,
        badge=PIECES["r"],
    )


def _trays(position: Position) -> Iterator[Tray]:
    """Yields the pieces that each side has still to place. Empty in the second phase."""
    if position.placing:
        for side, piece, letter in zip(Side, SIDES, "wb", strict=True):
            yield Tray(side, ((piece, MEN - position.stacks.count(letter)),), held="hand")


def _note(position: Position) -> Remark:
    if "" not in position.stacks:
        return Remark("full")
    if not position.placing:
        return Remark("score", numbers=position.score)
    return Remark("reds", numbers=(REDS - position.placed,)) if position.placed < REDS else Remark("own")


def _turn(before: Position, move: Move, after: Position) -> Turn:
    if move == PASS:
        return (Remark("leaves" if before.full else "passes"),), (), ()
    to = Mark("to", move.target)
    if before.placing:
        return (Remark("places", (move.target,), (PIECES[before.piece].kind,)),), (to,), ()
    ways = move.origin, move.target
    gone = {
        name: stack for name, stack in before.stood().items() if name != move.origin and not after.stack(name)
    }
    changes = [Remark("moves", ways, numbers=(len(before.stack(move.origin)),))]
    if gone:
        pieces = (PIECES[letter].kind for letter in sorted("".join(gone.values()), reverse=True))
        changes.append(Remark("removes", tuple(gone), tuple(pieces)))
    taken = (Mark("captured", name, PIECES[stack[-1]]) for name, stack in gone.items())
    return tuple(changes), (Mark("from", move.origin), to, *taken), (Arrow(ways),)

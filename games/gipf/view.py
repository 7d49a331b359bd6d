"""Shows a position of GIPF as a scene: single pieces and GIPF-pieces, reserves, what was pushed in and taken off."""

from __future__ import annotations

from collections.abc import Iterator

from games.gipf.board import BIT, DOTS, ENTRIES, LINES, NAME, PLACES, SPOTS, names, spots_of
from games.gipf.rules import LETTERS, Position
from games.kit.scene import Arrow, Cell, Edge, Mark, Piece, Scene, Tray
from games.kit.turn import Turn
from games.protocol import Remark, Side

PIECES = dict(
    zip(
        LETTERS,
        (
            Piece("white", "light"),
            Piece("white_gipf", "light", double=True),
            Piece("black", "dark"),
            Piece("black_gipf", "dark", double=True),
        ),
        strict=True,
    )
)
MEN = PIECES["w"], PIECES["b"]

_CELLS = tuple(Cell(name, *PLACES[name], outer=bool(BIT[name] & DOTS)) for name in BIT)
_EDGES = (
    *(Edge(name, 0, -1) for name in LINES[0]),
    *(Edge(line[end], dx, 0) for line in LINES[1:-1] for end, dx in ((0, -1), (-1, 1))),
    *(Edge(name, 0, 1) for name in LINES[-1]),
)

Told = tuple[list[Remark], list[Mark], tuple[Arrow, ...]]


def scene(before: Position | None, move: Turn | None, after: Position) -> Scene:
    """Shows `after`, with the turn that led to it, if any."""
    changes, marks, arrows = _turn(before, move) if before and move else ([], [], ())
    return Scene(
        shape="point",
        cells=_CELLS,
        pieces={name: (PIECES[letter],) for name in names(SPOTS) if (letter := after.on(name))},
        edges=_EDGES,
        to_move=None if after.outcome() else after.to_move,
        marks=tuple(marks),
        arrows=arrows,
        trays=tuple(Tray(side, ((MEN[side], after.camps[side].reserve),), held="hand") for side in Side),
        changes=tuple(changes),
        notes=tuple(_notes(after)),
        men=MEN,
    )


def _notes(position: Position) -> Iterator[Remark]:
    if position.rules.needs_gipfs:
        yield Remark("gipfs", numbers=tuple(camp.gipfs.bit_count() for camp in position.camps))
    if any(map(position.lost, Side)):
        yield Remark("lost", numbers=tuple(map(position.lost, Side)))
    opening = position.facing[0].opening
    if opening and not position.outcome():
        yield Remark("first_gipf" if opening == 2 else "may_gipf")


def _turn(before: Position, move: Turn) -> Told:
    changes, marks = [*_taken(before, move.before)], [*_gone(before, move.before)]
    arrows: tuple[Arrow, ...] = ()
    if move.action:
        gipf, way = move.action.startswith("G"), move.action.removeprefix("G")
        kind = (PIECES[LETTERS[2 * before.to_move + gipf]].kind,)
        dot, _, rest = way.partition("-")
        if rest:
            spot = next(
                NAME[entry.spots[0]]
                for entry in ENTRIES
                if NAME[entry.dot] == dot and BIT[rest] in entry.spots
            )
            changes.append(Remark("pushes", (dot, rest), kind))
            marks.append(Mark("to", spot))
            arrows = (Arrow((dot, rest)),)
        else:
            changes.append(Remark("enters", (dot,), kind))
            marks.append(Mark("to", dot))
    moved = before.play(Turn(move.before, move.action))
    after = Position(moved.rules, moved.camps, before.to_move)
    return [*changes, *_taken(after, move.after)], [*marks, *_gone(after, move.after)], arrows


def _taken(position: Position, removals: tuple[str, ...]) -> Iterator[Remark]:
    """Yields what is told of pieces that return to the reserve, and of pieces that the opponent loses."""
    own = LETTERS[2 * position.to_move : 2 * position.to_move + 2]
    for code, mine in (("takes_back", True), ("captures", False)):
        spots = tuple(name for name in spots_of(removals) if (position.on(name) in own) == mine)
        if spots:
            yield Remark(code, spots, tuple(PIECES[position.on(name)].kind for name in spots))


def _gone(position: Position, removals: tuple[str, ...]) -> Iterator[Mark]:
    return (Mark("captured", name, PIECES[position.on(name)]) for name in spots_of(removals))

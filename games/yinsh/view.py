"""Shows a position of YINSH as a scene: rings, markers, what the last turn moved, turned and took off."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit.scene import Arrow, Cell, Edge, Mark, Piece, Scene, Tray
from games.kit.turn import Turn
from games.protocol import Remark, Side
from games.yinsh.board import BOARD, PASS, bits, row_of
from games.yinsh.rules import Position

RINGS = Piece("white_ring", "light", hollow=True), Piece("black_ring", "dark", hollow=True)
MARKERS = Piece("white_marker", "light", small=True), Piece("black_marker", "dark", small=True)

_CELLS = tuple(Cell(name, *BOARD.places[name]) for name in BOARD.bit)
_EDGES = tuple(Edge(row[end], dx, 0) for row in BOARD.rows for end, dx in ((0, -1), (-1, 1)))

Told = tuple[list[Remark], list[Mark], tuple[Arrow, ...]]


def scene(before: Position | None, move: Turn | None, after: Position) -> Scene:
    """Shows `after`, with the turn that led to it, if any."""
    changes, marks, arrows = _turn(before, move) if before and move else ([], [], ())
    return Scene(
        shape="point",
        cells=_CELLS,
        pieces={
            BOARD.name[bit]: (piece,)
            for points, piece in zip((*after.rings, *after.markers), (*RINGS, *MARKERS), strict=True)
            for bit in bits(points)
        },
        edges=_EDGES,
        to_move=None if after.outcome() else after.to_move,
        marks=tuple(marks),
        arrows=arrows,
        trays=tuple(_tray(after, side) for side in Side),
        changes=tuple(changes),
        notes=tuple(_notes(after)),
        men=RINGS,
    )


def _tray(position: Position, side: Side) -> Tray:
    if position.placing:
        return Tray(side, ((RINGS[side], position.in_hand(side)),), held="hand")
    return Tray(side, ((RINGS[side], position.taken(side)),))


def _notes(position: Position) -> Iterator[Remark]:
    if position.placing:
        return
    yield Remark("pool", numbers=(position.pool,))
    yield Remark("wins" if position.rules.rings > 1 else "wins_one", numbers=(position.rules.rings,))


def _turn(before: Position, move: Turn) -> Told:
    side = before.to_move
    if move == PASS:
        return [Remark("passes")], [], ()
    if before.placing:
        return [Remark("places", (move.action,), (RINGS[side].kind,))], [Mark("to", move.action)], ()
    changes, marks = list(_taken(move.before)), list(_gone(move.before, side))
    arrows: tuple[Arrow, ...] = ()
    if move.action:
        origin, target = move.action.split("-")
        cleared = before.play(Turn(move.before))
        moved = before.play(Turn(move.before, move.action))
        ours, theirs = side, side.other
        turned = [
            BOARD.name[bit]
            for bit in bits(
                cleared.markers[ours] & moved.markers[theirs] | cleared.markers[theirs] & moved.markers[ours]
            )
        ]
        changes.append(Remark("moves", (origin, target)))
        if turned:
            changes.append(Remark("turns", tuple(turned)))
        left = before.play(move)
        marks += (Mark("from", origin), Mark("to", target))
        marks += (Mark("turned", name) for name in turned if left.on(name))
        arrows = (Arrow((origin, target)),)
    return [*changes, *_taken(move.after)], [*marks, *_gone(move.after, side)], arrows


def _taken(parts: tuple[str, ...]) -> Iterator[Remark]:
    """Yields what is told of rows and of rings that are taken off."""
    rings = tuple(part for part in parts if "-" not in part)
    if len(rings) == 1:
        yield Remark("takes", parts)
    elif rings:
        yield Remark("takes_rows", parts[: len(rings)])
        yield Remark("takes_rings", rings)


def _gone(parts: tuple[str, ...], side: Side) -> Iterator[Mark]:
    for part in parts:
        if "-" in part:
            yield from (Mark("captured", BOARD.name[bit], MARKERS[side]) for bit in bits(row_of(part)))
        else:
            yield Mark("captured", part, RINGS[side])

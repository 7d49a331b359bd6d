"""Why a turn of Zèrtz is not legal, and which rings that concerns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from games.protocol import Objection
from games.zertz.moves import Jump, Move, Placement
from games.zertz.situation import Situation


def objection(position: Situation, move: Move) -> Objection | None:
    """The first thing that the rules hold against `move` in a game that goes on, None if it is legal.

    Only the first is asked for, so each check below may rely on those before it.
    """
    found = _to_jump(position, move) if isinstance(move, Jump) else _to_placement(position, move)
    return next(found, None)


def must_jump(position: Situation) -> Objection:
    """That a jump is compulsory, with the first step of one. There is a jump."""
    return Objection("must_jump", next(position.jumps()).path[:2])


def _to_placement(position: Situation, move: Placement) -> Iterator[Objection]:
    yield from _no_ring(position, move.cell)
    if position.must_jump:
        yield must_jump(position)
    cell = position.rules.board.bit[move.cell]
    if not cell & position.empty:
        yield Objection("occupied", (move.cell,))
    if not position.supply[move.colour]:
        code = "not_in_pool" if any(position.pool) else "not_captured"
        yield Objection(code, pieces=(move.colour.kind,))
    yield from _to_removal(position, move)


def _to_removal(position: Situation, move: Placement) -> Iterator[Objection]:
    board = position.rules.board
    removable = position.removable & ~board.bit[move.cell]
    if move.removed is None:
        if removable:
            yield Objection("removal_missing", tuple(board.names(removable)))
        return
    yield from _no_ring(position, move.removed)
    if move.removed == move.cell:
        yield Objection("removes_own", (move.cell,))
    if not removable:
        yield Objection("nothing_removable", (move.removed,))
    ring = board.bit[move.removed]
    if ring & position.occupied:
        yield Objection("removes_occupied", (move.removed,))
    if not ring & removable:
        yield Objection("not_removable", (move.removed,))


def _to_jump(position: Situation, move: Jump) -> Iterator[Objection]:
    for name in move.path:
        yield from _no_ring(position, name)
    board = position.rules.board
    start, end = board.bit[move.path[0]], board.bit[move.path[-1]]
    if not start & position.occupied:
        yield Objection("no_marble", (move.path[0],))
    occupied = position.occupied & ~start
    for at, to in pairwise(move.path):
        landing = board.bit[to]
        over = board.jumps[board.bit[at]].get(landing)
        if over is None:
            yield Objection("not_a_jump", (at, to))
            return
        if not over & occupied:
            yield Objection("nothing_to_jump", (board.name[over], at, to))
        if landing & occupied:
            yield Objection("landing_occupied", (to,))
        occupied &= ~over
    for landing in position.landings(end, occupied):
        yield Objection("incomplete", (move.path[-1], board.name[landing]))


def _no_ring(position: Situation, name: str) -> Iterator[Objection]:
    bit = position.rules.board.bit.get(name)
    if bit is None:
        yield Objection("no_such_ring", (name,))
    elif not bit & position.rings:
        yield Objection("ring_gone", (name,))

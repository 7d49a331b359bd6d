"""Why a turn of Emergo is not legal, and which squares that concerns."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from games.emergo.board import BIT, CENTRE, INDEX, JUMPS, SQUARES, STEPS
from games.emergo.captures import Chain, grown
from games.emergo.moves import Move
from games.emergo.situation import Situation
from games.protocol import Objection


def objection(position: Situation, move: Move) -> Objection | None:
    """The first thing that the rules hold against `move` in a game that goes on, None if it is legal.

    Only the first is asked for, so each check below may rely on those before it.
    """
    return next(_all(position, move), None)


def _all(position: Situation, move: Move) -> Iterator[Objection]:
    for name in move.path:
        if name not in INDEX:
            yield Objection("no_square", (name,))
    if move.capture:
        yield from _to_capture(position, move)
    elif position.prey:
        yield _must_capture(position)
    elif len(move.path) == 1:
        yield from _to_entry(position, *move.path)
    else:
        yield from _to_step(position, *move.path)


def _must_capture(position: Situation) -> Objection:
    """That a capture is compulsory, how many men it takes, and one that does."""
    path = tuple(SQUARES[square] for square in position.captures()[0][0])
    code = "must_capture" if len(path) == 2 else "must_capture_most"
    return Objection(code, path, numbers=(len(path) - 1,))


def _to_entry(position: Situation, name: str) -> Iterator[Objection]:
    square = BIT[name]
    if not position.hand:
        yield Objection("hand_empty", (name,))
    if not square & position.empty:
        yield Objection("occupied", (name,))
    if square & position.entries():
        return
    if square == CENTRE and not position.mine | position.theirs:
        yield Objection("first_man", (name,))
    here = INDEX[name]
    for hunter in STEPS[here]:
        for over, landing, _, landing_bit in JUMPS[hunter]:
            if over == here and position.theirs >> hunter & 1 and landing_bit & position.empty:
                yield Objection("feeds", (name, SQUARES[hunter], SQUARES[landing]))


def _to_step(position: Situation, name: str, other: str) -> Iterator[Objection]:
    yield from _not_yours(position, name)
    if position.hand:
        yield Objection("must_enter", numbers=(position.hand,))
    if INDEX[other] not in STEPS[INDEX[name]]:
        yield Objection("not_a_step", (name, other))
    if not BIT[other] & position.empty:
        yield Objection("occupied", (other,))


def _to_capture(position: Situation, move: Move) -> Iterator[Objection]:
    yield from _not_yours(position, move.path[0])
    here = INDEX[move.path[0]]
    chain: Chain = (here,), (), position.theirs
    for name, other in pairwise(move.path):
        following = {longer[0][-1]: longer for longer in grown(chain, position.empty, position.columns)}
        if INDEX[other] not in following:
            yield _no_jump(position, chain, name, other)
        chain = following[INDEX[other]]
    captures = [tuple(SQUARES[square] for square in path) for path, *_ in position.captures()]
    if move.path not in captures:
        # Best told by a capture that begins like the one that was written.
        likely = max(captures, key=lambda path: path[: len(move.path)] == move.path)
        yield Objection("too_few", likely, numbers=(len(move.path) - 1, len(likely) - 1))


def _no_jump(position: Situation, chain: Chain, name: str, other: str) -> Objection:
    """Why the chain cannot go on from one square to the other."""
    path, _, theirs = chain
    over = {landing: over for over, landing, *_ in JUMPS[INDEX[name]]}.get(INDEX[other])
    if over is None:
        return Objection("not_a_jump", (name, other))
    if not theirs >> over & 1:
        return Objection("nothing_to_jump", (SQUARES[over], name, other))
    if not BIT[other] & position.empty and INDEX[other] != path[0]:
        return Objection("no_landing", (other,))
    return Objection("twice", (SQUARES[over],))


def _not_yours(position: Situation, name: str) -> Iterator[Objection]:
    if not BIT[name] & position.mine:
        yield Objection("not_yours" if BIT[name] & position.theirs else "nothing_there", (name,))

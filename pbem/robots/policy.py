"""What a robot does with what it thinks: it plays on, resigns, takes a draw or changes sides."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from games.robots.search import PROVEN
from pbem.robots.engine import Thought

RESIGNS_FROM = 3  # level; people want to finish what they win against the weaker ones
HOPELESS, TURNS = 0.03, 3  # chance, and so many of its own turns running
EVEN, EARLIEST = 0.08, 40  # from even, and half-moves: a draw before is no game
LONGEST = 300  # half-moves between two robots, whom only the organiser can seat


class Deed(Enum):
    MOVE = auto()
    SWAP = auto()
    RESIGN = auto()
    ACCEPT_DRAW = auto()
    END = auto()


def choose(
    thought: Thought,
    *,
    level: int,
    ply: int,
    before: Sequence[float],
    may_swap: bool = False,
    draw_offered: bool = False,
    alone: bool = False,
) -> Deed:
    """`before`: its chances at its last turns, the newest first; `alone`: the opponent is a robot, too."""
    if alone and ply >= LONGEST:
        return Deed.END
    if may_swap and thought.score < 0:
        return Deed.SWAP
    if draw_offered and takes_draw(thought.chance, ply=ply):
        return Deed.ACCEPT_DRAW
    if level >= RESIGNS_FROM and _is_lost(thought, before):
        return Deed.RESIGN
    return Deed.MOVE


def takes_draw(chance: float, *, ply: int) -> bool:
    return ply >= EARLIEST and chance < 0.5 + EVEN


def _is_lost(thought: Thought, before: Sequence[float]) -> bool:
    lately = (thought.chance, *before)[:TURNS]
    return thought.score < -PROVEN or (len(lately) == TURNS and max(lately) < HOPELESS)

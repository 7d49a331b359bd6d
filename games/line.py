"""A line that somebody tries: the boards that its moves lead to, as far as they can be played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count
from typing import Any

from games import spoken
from games.errors import AmbiguousMove, GameOver, IllegalMove, UnreadableMove
from games.protocol import Notation, Outcome, Position
from games.record import Course
from games.registry import AnyGame

Unplayable = UnreadableMove | AmbiguousMove | IllegalMove | GameOver


@dataclass(frozen=True)
class Step:
    """One turn: the `ply` it was (from 0), and the positions before and after it."""

    ply: int
    before: Position
    move: Any
    after: Position


@dataclass(frozen=True)
class Line:
    """`outcome` is how the game would end there. `stopped` is the first text that cannot be played, `why` the
    reason, `left` how many texts come after it."""

    steps: tuple[Step, ...]
    outcome: Outcome | None = None
    stopped: str = ""
    why: Unplayable | None = None
    left: int = 0


def follow(
    game: AnyGame,
    start: Position,
    texts: Sequence[str],
    notation: Notation,
    *,
    ply: int = 0,
    earlier: Iterable[str] = (),
) -> Line:
    """Play the texts from `start`, which `ply` turns led to; a forced pass is played without being asked for.

    `earlier` are the repetition keys of the positions before `start`.
    """
    course = Course(game, start, earlier)
    steps: list[Step] = []
    plies = count(ply)
    for number, text in enumerate(texts, start=1):
        try:
            steps += _turns(course, text, notation, plies)
        except (UnreadableMove, AmbiguousMove, IllegalMove, GameOver) as why:
            return Line(tuple(steps), course.outcome(), text, why, len(texts) - number)
    return Line(tuple(steps), course.outcome())


def _turns(course: Course, text: str, notation: Notation, plies: Iterator[int]) -> list[Step]:
    """The move and the passes that it forces."""
    if outcome := course.outcome():
        raise GameOver(text, outcome)
    moves = [spoken.read(course.game, course.position, text, notation)]
    steps = []
    while moves:
        before, move = course.position, moves.pop()
        steps.append(Step(next(plies), before, move, course.play(move)))
        if (forced := course.forced_pass()) is not None:
            moves.append(forced)
    return steps

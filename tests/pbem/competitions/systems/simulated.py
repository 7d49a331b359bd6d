"""Contests played out without rows: every game is decided by a table of strengths, the same for the same players."""

from collections.abc import Callable
from dataclasses import replace
from random import Random

from pbem.competitions.systems.settings import Settings
from pbem.competitions.systems.values import Draw, Entrant, Game, StandingsInput

Decide = Callable[[int, int], float]


def entrants(count: int) -> tuple[Entrant, ...]:
    """Players 1, 2, ... of falling rating."""
    return tuple(Entrant(number, 2000 - 10 * number) for number in range(1, count + 1))


def by_chance(seed: int) -> Decide:
    rng = Random(seed)
    return lambda first, second: rng.choice((1.0, 0.5, 0.0))


def stronger(first: int, second: int) -> float:
    """The lower number wins."""
    return float(first < second)


def play(settings: Settings, seen: StandingsInput, decide: Decide = stronger) -> StandingsInput:
    """One round, with every match over."""
    draw = settings.draw(seen)
    assert draw is not None
    return _played(draw, seen, decide)


def _played(draw: Draw, seen: StandingsInput, decide: Decide) -> StandingsInput:
    number = seen.begun + 1
    games = [Game(p.first, p.second, decide(p.first, p.second), number, p.table, 30) for p in draw.pairs]
    games += [Game(free, free, 1.0, number) for free in draw.byes]
    return replace(seen, games=(*seen.games, *games), begun=number)


def played_out(settings: Settings, seen: StandingsInput, decide: Decide = stronger) -> StandingsInput:
    while (draw := settings.draw(seen)) is not None:
        seen = _played(draw, seen, decide)
    return seen


def shuffled(seen: StandingsInput, seed: int) -> StandingsInput:
    rng = Random(seed)
    return replace(
        seen,
        entrants=tuple(rng.sample(seen.entrants, len(seen.entrants))),
        games=tuple(rng.sample(seen.games, len(seen.games))),
    )

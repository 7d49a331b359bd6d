"""Self-starting series: when the next one begins, with whom, and who has slept."""

from datetime import UTC, datetime, timedelta

import pytest

from pbem.competitions.systems.ladder import OPENS, SelfStarting, Waiting, beginning, inactive
from pbem.competitions.systems.values import Game

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)


def waiting(count: int) -> list[Waiting]:
    return [Waiting(player, NOW - timedelta(hours=player)) for player in range(1, count + 1)]


def test_it_begins_when_enough_are_in_with_those_who_waited_longest() -> None:
    assert beginning(waiting(4), 5, last_began=None, now=NOW) == ()
    assert beginning(waiting(7), 5, last_began=None, now=NOW) == (7, 6, 5, 4, 3)
    assert beginning(waiting(7)[::-1], 5, last_began=None, now=NOW) == (7, 6, 5, 4, 3)


def test_the_next_opens_a_week_later() -> None:
    began = NOW - OPENS + timedelta(seconds=1)
    assert beginning(waiting(7), 5, last_began=began, now=NOW) == ()
    assert len(beginning(waiting(7), 5, last_began=NOW - OPENS, now=NOW)) == 5


def test_sleepers_lose_half_of_their_games_on_time() -> None:
    games = [
        Game(1, 2, 1.0),
        Game(3, 1, 0.0),
        Game(2, 3, 0.5),
        Game(4, 1, 1.0),
        Game(4, 3, 1.0),
        Game(2, 4, None),
    ]
    assert inactive(games, timed_out={(1, 2), (3, 1)}) == {2}  # 2 lost one of two on time, 3 one of three
    assert inactive(games, timed_out=set()) == frozenset()
    assert inactive(games, timed_out={(2, 3)}) == frozenset()  # that was a draw


def test_what_cannot_be_played() -> None:
    for size in (2, 12):
        with pytest.raises(ValueError, match="within"):
            SelfStarting(size=size)
    assert SelfStarting(size=12, at_once=False).least() == 12

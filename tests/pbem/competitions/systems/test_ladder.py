"""Ladder and king of the hill: who may challenge whom, and what a result changes."""

from datetime import UTC, datetime, timedelta

from pbem.competitions.systems.ladder import (
    Ladder,
    Past,
    after,
    challenger,
    idle,
    lowered,
    may_challenge,
    reigns,
)
from pbem.competitions.systems.values import Entrant

NOW = datetime(2026, 5, 4, 12, tzinfo=UTC)
TWELVE = tuple(range(1, 13))
LADDER = Ladder()


def test_three_places_or_a_tenth() -> None:
    assert LADDER.reaches(TWELVE, 12) == (11, 10, 9)
    assert LADDER.reaches(TWELVE, 2) == (1,)
    assert LADDER.reaches(TWELVE, 1) == ()
    assert len(LADDER.reaches(range(1, 46), 40)) == 5
    assert may_challenge(LADDER, TWELVE, 12, 8, now=NOW) == "far"
    assert may_challenge(LADDER, TWELVE, 8, 12, now=NOW) == "far"
    assert may_challenge(LADDER, TWELVE, 99, 12, now=NOW) == "far"
    assert may_challenge(LADDER, TWELVE, 12, 9, now=NOW) == ""


def test_what_speaks_against_a_challenge() -> None:
    both = frozenset((12, 9))
    assert may_challenge(LADDER, TWELVE, 12, 9, away={9}, now=NOW) == "away"
    running = [Past(frozenset((9, 3)), NOW - timedelta(days=30), True)]
    assert may_challenge(LADDER, TWELVE, 12, 9, past=running, now=NOW) == "busy"
    lately = [Past(both, NOW - timedelta(days=13), False)]
    assert may_challenge(LADDER, TWELVE, 12, 9, past=lately, now=NOW) == "again"
    assert (
        may_challenge(LADDER, TWELVE, 12, 9, past=[Past(both, NOW - timedelta(days=14), False)], now=NOW)
        == ""
    )


def test_the_winner_takes_the_place_and_those_between_move_down() -> None:
    assert after((1, 2, 3, 4, 5), 5, 2) == (1, 5, 2, 3, 4)
    assert after((1, 2, 3, 4, 5), 2, 1) == (2, 1, 3, 4, 5)
    assert after((5, 1, 2), 5, 2) == (5, 1, 2)  # has passed them meanwhile


def test_who_is_idle_goes_down_and_an_absence_freezes() -> None:
    last = {1: NOW - timedelta(days=60), 2: NOW - timedelta(days=59), 3: NOW - timedelta(days=90)}
    assert idle(LADDER, last, away={3}, now=NOW) == [1]
    assert lowered(LADDER, TWELVE, 1) == (2, 3, 4, 1, *range(5, 13))
    assert lowered(LADDER, TWELVE, 11)[-1] == 11


def test_the_king_of_the_hill() -> None:
    field = [Entrant(1, 1900), Entrant(2, 1800), Entrant(3, 1700), Entrant(4, 2000, active=False)]
    assert challenger(1, field, {}) == 2
    assert challenger(1, field[::-1], {2: 1}) == 3
    assert challenger(1, field, {2: 1, 3: 1}) == 2
    assert challenger(2, field, {2: 1, 3: 1}) == 1
    assert challenger(1, field[:1], {}) is None
    crowned = [(1, NOW - timedelta(days=30)), (2, NOW - timedelta(days=20)), (1, NOW - timedelta(days=5))]
    assert reigns(crowned, NOW) == {1: 15, 2: 15}

"""What counts of a time, until when it lasts, and what is left out of it for which reason: each edge by hand."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

import pytest

from pbem.matches.clock.ledger import TimeCalculation, by_reason, union
from pbem.players.calendar import Calendar, Night

HOUR = timedelta(hours=1)
MONDAY = datetime(2026, 5, 4, tzinfo=UTC)
NIGHT = Calendar(night=Night(time(22), time(6)))


def at(hour: float) -> datetime:
    return MONDAY + hour * HOUR


def stops(*hours: tuple[float, float]) -> TimeCalculation:
    return TimeCalculation(stops=tuple((at(begin), at(end), "outage") for begin, end in hours))


@pytest.mark.parametrize(
    ("reckoning", "counted"),
    [
        (TimeCalculation(), 10),
        (stops((2, 4)), 8),
        (stops((2, 4), (3, 5)), 7),
        (stops((3, 5), (2, 4)), 7),
        (stops((2, 5), (3, 4)), 7),
        (stops((2, 4), (4, 5)), 7),
        (stops((-3, 1), (9, 12)), 8),
        (stops((-3, 12)), 0),
        (stops((-3, 0), (10, 12), (5, 5)), 10),
        (TimeCalculation(stopped_since=at(4)), 4),
        (TimeCalculation(stops=((at(2), at(3), "outage"),), stopped_since=at(4)), 3),
        (TimeCalculation(stops=((at(2), at(6), "outage"),), stopped_since=at(4)), 2),
        (TimeCalculation(stops=((at(2), at(4), "outage"),), stopped_since=at(4)), 2),
        (TimeCalculation(stopped_since=at(0)), 0),
        (TimeCalculation(stopped_since=at(-1)), 0),
        (TimeCalculation(stopped_since=at(11)), 10),
        (TimeCalculation(NIGHT), 4),
        (TimeCalculation(NIGHT, calendar_since=at(4)), 8),
        (TimeCalculation(NIGHT, calendar_since=at(0)), 4),
        (TimeCalculation(NIGHT, calendar_since=at(-2)), 4),
    ],
)
def test_of_ten_hours_this_many_count(reckoning: TimeCalculation, counted: float) -> None:
    assert reckoning.elapsed(at(0), at(10)) == counted * HOUR


@pytest.mark.parametrize("until", [-1, 0])
def test_of_no_time_nothing_counts(until: float) -> None:
    assert TimeCalculation().elapsed(at(0), at(until)) == 0 * HOUR


@pytest.mark.parametrize(
    ("lasting", "over"), [(-1, 0), (0, 0), (1, 1), (2, 2), (2.5, 4.5), (3, 5), (4, 7), (9, 12)]
)
def test_the_earliest_moment(lasting: float, over: float) -> None:
    """Whose time is used up when a stop begins has not until it ends."""
    assert stops((2, 4), (5, 6)).after(at(0), lasting * HOUR) == at(over)


def test_no_time_at_all_is_over_at_once_even_where_nothing_counts() -> None:
    assert stops((0, 2)).after(at(0), 0 * HOUR) == at(0)


@pytest.mark.parametrize(("lasting", "over"), [(3, 3), (4, 4), (4.5, None), (9, None)])
def test_a_clock_that_is_stopped_before_it_comes(lasting: float, over: float | None) -> None:
    found = TimeCalculation(stopped_since=at(4)).after(at(0), lasting * HOUR)
    assert found == (None if over is None else at(over))


def test_what_is_left_out_is_cut_where_the_time_begins_and_ends() -> None:
    outages = ((-2, 1), (2, 3), (9, 12), (-2, 0), (10, 11), (5, 5))
    assert stops(*outages).left_out(at(0), at(10)) == [
        (at(0), at(1), "outage"),
        (at(2), at(3), "outage"),
        (at(9), at(10), "outage"),
    ]


def test_a_clock_that_stands_still_is_left_out_from_then_on() -> None:
    assert TimeCalculation(stopped_since=at(4)).left_out(at(0), at(10)) == [(at(4), at(10), "paused")]
    assert TimeCalculation(stopped_since=at(-1)).left_out(at(0), at(10)) == [(at(0), at(10), "paused")]
    assert TimeCalculation(stopped_since=at(10)).left_out(at(0), at(10)) == []


@pytest.mark.parametrize(("since", "begin"), [(None, 0), (-1, 0), (2, 2)])
def test_the_calendar_leaves_nothing_out_before_it_was_in_force(since: float | None, begin: float) -> None:
    night = TimeCalculation(NIGHT, calendar_since=None if since is None else at(since))
    assert night.left_out(at(0), at(10)) == [(at(begin), at(6), "night")]


def test_a_union() -> None:
    found = union(
        (at(begin), at(end)) for begin, end in [(5, 6), (1, 3), (2, 4), (4, 4.5), (1, 2), (8, 8), (9, 7)]
    )
    assert found == [(at(1), at(4.5)), (at(5), at(6))]


def test_a_moment_with_several_reasons_counts_for_the_first_of_them() -> None:
    assert by_reason(
        [
            (at(1), at(3), "outage"),
            (at(2), at(5), "night"),
            (at(2), at(3), "paused"),
            (at(7), at(8), "outage"),
            (at(0), at(8.5), "absence"),
        ]
    ) == {"outage": 3 * HOUR, "night": 2 * HOUR, "absence": 3.5 * HOUR}

"""The calendar against a slow, obvious simulation that looks at every minute."""

from __future__ import annotations

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from pbem.players.calendar import ALWAYS, DAY, Calendar, Night
from tests.examples import examples

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
ROME = "Europe/Rome"
# Clocks that are put forward and back at two or three, at midnight, by half an hour, and never.
ZONES = [ROME, "America/New_York", "Africa/Cairo", "America/Santiago", "Australia/Lord_Howe", "Asia/Kolkata"]
WEEKEND = frozenset({5, 6})


def utc(text: str) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=UTC)


def local(text: str, zone: str = ROME) -> datetime:
    return datetime.fromisoformat(text).replace(tzinfo=ZoneInfo(zone)).astimezone(UTC)


# --- the simulation


def counting(calendar: Calendar, since: datetime, days: int) -> list[bool]:
    """For every minute from `since` on, whether it counts."""
    minutes = [since + i * MINUTE for i in range(days * 24 * 60)]
    asleep = sleeping(calendar, since, days)
    return [
        not is_free(calendar, minute)
        and minute not in asleep
        and not any(gone <= minute < back for gone, back in calendar.away)
        for minute in minutes
    ]


def is_free(calendar: Calendar, minute: datetime) -> bool:
    today = minute.astimezone(ZoneInfo(calendar.zone)).date()
    return today.weekday() in calendar.free_weekdays or today in calendar.holidays


def sleeping(calendar: Calendar, since: datetime, days: int) -> set[datetime]:
    """The minutes of the nights: day by day, with the eyes on the clock on the wall."""
    if calendar.night is None:
        return set()
    by_day: dict[date, list[tuple[datetime, time]]] = {}
    for i in range(-2 * 24 * 60, (days + 2) * 24 * 60):
        shown = (since + i * MINUTE).astimezone(ZoneInfo(calendar.zone))
        by_day.setdefault(shown.date(), []).append((since + i * MINUTE, shown.time()))
    asleep = set()
    begins, ends = calendar.night.begins, calendar.night.ends
    for day in by_day.values():
        falls = [minute for minute, shown in day if shown >= begins]  # they go to bed at the first of them
        wakes = [minute for minute, shown in day if shown < ends]  # and get up after the last
        for minute, _ in day:
            in_evening = bool(falls) and minute >= falls[0]
            in_morning = bool(wakes) and minute <= wakes[-1]
            if (in_evening and in_morning) if begins < ends else (in_evening or in_morning):
                asleep.add(minute)
    return asleep


@st.composite
def nights(draw: st.DrawFn) -> Night:
    begins = draw(st.integers(0, 24 * 4 - 1))
    lasting = draw(st.integers(1, 40))
    quarters = [divmod(quarter % 96, 4) for quarter in (begins, begins + lasting)]
    return Night(*(time(hour, 15 * quarter) for hour, quarter in quarters))


# Around the days on which clocks are changed, somewhere.
STARTS = st.sampled_from(["2026-03-06", "2026-03-27", "2026-04-03", "2026-04-22", "2026-09-04", "2026-10-02"])
MORE_STARTS = st.sampled_from(["2026-10-23", "2026-10-28", "2026-10-30", "2026-12-22"])
DAYS = 6


@st.composite
def calendars(draw: st.DrawFn) -> tuple[Calendar, datetime]:
    since = utc(draw(STARTS | MORE_STARTS)) + draw(st.integers(0, 24 * 60)) * MINUTE
    hours = st.integers(-30, 24 * DAYS)
    away = draw(st.lists(st.tuples(hours, st.integers(1, 40)), max_size=3))
    calendar = Calendar(
        zone=draw(st.sampled_from(ZONES)),
        free_weekdays=frozenset(draw(st.lists(st.integers(0, 6), max_size=2))),
        night=draw(st.none() | nights()),
        holidays=frozenset(
            since.date() + draw(st.integers(0, DAYS)) * DAY for _ in range(draw(st.integers(0, 2)))
        ),
        away=tuple((since + gone * HOUR, since + (gone + lasting) * HOUR) for gone, lasting in away),
    )
    return calendar, since


# 02:30 does not exist in Rome on 29 March, and comes twice on 25 October.
LOST_HOUR = (Calendar(ROME, night=Night(time(22), time(2, 30))), utc("2026-03-27"))
HOUR_TWICE = (Calendar(ROME, night=Night(time(2, 30), time(9))), utc("2026-10-23"))


@pytest.mark.prove
@examples(60)
@given(calendars(), st.integers(0, DAYS * 24 * 60))
@example(LOST_HOUR, 4000)
@example(HOUR_TWICE, 4000)
def test_what_elapses_is_what_counts_minute_by_minute(case: tuple[Calendar, datetime], lasting: int) -> None:
    calendar, since = case
    simulated = sum(counting(calendar, since, DAYS)[:lasting])
    assert calendar.elapsed(since, since + lasting * MINUTE) == simulated * MINUTE


@pytest.mark.prove
@examples(60)
@given(calendars(), st.integers(1, DAYS * 24 * 60))
@example(LOST_HOUR, 2000)
@example(HOUR_TWICE, 2000)
def test_time_is_over_when_that_many_minutes_have_counted(
    case: tuple[Calendar, datetime], wanted: int
) -> None:
    calendar, since = case
    simulated = counting(calendar, since, DAYS)
    end = calendar.after(since, wanted * MINUTE)
    assert calendar.elapsed(since, end) == wanted * MINUTE
    assert calendar.elapsed(since, end - MINUTE / 2) < wanted * MINUTE  # it is the earliest such moment
    if sum(simulated) >= wanted:
        ran = [i for i, counts in enumerate(simulated) if counts]
        assert end == since + (ran[wanted - 1] + 1) * MINUTE


@examples(60)
@given(calendars(), st.integers(0, DAYS * 1440), st.integers(0, DAYS * 1440))
def test_time_adds_up_wherever_it_is_cut(case: tuple[Calendar, datetime], cut: int, rest: int) -> None:
    calendar, since = case
    middle, end = since + cut * MINUTE, since + (cut + rest) * MINUTE
    assert calendar.elapsed(since, middle) + calendar.elapsed(middle, end) == calendar.elapsed(since, end)
    assert calendar.runs(middle) == (calendar.elapsed(middle, middle + MINUTE) == MINUTE)


# --- what a reader would ask first


def test_time_that_nobody_stops_is_plain_time() -> None:
    assert ALWAYS.elapsed(utc("2026-01-01"), utc("2026-03-01")) == 59 * DAY
    assert ALWAYS.after(utc("2026-01-01"), 59 * DAY) == utc("2026-03-01")
    assert ALWAYS.after(utc("2026-01-01"), -DAY) == utc("2026-01-01")
    assert ALWAYS.elapsed(utc("2026-03-01"), utc("2026-01-01")) == timedelta()


def test_a_weekend_begins_and_ends_at_midnight_where_the_player_lives() -> None:
    calendar = Calendar("America/New_York", WEEKEND)
    friday = local("2026-06-05 23:00", "America/New_York")
    assert calendar.after(friday, 2 * HOUR) == local("2026-06-08 01:00", "America/New_York")


def test_the_hour_that_summer_time_takes_is_not_counted_and_the_one_it_gives_back_is() -> None:
    day = Calendar(ROME, frozenset({0}))
    assert day.elapsed(local("2026-03-29 00:00"), local("2026-03-30 00:00")) == 23 * HOUR
    assert day.elapsed(local("2026-10-25 00:00"), local("2026-10-26 00:00")) == 25 * HOUR


def test_a_night_is_as_long_as_its_sleeper_lies_in_bed() -> None:
    calendar = Calendar(ROME, night=Night(time(23), time(7)))
    for evening, morning, awake in [
        ("2026-06-05 22:00", "2026-06-06 08:00", 2),
        ("2026-03-28 22:00", "2026-03-29 08:00", 2),
        ("2026-10-24 22:00", "2026-10-25 08:00", 2),
    ]:
        assert calendar.elapsed(local(evening), local(morning)) == awake * HOUR


def test_where_clocks_are_put_back_a_night_lasts_until_its_second_end() -> None:
    """In Rome on 25 October half past two comes at 00:30 UTC, and again an hour later."""
    first, second = utc("2026-10-25") + HOUR / 2, utc("2026-10-25") + 1.5 * HOUR
    for night in (Night(time(22), time(2, 30)), Night(time(0, 30), time(2, 30))):
        calendar = Calendar(ROME, night=night)
        assert not calendar.runs(first)
        assert not calendar.runs(second - MINUTE)
        assert calendar.runs(second)
        assert calendar.elapsed(first, second + HOUR) == HOUR
        assert calendar.after(local("2026-10-25 01:00"), HOUR) == second + HOUR
        [(_, end, why)] = calendar.left_out(first - HOUR, second + HOUR)
        assert (end, why) == (second, "night")


def test_absences_and_holidays_may_overlap() -> None:
    away = (utc("2026-08-03"), utc("2026-08-10")), (utc("2026-08-05"), utc("2026-08-06"))
    calendar = Calendar("UTC", holidays=frozenset({date(2026, 8, 9), date(2026, 8, 10)}), away=away)
    assert calendar.after(utc("2026-08-02"), 2 * DAY) == utc("2026-08-12")


@pytest.mark.parametrize(("begins", "ends"), [(time(21), time(8)), (time(22), time(22)), (time(8), time(7))])
def test_a_night_has_an_end_and_lasts_ten_hours_at_the_most(begins: time, ends: time) -> None:
    with pytest.raises(ValueError, match="ten hours"):
        Night(begins, ends)


def test_nobody_has_three_sundays_in_a_week() -> None:
    with pytest.raises(ValueError, match="3 free weekdays; 2"):
        Calendar(free_weekdays=frozenset({4, 5, 6}))

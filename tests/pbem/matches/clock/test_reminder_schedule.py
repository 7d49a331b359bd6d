"""Reminders come at the rungs of the ladder, once each, and never at night."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.matches.clock.reminders import LADDER, TOGETHER, Reminder, Thinking, next_reminder
from pbem.players.calendar import ALWAYS, Calendar, Night

MONDAY = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
HOUR, DAY = timedelta(hours=1), timedelta(days=1)
ASLEEP = Calendar(night=Night(time(22), time(7)))


def turn(
    left: timedelta, *, since: datetime = MONDAY, quiet: Calendar = ALWAYS, runs: Calendar = ALWAYS
) -> Thinking:
    return Thinking(since, left, runs.after(since, left), runs, quiet)


def ladder(wish: str, thinking: Thinking) -> list[Reminder]:
    """All that come if nobody moves and every sweep is in time."""
    told: set[str] = set()
    reminders = []
    while reminder := next_reminder(wish, thinking, told, thinking.since):
        reminders.append(reminder)
        told |= reminder.rungs
    return reminders


def said(reminders: list[Reminder]) -> list[tuple[str, str]]:
    return [(f"{reminder.at:%a %H:%M}", " ".join(sorted(reminder.rungs))) for reminder in reminders]


def test_ten_days_have_all_four_rungs() -> None:
    assert said(ladder("all", turn(10 * DAY))) == [
        ("Sat 09:00", "half"),
        ("Tue 09:00", "most"),
        ("Wed 09:00", "day"),
        ("Thu 06:00", "hours"),
    ]


def test_who_wants_only_the_last_ones_gets_two() -> None:
    assert said(ladder("last", turn(10 * DAY))) == [("Wed 09:00", "day"), ("Thu 06:00", "hours")]
    assert ladder("none", turn(10 * DAY)) == []


def test_two_rungs_that_fall_together_are_one_letter() -> None:
    """After five days, 80 % are used and 24 hours are left."""
    assert said(ladder("all", turn(5 * DAY)))[1] == ("Fri 09:00", "day most")


def test_a_rung_below_which_the_turn_begins_is_never_told() -> None:
    """With 20 hours left there is no use in saying that there are less than 24."""
    assert said(ladder("all", turn(20 * HOUR))) == [("Mon 19:00", "half"), ("Tue 01:00", "hours most")]


def test_at_night_it_waits_for_the_morning() -> None:
    """80 % would be at one in the night, 3 hours before the end at two: both wait until seven; half comes at seven
    in the evening."""
    assert said(ladder("all", turn(24 * HOUR, quiet=ASLEEP))) == [
        ("Mon 21:00", "half"),
        ("Tue 07:00", "hours most"),
    ]


def test_where_the_morning_is_too_late_it_comes_before_the_night() -> None:
    """The time ends at six; nobody is woken at three."""
    late = turn(21 * HOUR, quiet=ASLEEP)
    assert late.deadline.hour == 6
    assert said(ladder("last", late)) == [("Mon 21:45", "hours")]


def test_a_share_is_of_the_time_that_runs() -> None:
    """Half of four days, when a weekend lies between."""
    friday = MONDAY + 4 * DAY
    weekend = Calendar(free_weekdays=frozenset({5, 6}))
    assert said(ladder("all", turn(4 * DAY, since=friday, runs=weekend)))[0] == ("Tue 09:00", "half")


def test_a_sweep_that_comes_late_tells_all_that_is_due_at_once() -> None:
    late = next_reminder("all", turn(10 * DAY), (), MONDAY + 9 * DAY + HOUR)
    assert late == Reminder(MONDAY + 5 * DAY, frozenset({"half", "most", "day"}))


nights = st.builds(
    lambda begins, length: Night(time(begins), time((begins + length) % 24)),
    st.integers(0, 23),
    st.integers(1, 10),
)
calendars = st.builds(
    lambda zone, night: Calendar(zone=zone, night=night),
    st.sampled_from(["UTC", "Europe/Rome", "America/New_York", "Asia/Kolkata"]),
    st.none() | nights,
)
weeks = st.builds(
    lambda days, night: Calendar(free_weekdays=frozenset(days), night=night),
    st.sets(st.integers(0, 6), max_size=2),
    st.none() | nights,
)
turns = st.builds(
    lambda minutes, hours, runs, quiet: turn(
        hours * HOUR, since=MONDAY + timedelta(minutes=minutes), runs=runs, quiet=quiet
    ),
    st.integers(0, 366 * 24 * 60),
    st.integers(1, 60 * 24),
    weeks,
    calendars,
)


@given(turns, st.sampled_from(["all", "last", "none"]))
def test_whatever_the_turn_each_rung_is_told_once_in_peace_and_in_time(thinking: Thinking, wish: str) -> None:
    reminders = ladder(wish, thinking)
    rungs = [rung for reminder in reminders for rung in reminder.rungs]
    assert len(rungs) == len(set(rungs))
    for reminder in reminders:
        assert thinking.since < reminder.at < thinking.deadline
        assert thinking.quiet.runs(reminder.at)
    for earlier, later in pairwise(reminders):
        assert later.at - earlier.at > TOGETHER


@given(turns)
def test_who_is_awake_hears_of_every_rung_that_the_turn_begins_above(thinking: Thinking) -> None:
    awake = Thinking(thinking.since, thinking.left, thinking.deadline, thinking.running, ALWAYS)
    told = {rung for reminder in ladder("all", awake) for rung in reminder.rungs}
    lasts = awake.deadline - awake.since
    assert told == {rung.name for rung in LADDER if rung.before is None or rung.before < lasts}


@given(turns, st.integers(0, 100))
def test_the_order_of_sweeps_changes_nothing_but_how_much_is_said_at_once(
    thinking: Thinking, share: int
) -> None:
    now = thinking.since + (thinking.deadline - thinking.since) * share / 100
    late = next_reminder("all", thinking, (), now)
    prompt = ladder("all", thinking)
    if late is None:
        assert prompt == []
    else:
        assert late.at == prompt[0].at
        assert late.rungs >= prompt[0].rungs | {r for each in prompt if each.at <= now for r in each.rungs}


def test_a_wish_that_nobody_has_is_an_error() -> None:
    with pytest.raises(KeyError):
        next_reminder("some", turn(DAY), (), MONDAY)

"""The clock against a slow, obvious simulation that takes the time minute by minute out of a jar."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, datetime, time, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.matches.clock.control import PRESETS, Bank, Control, parse, span
from pbem.matches.clock.ledger import TimeCalculation
from pbem.players.calendar import ALWAYS, Calendar, Night
from tests.examples import examples

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MONDAY = datetime(2026, 3, 23, tzinfo=UTC)  # clocks are put forward in Rome at the end of this week
LEAGUE = parse("10d+36h<=10d")


@dataclass
class Jar:
    """Minutes in a jar, and in a second one for the whole match. Nothing is worked out, all is counted."""

    control: Control
    calendar: Calendar
    minutes: float = 0
    total: float = field(default=float("inf"))
    outages: list[tuple[datetime, datetime]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.minutes = self.control.bank / MINUTE
        if self.control.ceiling is not None:
            self.total = self.control.ceiling / MINUTE

    def think(self, since: datetime, minutes: int) -> datetime | None:
        """The moment at which a jar is empty, if it is before these minutes are over."""
        for i in range(minutes):
            if min(self.minutes, self.total) <= 0:
                return since + i * MINUTE
            minute = since + i * MINUTE
            if self.calendar.runs(minute) and not any(a <= minute < b for a, b in self.outages):
                self.minutes -= 1
                self.total -= 1
        return None

    def move(self) -> None:
        full = max(self.minutes, self.control.cap / MINUTE)
        self.minutes = min(self.minutes + self.control.increment / MINUTE, full)


@st.composite
def controls(draw: st.DrawFn) -> Control:
    bank = draw(st.integers(1, 30))
    cap = bank + draw(st.integers(0, 30))
    ceiling = draw(st.none() | st.integers(1, 60))
    return Control(bank * HOUR, draw(st.integers(0, 40)) * HOUR, cap * HOUR, ceiling and ceiling * HOUR)


CALENDARS = st.sampled_from(
    [
        ALWAYS,
        Calendar("Europe/Rome", frozenset({5, 6})),
        Calendar("Europe/Rome", night=Night(time(23), time(7, 30))),
        Calendar(
            "Europe/Rome", frozenset({2}), Night(time(1), time(9)), away=((MONDAY + DAY, MONDAY + 3 * DAY),)
        ),
    ]
)
HAPPENINGS = st.lists(
    st.tuples(st.sampled_from(["move", "outage", "present"]), st.integers(0, 30 * 60)), max_size=8
)


@pytest.mark.prove
@examples(80)
@given(controls(), CALENDARS, HAPPENINGS, st.integers(0, 7 * 24 * 60))
def test_a_bank_is_a_jar_of_minutes(
    control: Control, calendar: Calendar, happenings: list[tuple[str, int]], start: int
) -> None:
    now = MONDAY + start * MINUTE
    bank, jar = Bank.full(control).begin(now), Jar(control, calendar)
    for happening, minutes in happenings:
        stops = tuple((begin, end, "outage") for begin, end in jar.outages)
        running = TimeCalculation(calendar, stops=stops)
        deadline = bank.deadline(control, running)
        over = jar.think(now, minutes)
        now += minutes * MINUTE
        assert deadline is not None
        assert (over is not None) == (deadline < now)
        if over is not None:
            assert over == deadline
            return
        if happening == "move":
            bank = bank.moved(control, now, running)
            jar.move()
            now += 90 * MINUTE  # the opponent thinks
            bank = bank.begin(now)
        elif happening == "outage":
            jar.outages.append((now, now + 2 * HOUR))
        else:
            bank = bank.given(DAY)
            jar.minutes += 24 * 60
        assert bank.remaining(control, now, running) == min(jar.minutes, jar.total) * MINUTE


def test_a_move_fills_the_bank_up_to_its_cap() -> None:
    bank = Bank.full(LEAGUE).begin(MONDAY)
    assert bank.deadline(LEAGUE, ALWAYS) == MONDAY + 10 * DAY
    moved = bank.moved(LEAGUE, MONDAY + DAY, ALWAYS)
    assert (moved.left, moved.used, moved.since) == (10 * DAY, DAY, None)
    late = bank.moved(LEAGUE, MONDAY + 9 * DAY, ALWAYS)
    assert late.left == DAY + 36 * HOUR


def test_a_fixed_time_for_each_move_neither_grows_nor_shrinks() -> None:
    control = parse("3d/move")
    bank = Bank.full(control)
    for used in (HOUR, 3 * DAY, DAY):
        bank = bank.begin(MONDAY).moved(control, MONDAY + used, ALWAYS)
        assert bank.left == 3 * DAY


def test_a_weekend_is_free_once_and_a_move_before_it_earns_nothing_more() -> None:
    """Credit that is added when somebody moves can be had twice; what has elapsed cannot."""
    weekend = Calendar("UTC", frozenset({5, 6}))
    control = parse("5d+0h<=5d")
    friday = MONDAY + 4 * DAY
    moved = Bank.full(control).begin(friday).moved(control, friday + 23 * HOUR, weekend)
    waited = Bank.full(control).begin(friday).moved(control, friday + 23 * HOUR + 2 * DAY, weekend)
    assert moved.left == 5 * DAY - 23 * HOUR
    assert waited.left == 4 * DAY
    assert moved.begin(friday + DAY).deadline(control, weekend) == friday + 3 * DAY + moved.left


def test_who_oversteps_and_is_let_off_goes_on_with_one_increment() -> None:
    bank = Bank.full(LEAGUE).begin(MONDAY).moved(LEAGUE, MONDAY + 30 * DAY, ALWAYS)
    assert bank.left == 36 * HOUR


def test_a_present_stays_above_the_cap_until_it_is_used() -> None:
    bank = Bank.full(LEAGUE).given(5 * DAY).begin(MONDAY)
    assert bank.deadline(LEAGUE, ALWAYS) == MONDAY + 15 * DAY
    assert bank.moved(LEAGUE, MONDAY + DAY, ALWAYS).left == 14 * DAY


def test_the_whole_match_has_a_ceiling() -> None:
    control = Control(10 * DAY, 10 * DAY, 10 * DAY, ceiling=12 * DAY)
    bank = Bank.full(control).begin(MONDAY).moved(control, MONDAY + 9 * DAY, ALWAYS)
    assert bank.left == 10 * DAY
    assert bank.begin(MONDAY).deadline(control, ALWAYS) == MONDAY + 3 * DAY


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("10d+36h<=10d", "10d+36h<=10d"),
        ("10d + 36h ≤ 12d", "10d+36h<=12d"),
        ("10d+36h", "10d+36h<=10d"),
        ("24h", "1d/move"),
        ("3D/Move", "3d/move"),
        ("1.5d", "36h/move"),
        ("10g+36o<=10g", "10d+36h<=10d"),
        ("3g/mossa", "3d/move"),
        ("0,5g", "12h/move"),
        ("medium", "2d+1d<=4d"),
        ("Lento", "3d+2d<=7d"),
    ],
)
def test_a_clock_is_written_as_players_write_it(written: str, meant: str) -> None:
    assert str(parse(written)) == meant


@pytest.mark.parametrize(
    "written", ["", "10", "10d+", "0h", "12d+1d<=10d", "10x", "fastest", "1000d", "d/move"]
)
def test_what_is_no_clock_is_refused(written: str) -> None:
    with pytest.raises(ValueError, match=r"clock|bank"):
        parse(written)


def test_a_clock_is_read_as_it_was_printed() -> None:
    for name in PRESETS:
        assert parse(str(parse(name))) == parse(name)
    assert str(Control(DAY, DAY, DAY, 60 * DAY)) == "1d/move total=60d"
    assert span("36o") == span("36H") == 36 * HOUR

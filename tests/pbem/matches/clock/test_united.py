"""Stoppages that overlap are one span, and anyone who would have been in time by one of them alone still is."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from random import Random

import pytest
from django.db import transaction
from hypothesis import Phase, assume, example, given
from hypothesis import strategies as st

from pbem.matches.clock import outages
from pbem.matches.clock import service as clocks
from pbem.matches.clock.deadlines import flag, is_late
from pbem.matches.clock.recalculation import recount_more
from pbem.matches.models import Component, ExemptInterval, Match, Outage, Reason
from pbem.matches.services import start
from pbem.matches.terms import read_terms
from tests.examples import examples
from tests.mail_fixtures import MORNING, Correspondent, Post, registered
from tests.outages import lost

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
BANK = 3 * DAY
FIRST = 600  # minutes before Monday morning


@dataclass(frozen=True)
class Away:
    """In minutes since Monday morning."""

    component: Component
    since: int
    lasting: int

    @property
    def begin(self) -> datetime:
        return MORNING + self.since * MINUTE

    @property
    def end(self) -> datetime:
        return self.begin + self.lasting * MINUTE


def begun(first: Correspondent, second: Correspondent) -> Match:
    """Three days a move since Monday morning, Alice to move."""
    terms, _ = read_terms(["3d/move"])
    players = {"first": first.player, "second": second.player}
    return start(**players, game="loa", terms=terms, now=MORNING, rng=Random(1))


def after(match: Match, aways: Sequence[Away], ask: Callable[[Match], object] | None = None) -> datetime:
    """The deadline once these were written down in this order, in a world of its own."""
    with transaction.atomic():
        for away in aways:
            outages.write(away.begin, away.end, component=away.component, now=away.end)
        found = now_of(match)
        if ask is not None:
            ask(found)
        transaction.set_rollback(True)
    assert found.deadline
    return found.deadline


def by_hand(aways: Sequence[Away]) -> datetime:
    """Minute by minute."""
    gone = lost([(away.since + FIRST, away.since + away.lasting + FIRST) for away in aways])
    minute, left = FIRST, BANK
    while left:
        if minute not in gone:
            left -= MINUTE
        minute += 1
    return MORNING + (minute - FIRST) * MINUTE


AWAYS = st.builds(
    Away,
    st.sampled_from(Component),
    st.integers(-FIRST, 5000),
    st.sampled_from((2, 29, 30, 31, 119, 121, 900, 3600)),
)
DOOR_WITHIN_WORKER = (Away(Component.WORKER, 60, 900), Away(Component.DOOR, 100, 31))
ONE_AFTER_THE_OTHER = (Away(Component.WORKER, 60, 30), Away(Component.DOOR, 80, 30))


@pytest.mark.prove
@examples(12, derandomize=True, phases=(Phase.explicit, Phase.generate, Phase.shrink))
@given(AWAYS, AWAYS)
@example(*DOOR_WITHIN_WORKER)
@example(*ONE_AFTER_THE_OTHER)
def test_two_outages_are_one_span_and_neither_takes_what_the_other_allows(
    post: Post, first: Away, second: Away
) -> None:
    assume((first.component, first.since) != (second.component, second.since))
    with transaction.atomic():
        match = begun(registered(post, "Alice", "en"), registered(post, "Bruno", "it"))
        in_time = max(after(match, [first]), after(match, [second]))

        def nobody_is_late(found: Match) -> None:
            assert not is_late(found, in_time)
            assert not flag(Match.objects.overdue(in_time), found.pk, now=in_time)

        both = after(match, [first, second], nobody_is_late)
        assert both == after(match, [second, first], nobody_is_late) == by_hand([first, second])
        assert both >= in_time
        transaction.set_rollback(True)


@pytest.fixture
def match(alice: Correspondent, bruno: Correspondent) -> Match:
    return begun(alice, bruno)


def now_of(match: Match) -> Match:
    """After the next sweeps."""
    while recount_more():
        pass
    return Match.objects.get(pk=match.pk)


def away(match: Match) -> None:
    """From Monday noon for half an hour; with what comes back, until ten past one."""
    outages.write(MORNING + 3 * HOUR, MORNING + 3.5 * HOUR, component=Component.DOOR, now=MORNING + 4 * HOUR)


LATER = MORNING + 5 * HOUR


def stand_still(match: Match, why: Reason) -> None:
    """From half past eleven to one: half an hour of it is the outage's, and more of what comes back."""
    seat = now_of(match).seated[0]
    clocks.exempt(seat, MORNING + 2.5 * HOUR, MORNING + 4 * HOUR, why)


def stop(match: Match) -> None:
    """The same time, set aside and opened again."""
    clocks.stop(now_of(match), MORNING + 2.5 * HOUR, "shunted")
    clocks.resume(now_of(match), MORNING + 4 * HOUR, "shunted")


STOPPED: dict[str, Callable[[Match], None]] = {
    "transit": lambda match: stand_still(match, Reason.TRANSIT),
    "mailbox": lambda match: stand_still(match, Reason.MAILBOX),
    "absence": lambda match: stand_still(match, Reason.ABSENCE),
    "shunted": stop,
}


@pytest.mark.parametrize("outage_first", [True, False])
@pytest.mark.parametrize("why", STOPPED)
def test_a_stoppage_of_one_match_and_an_outage_are_united(match: Match, why: str, outage_first: bool) -> None:
    """From half past eleven to ten past one."""
    for happens in (away, STOPPED[why]) if outage_first else (STOPPED[why], away):
        happens(match)
    assert now_of(match).deadline == MORNING + BANK + 100 * MINUTE
    assert clocks.remaining(now_of(match).seated[0], LATER) == BANK - 5 * HOUR + 100 * MINUTE
    assert {row.why for row in ExemptInterval.objects.all()} == {why, "outage", "transit"}


@pytest.mark.parametrize("why", STOPPED)
def test_of_another_match_it_gives_nothing(
    match: Match, alice: Correspondent, bruno: Correspondent, why: str
) -> None:
    other = begun(alice, bruno)
    STOPPED[why](other)
    away(match)
    assert now_of(match).deadline == MORNING + BANK + 70 * MINUTE
    assert now_of(other).deadline == MORNING + BANK + 100 * MINUTE


def test_of_the_other_player_it_gives_nothing_either(match: Match) -> None:
    clocks.exempt(now_of(match).seated[1], MORNING, MORNING + 4 * HOUR, Reason.MAILBOX)
    assert now_of(match).deadline == MORNING + BANK


def test_one_that_is_not_over_is_united_with_an_outage_before_it_and_in_it(match: Match) -> None:
    clocks.stop(now_of(match), MORNING + 3.25 * HOUR, "shunted")
    away(match)
    assert now_of(match).deadline is None
    assert clocks.remaining(now_of(match).seated[0], LATER) == BANK - 3 * HOUR
    clocks.resume(now_of(match), MORNING + 4 * HOUR, "shunted")
    assert now_of(match).deadline == MORNING + BANK + 70 * MINUTE


def change_hours(match: Match) -> None:
    player = match.seated[0].player
    with clocks.new_hours(player, MORNING + HOUR):
        player.free_weekdays = "1"
        player.save()


# What gives time, and how much: each through the one place where deadlines are worked out, or the other.
GIVING: dict[str, tuple[Callable[[Match], object], timedelta]] = {
    "outage": (away, 70 * MINUTE),
    "restore": (
        lambda match: outages.credit_gap(MORNING, MORNING + 30 * MINUTE, now=MORNING + HOUR),
        70 * MINUTE,
    ),
    "transit": (STOPPED["transit"], 90 * MINUTE),
    "shunted": (STOPPED["shunted"], 90 * MINUTE),
    "hours": (change_hours, DAY),
    "present": (lambda match: clocks.give(now_of(match).seated[0], 2 * HOUR, MORNING), 2 * HOUR),
}


@pytest.mark.parametrize("what", GIVING)
def test_with_the_deadline_moves_the_reminder(match: Match, what: str) -> None:
    """The first comes when half of the time is over."""
    assert match.remind_at == MORNING + 1.5 * DAY
    gives, more = GIVING[what]
    gives(now_of(match))
    found = now_of(match)
    assert found.deadline == MORNING + BANK + more
    share = 0.5 if what == "present" else 1.0  # half of what is more
    assert found.remind_at == MORNING + 1.5 * DAY + share * more


def test_an_outage_that_never_was_takes_deadline_and_reminder_back(match: Match) -> None:
    """The machine's clock was ahead."""
    before = match.deadline, match.remind_at
    outages.write(MORNING + HOUR, MORNING + 90 * HOUR, component=Component.DOOR, now=MORNING + 90 * HOUR)
    moved = now_of(match)
    assert (moved.deadline, moved.remind_at) != before
    outages.end(Component.DOOR, MORNING + HOUR)
    assert not Outage.objects.exists()
    assert (now_of(match).deadline, now_of(match).remind_at) == before

"""What is worked out again when the ledger is written late, and what is left as it was."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, time, timedelta
from random import Random

import pytest

from pbem.matches.clock import service as clocks
from pbem.matches.clock.outages import credit_gap
from pbem.matches.models import ClockTurn, Match, Reason, Seat
from pbem.matches.services import play, resign, start
from pbem.matches.terms import read_terms
from pbem.players.models import Absence, Player
from tests.mail_fixtures import MORNING, Correspondent

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
MOVES = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"]

Begun = Callable[[], Match]


@pytest.fixture
def begun(alice: Correspondent, bruno: Correspondent) -> Begun:
    """Three days for a whole match since Monday morning, Alice to move."""
    terms, _ = read_terms(["10d+1d"])
    players = {"first": alice.player, "second": bruno.player}
    return lambda: start(**players, game="loa", terms=terms, now=MORNING, rng=Random(1))


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def moved(match: Match, *hours: float) -> Match:
    for hour in hours:
        match = fresh(match)
        assert match.moving
        play(match.moving, MOVES[match.ply % 4], now=MORNING + hour * HOUR)
    return fresh(match)


def turns(match: Match, side: int) -> list[tuple[timedelta, timedelta]]:
    """What each has lasted, and what had been used before it."""
    found = ClockTurn.objects.filter(seat__match=match, seat__side=side).order_by("pk")
    return [(turn.lasted, turn.used) for turn in found]


def test_whoever_has_looked_at_the_clock_before_looks_again(begun: Begun) -> None:
    match = begun()
    seat = match.seated[0]
    before = match.deadline
    assert before
    assert clocks.remaining(seat, MORNING + 5 * HOUR) == before - MORNING - 5 * HOUR
    clocks.exempt(seat, MORNING + HOUR, MORNING + 3 * HOUR, Reason.TRANSIT)
    assert fresh(match).deadline == before + 2 * HOUR
    assert clocks.remaining(seat, MORNING + 5 * HOUR) == before - MORNING - 3 * HOUR


def test_a_later_row_forgets_no_earlier_one_of_the_same_turn(begun: Begun) -> None:
    match = begun()
    before = match.deadline
    assert before
    for hour in (1, 5):
        seat = fresh(match).seated[0]
        clocks.exempt(seat, MORNING + hour * HOUR, MORNING + (hour + 1) * HOUR, Reason.TRANSIT)
    assert fresh(match).deadline == before + 2 * HOUR


def test_what_was_used_follows_from_turn_to_turn(begun: Begun) -> None:
    match = moved(begun(), 10, 11, 20, 22)
    assert turns(match, 0) == [(10 * HOUR, 0 * HOUR), (9 * HOUR, 10 * HOUR)]
    clocks.exempt(match.seated[0], MORNING + 2 * HOUR, MORNING + 3 * HOUR, Reason.TRANSIT)
    clocks.exempt(fresh(match).seated[0], MORNING + 15 * HOUR, MORNING + 18 * HOUR, Reason.TRANSIT)
    assert turns(match, 0) == [(9 * HOUR, 0 * HOUR), (6 * HOUR, 9 * HOUR)]
    assert turns(match, 1) == [(HOUR, 0 * HOUR), (2 * HOUR, HOUR)]
    assert Seat.objects.get(match=match, side=0).bank_used == 15 * HOUR
    assert Seat.objects.get(match=match, side=1).bank_used == 3 * HOUR


def test_a_match_that_is_over_stays_as_it_ended(begun: Begun) -> None:
    """Beside one that is played, which has lost nothing."""
    over, played = moved(begun(), 10, 11), moved(begun(), 10, 11)
    seat = over.seated[0]
    resign(seat, now=MORNING + 12 * HOUR)
    ended = turns(over, 0), Seat.objects.get(pk=seat.pk).bank_left
    assert credit_gap(MORNING, MORNING + HOUR, now=MORNING + 13 * HOUR) == 1
    assert (turns(over, 0), Seat.objects.get(pk=seat.pk).bank_left) == ended
    assert turns(played, 0) == [(10 * HOUR - HOUR - 75 * MINUTE, 0 * HOUR)]


def sleep(player: Player, begins: int, ends: int, now: datetime) -> None:
    with clocks.new_hours(player, now):
        player.zone, player.night_begins, player.night_ends = "UTC", time(begins), time(ends)
        player.save()


def test_a_turn_that_is_over_keeps_the_hours_it_was_thought_in(begun: Begun, alice: Correspondent) -> None:
    """Who sleeps at noon from now on has slept at night until now."""
    match = begun()
    sleep(alice.player, 22, 6, MORNING)
    match = moved(match, 24)
    assert turns(match, 0) == [(16 * HOUR, 0 * HOUR)]
    sleep(alice.player, 12, 16, MORNING + 25 * HOUR)
    clocks.exempt(fresh(match).seated[0], MORNING + HOUR, MORNING + 2 * HOUR, Reason.TRANSIT)
    assert turns(match, 0) == [(15 * HOUR, 0 * HOUR)]


def test_absences_of_others_are_nobody_elses(begun: Begun, bruno: Correspondent) -> None:
    """Bruno is away, and Alice thinks."""
    match = begun()
    before = match.deadline
    assert before
    Absence.objects.create(player=bruno.player, since=MORNING + DAY, until=MORNING + 5 * DAY)
    assert credit_gap(MORNING, MORNING + HOUR, now=MORNING + HOUR) == 1
    assert fresh(match).deadline == before + HOUR + 75 * MINUTE

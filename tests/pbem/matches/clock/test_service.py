"""Clocks as rows: what a turn costs, who pays it, and that every deadline follows from a bank."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, datetime, time, timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pbem.matches.clock import service as clocks
from pbem.matches.clock.deadlines import claim, flag, give_back
from pbem.matches.clock.outages import credit_gap
from pbem.matches.models import Event, Match, Seat
from pbem.matches.offers import roll_back
from pbem.matches.services import accept, play, propose, resign, start
from pbem.matches.terms import Terms, read_terms
from pbem.players.models import Absence, Holiday
from pbem.refusals import Refused
from tests.mail_fixtures import MORNING, Correspondent

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
TUESDAY, FRIDAY = MORNING + DAY, MORNING + 4 * DAY
# Lines of Action, as both play it for want of a better idea.
MOVES = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"]

Under = Callable[..., Match]


@pytest.fixture
def under(alice: Correspondent, bruno: Correspondent) -> Under:
    """A match that began on Monday morning, Alice to move."""

    def under(*words: str, now: datetime = MORNING) -> Match:
        terms, rest = read_terms(words)
        assert rest == []
        match = start(first=alice.player, second=bruno.player, game="loa", now=now, rng=Random(1))
        match.terms = terms.kept()
        match.save()
        match = Match.objects.get(pk=match.pk)
        clocks.begin(match, now)
        return match

    return under


def fresh(match: Match) -> Match:
    return Match.objects.get(pk=match.pk)


def move(match: Match, *, now: datetime, arrived: datetime | None = None) -> Match:
    match = fresh(match)
    assert match.moving
    play(match.moving, MOVES[match.ply % 4], now=now, arrived=arrived)
    return fresh(match)


def left(match: Match, side: int) -> timedelta | None:
    return Seat.objects.get(match=match, side=side).bank_left


def test_a_turn_is_charged_when_it_ends_and_the_opponent_pays_from_then_on(under: Under) -> None:
    match = move(under("10d+36h<=10d"), now=MORNING + 3 * DAY)
    assert (left(match, 0), left(match, 1)) == (8.5 * DAY, 10 * DAY)
    assert match.deadline == MORNING + 13 * DAY
    match = move(match, now=MORNING + 4 * DAY)
    assert (left(match, 1), match.deadline) == (10 * DAY, MORNING + 12.5 * DAY)


def test_a_letter_that_lay_with_us_costs_neither_of_them(under: Under) -> None:
    """Who wrote it is charged until it arrived; whom it concerns, from when they can hear of it."""
    match = move(under("3d/move"), now=TUESDAY + 9 * HOUR, arrived=TUESDAY)
    assert Seat.objects.get(match=match, side=0).bank_used == DAY
    assert match.deadline == TUESDAY + 9 * HOUR + 3 * DAY


def test_a_match_without_a_clock_pays_no_query_for_it(under: Under) -> None:
    timed, free = under("10d+36h<=10d"), under()
    with CaptureQueriesContext(
        connection,
    ) as queries:
        move(free, now=TUESDAY)
    assert not [q for q in queries if "bank_left" in q["sql"] and q["sql"].startswith("UPDATE")]
    assert not [q for q in queries if "players_absence" in q["sql"] or "players_holiday" in q["sql"]]
    assert fresh(free).deadline is None
    assert move(timed, now=TUESDAY).deadline


def test_the_clock_begins_when_the_challenge_is_accepted(alice: Correspondent, bruno: Correspondent) -> None:
    match = propose(
        challenger=alice.player, opponent=bruno.player, game="loa", options=["first", "2d/move"],
        now=MORNING, rng=Random(1),
    )  # fmt: skip
    assert (match.deadline, left(match, 0)) == (None, None)
    accept(fresh(match).seated[1], now=FRIDAY)
    assert fresh(match).deadline == FRIDAY + 2 * DAY


def test_a_finished_match_has_no_clock_that_runs(under: Under) -> None:
    match = under("10d+36h<=10d")
    resign(match.seated[0], now=TUESDAY)
    assert not Seat.objects.filter(running_since__isnull=False).exists()
    assert left(match, 0) == 9 * DAY


class TestAClockThatIsStopped:
    def test_charges_nothing_until_it_goes_on(self, under: Under) -> None:
        match = under("10d+36h<=10d")
        clocks.stop(match, TUESDAY)
        assert fresh(match).deadline is None
        clocks.resume(match, FRIDAY)
        assert fresh(match).deadline == MORNING + 13 * DAY

    def test_goes_on_when_the_last_reason_is_gone(self, under: Under) -> None:
        match = under("10d+36h<=10d")
        clocks.stop(match, TUESDAY, "paused")
        clocks.stop(match, TUESDAY, "organiser")
        clocks.resume(match, FRIDAY, "paused")
        assert fresh(match).deadline is None
        clocks.resume(match, FRIDAY, "nobody ever said this")
        clocks.resume(match, FRIDAY, "organiser")
        assert fresh(match).deadline == MORNING + 13 * DAY

    def test_still_earns_what_a_move_earns(self, under: Under) -> None:
        match = under("10d+36h<=12d")
        clocks.stop(match, TUESDAY)
        match = move(match, now=FRIDAY)
        assert (left(match, 0), match.deadline) == (10.5 * DAY, None)


class TestHours:
    """Alice lives in Rome."""

    @pytest.fixture(autouse=True)
    def _rome(self, alice: Correspondent) -> None:
        self.alice = alice.player
        self.alice.zone = "Europe/Rome"
        self.alice.save()

    def test_her_weekend_is_hers_alone(self, under: Under) -> None:
        self.alice.free_weekdays = "56"
        self.alice.save()
        match = under("3d/move", now=FRIDAY)
        assert match.deadline == FRIDAY + 5 * DAY
        assert move(match, now=FRIDAY + HOUR).deadline == FRIDAY + HOUR + 3 * DAY

    def test_new_hours_begin_now_and_change_nothing_that_has_elapsed(self, under: Under) -> None:
        """Two nights have passed that were none."""
        match = under("3d/move")
        with clocks.new_hours(self.alice, MORNING + 2 * DAY):
            self.alice.night_begins, self.alice.night_ends = time(23), time(7)
            self.alice.save()
        assert fresh(match).deadline == MORNING + 3 * DAY + 8 * HOUR
        assert clocks.remaining(fresh(match).seated[0], MORNING + 2 * DAY) == DAY

    def test_an_absence_that_begins_later_moves_the_deadline_now(self, under: Under) -> None:
        match = under("3d/move")
        Absence.objects.create(player=self.alice, since=TUESDAY, until=TUESDAY + 10 * DAY)
        clocks.recalculate(self.alice)
        assert fresh(match).deadline == MORNING + 13 * DAY

    def test_whoever_is_back_early_gets_back_what_he_did_not_use(self, under: Under) -> None:
        match = under("3d/move")
        absence = Absence.objects.create(player=self.alice, since=TUESDAY, until=TUESDAY + 10 * DAY)
        clocks.recalculate(self.alice)
        absence.until = FRIDAY
        absence.save()
        clocks.recalculate(self.alice)
        assert fresh(match).deadline == MORNING + 6 * DAY

    def test_a_holiday_is_a_day_where_each_of_them_lives(self, under: Under) -> None:
        Holiday.objects.create(day=date(2026, 5, 5))
        assert under("3d/move").deadline == MORNING + 4 * DAY

    def test_where_it_was_agreed_nothing_stops_the_clock(self, under: Under) -> None:
        self.alice.free_weekdays = "56"
        self.alice.save()
        assert under("3d/move", "nonstop", now=FRIDAY).deadline == FRIDAY + 3 * DAY

    def test_an_outage_moves_a_deadline_over_the_weekend_that_it_meets(self, under: Under) -> None:
        self.alice.free_weekdays = "56"
        self.alice.save()
        hers, plain = under("4d/move"), under("4d/move", "nonstop")
        saturday = FRIDAY.replace(hour=22) - timedelta()  # midnight in Rome
        assert credit_gap(TUESDAY, TUESDAY + 9 * HOUR, now=TUESDAY + 9 * HOUR) == 2
        assert fresh(hers).deadline == saturday + 2 * DAY + 2 * HOUR
        assert fresh(plain).deadline == FRIDAY + 15 * HOUR

    def test_an_outage_moves_a_deadline_over_a_holiday(self, under: Under) -> None:
        match = under("4d/move")
        Holiday.objects.create(day=date(2026, 5, 9))
        credit_gap(TUESDAY, TUESDAY + 9 * HOUR, now=TUESDAY + 9 * HOUR)  # and six hours to come back
        assert fresh(match).deadline == FRIDAY + DAY + 15 * HOUR

    def test_only_what_would_have_been_charged_is_given_back(self, under: Under) -> None:
        """Nobody could reach her from Friday to Monday; her weekend would have been free anyway."""
        self.alice.free_weekdays = "56"
        self.alice.save()
        match = under("3d/move", now=FRIDAY)
        give_back(self.alice, FRIDAY + HOUR, FRIDAY + 3 * DAY)
        assert fresh(match).deadline == FRIDAY + 6 * DAY - HOUR


def test_an_outage_is_charged_neither_to_the_bank_nor_to_the_ceiling(under: Under) -> None:
    match = under("3d/move", "total=5d")
    credit_gap(TUESDAY, TUESDAY + 3 * HOUR, now=TUESDAY + 3 * HOUR)  # and six hours to come back
    assert fresh(match).deadline == MORNING + 3 * DAY + 9 * HOUR
    match = move(match, now=MORNING + 3 * DAY)
    assert Seat.objects.get(match=match, side=0).bank_used == 2.625 * DAY
    assert (left(match, 0), left(match, 1)) == (3 * DAY, 3 * DAY)


def test_the_ceiling_ends_a_turn_before_the_bank_does(under: Under) -> None:
    match = move(under("3d/move", "total=4d"), now=MORNING + 3 * DAY)
    match = move(match, now=MORNING + 4 * DAY)
    assert match.deadline == MORNING + 5 * DAY


def test_a_present_is_worth_its_length(under: Under) -> None:
    match = under("3d/move")
    clocks.give(match.seated[0], 5 * DAY, TUESDAY)
    clocks.give(match.seated[1], 2 * DAY, TUESDAY)
    assert fresh(match).deadline == MORNING + 8 * DAY
    assert move(match, now=FRIDAY).deadline == FRIDAY + 5 * DAY


def test_a_turn_that_is_taken_back_costs_what_it_lasted_until_then(under: Under) -> None:
    """Bruno had thought for a day."""
    match = move(under("10d+36h<=10d"), now=TUESDAY)
    roll_back(match, 0, now=TUESDAY + DAY, side=None)
    assert left(match, 1) == 9 * DAY
    assert fresh(match).deadline == TUESDAY + DAY + 10 * DAY


def test_whoever_had_lost_on_time_comes_back_to_an_increment(under: Under) -> None:
    match = move(under("3d+36h<=3d"), now=TUESDAY)
    flag(Match.objects.overdue(FRIDAY + DAY), match.pk, now=FRIDAY + DAY)
    match = fresh(match)
    assert match.reason == "time"
    roll_back(match, 0, now=FRIDAY + 2 * DAY, side=None)
    assert (left(match, 0), left(match, 1)) == (3 * DAY, 1.5 * DAY)
    assert fresh(match).deadline == FRIDAY + 5 * DAY


class TestWhatATimeoutBrings:
    def overstep(self, under: Under, *words: str) -> Match:
        match = under("3d+1d<=3d", *words)
        assert flag(Match.objects.overdue(FRIDAY), match.pk, now=FRIDAY)
        return fresh(match)

    def kinds(self) -> list[str]:
        return list(Event.objects.values_list("kind", flat=True))

    def test_loss(self, under: Under) -> None:
        match = self.overstep(under)
        assert (match.status, match.winner, match.reason) == ("over", 1, "time")

    def test_a_claim_is_the_opponents(self, under: Under) -> None:
        match = self.overstep(under, "timeout=claim")
        assert (match.status, match.deadline, match.flagged_at) == ("playing", None, MORNING + 3 * DAY)
        assert not flag(Match.objects.overdue(FRIDAY + 9 * DAY), match.pk, now=FRIDAY + 9 * DAY)
        with pytest.raises(Refused, match="nothing_to_claim"):
            claim(match.seated[0], now=FRIDAY)
        claim(match.seated[1], now=FRIDAY)
        match = fresh(match)
        assert (match.winner, match.reason, match.flagged_at) == (1, "time", None)

    def test_until_it_is_claimed_a_late_move_counts_and_earns_one_increment(self, under: Under) -> None:
        match = move(self.overstep(under, "timeout=claim"), now=FRIDAY)
        assert (left(match, 0), match.flagged_at, match.deadline) == (DAY, None, FRIDAY + 3 * DAY)
        with pytest.raises(Refused, match="nothing_to_claim"):
            claim(match.seated[1], now=FRIDAY)

    def test_a_present_takes_the_flag_down(self, under: Under) -> None:
        match = self.overstep(under, "timeout=claim")
        clocks.give(match.seated[0], 2 * DAY, FRIDAY)
        match = fresh(match)
        assert (match.flagged_at, match.deadline) == (None, FRIDAY + 2 * DAY)

    def test_the_organiser_decides_and_nothing_is_played(self, under: Under) -> None:
        match = self.overstep(under, "timeout=adjudicate")
        with pytest.raises(Refused, match="organiser_decides"):
            move(match, now=FRIDAY)
        with pytest.raises(Refused, match="nothing_to_claim"):
            claim(match.seated[1], now=FRIDAY)
        assert self.kinds()[-1] == "overstepped"

    def test_a_match_without_a_clock_has_nothing_to_claim(self, under: Under) -> None:
        with pytest.raises(Refused, match="no_clock"):
            claim(under().seated[1], now=FRIDAY)


def test_terms_say_the_clock_in_one_way() -> None:
    assert read_terms(["total=60g", "10G+36O", "tempo=reclamo", "blitz"]) == (
        Terms(clock="10d+36h<=10d", total="60d", policy="claim"),
        ["blitz"],
    )
    assert read_terms(["--nagtime=7", "--forfeittime=21", "totaltime=365"]) == (
        Terms(clock="21d/move", total="365d"),
        [],
    )
    assert read_terms(["veloce", "senzasosta"])[0] == Terms(clock="1d+8h<=2d", nonstop=True)
    assert str(Terms(total="60d").control) == "60d+0d<=60d"


@pytest.mark.parametrize("word", ["20d+1d<=10d", "0h", "total=0d"])
def test_a_clock_that_cannot_run_is_refused(word: str) -> None:
    with pytest.raises(Refused, match="bad_clock"):
        read_terms([word])


def test_a_calendar_that_changed_a_while_ago_charges_nothing_to_a_turn_that_began_since(
    under: Under, alice: Correspondent
) -> None:
    under("3d/move")
    later = under("3d/move", "nonstop", now=MORNING + HOUR)
    clocks.settle(alice.player, MORNING + HOUR / 2)
    assert Seat.objects.get(match=later, side=0).running_since == MORNING + HOUR
    assert fresh(later).deadline == MORNING + HOUR + 3 * DAY


def test_a_move_taken_back_with_the_last_moment_leaves_a_minute_too(under: Under) -> None:
    match = move(under("1h+1h<=2h"), now=MORNING + HOUR)
    clocks.undo_turn(match.seated[0], MORNING + HOUR)
    match = fresh(match)
    assert clocks.remaining(match.seated[0], MORNING + HOUR) == clocks.LEAST

"""Time that counts for nobody is a row, and what a turn costs is what no row covers: however late it is written."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.matches import tasks
from pbem.matches.clock import absences, outages
from pbem.matches.clock import service as clocks
from pbem.matches.clock.absences import go_away
from pbem.matches.clock.deadlines import flag, give_back
from pbem.matches.clock.outages import beat, coming_back, credit_gap
from pbem.matches.clock.recalculation import recount_more
from pbem.matches.models import ClockTurn, Component, Event, ExemptInterval, Match, Reason, Seat
from pbem.matches.offers import roll_back
from pbem.matches.services import play, start
from pbem.matches.terms import read_terms
from pbem.refusals import Refused
from tests.examples import examples
from tests.mail_fixtures import MORNING, Correspondent
from tests.outages import lost

HOUR, DAY, MINUTE = timedelta(hours=1), timedelta(days=1), timedelta(minutes=1)
TUESDAY = MORNING + DAY
MOVES = ["b1-b3", "a2-c2", "b3-b1", "c2-a2"]


class Board:
    """A match that began on Monday morning, Alice to move; every question looks at the rows."""

    def __init__(self, alice: Correspondent, bruno: Correspondent, *words: str) -> None:
        terms, _ = read_terms(words)
        players = {"first": alice.player, "second": bruno.player}
        self.pk = start(**players, game="loa", terms=terms, now=MORNING, rng=Random(1)).pk

    @property
    def match(self) -> Match:
        return Match.objects.get(pk=self.pk)

    @property
    def deadline(self) -> datetime | None:
        """Once all is worked out."""
        while recount_more():
            pass
        return self.match.deadline

    def move(self, now: datetime, arrived: datetime | None = None) -> None:
        match = self.match
        assert match.moving
        play(match.moving, MOVES[match.ply % 4], now=now, arrived=arrived)

    def seat(self, side: int) -> Seat:
        return self.match.seated[side]

    def left(self, side: int) -> timedelta | None:
        return self.seat(side).bank_left


@pytest.fixture
def board(alice: Correspondent, bruno: Correspondent) -> Board:
    return Board(alice, bruno, "3d+12h<=5d")


class TestPartsThatDieTogether:
    def test_are_away_for_the_union_of_it(self, board: Board, alice: Correspondent) -> None:
        """A machine that is down for 60 h takes door and worker away; her mailbox was out of reach before."""
        down, up = MORNING + 12 * HOUR, MORNING + 72 * HOUR
        for component in Component:
            beat(component, now=down)
        for component in Component:
            beat(component, now=up)
        give_back(alice.player, MORNING + 6 * HOUR, up + HOUR)
        assert board.deadline == up + coming_back(60 * HOUR) + 2 * DAY + 18 * HOUR
        assert clocks.remaining(board.seat(0), up + HOUR) == 2 * DAY + 18 * HOUR

    @pytest.mark.parametrize("first", [True, False])
    def test_and_a_letter_in_transit_counts_once(self, board: Board, first: bool) -> None:
        away = MORNING + HOUR, MORNING + 5 * HOUR
        if first:
            outages.write(*away, component=Component.DOOR, now=away[1])
        clocks.exempt(board.seat(0), MORNING, MORNING + 3 * HOUR, Reason.TRANSIT)
        if not first:
            outages.write(*away, component=Component.DOOR, now=away[1])
        assert board.deadline == away[1] + coming_back(4 * HOUR) + 3 * DAY


class TestTurnsThatAreOver:
    def test_get_back_what_is_found_out_late(self, board: Board) -> None:
        board.move(MORNING + DAY)
        board.move(MORNING + 2 * DAY)
        assert (board.left(0), board.left(1)) == (2.5 * DAY, 2.5 * DAY)
        credit_gap(MORNING + HOUR, MORNING + 3 * HOUR, now=MORNING + 2 * DAY)
        back = 2 * HOUR + coming_back(2 * HOUR)
        assert (board.left(0), board.left(1)) == (2.5 * DAY + back, 2.5 * DAY)
        assert board.deadline == MORNING + 4.5 * DAY + back
        assert ClockTurn.objects.order_by("pk").first().lasted == DAY - back  # type: ignore[union-attr]

    def test_get_it_under_the_cap_and_hand_it_on_from_turn_to_turn(self, board: Board) -> None:
        for turn in range(1, 7):
            board.move(MORNING + turn * HOUR)
        assert board.left(0) == 4.5 * DAY - 3 * HOUR
        credit_gap(MORNING, MORNING + 40 * MINUTE, now=MORNING + 7 * HOUR)
        # 40 minutes and 75 to come back: all of Alice's first hour, 55 minutes of Bruno's
        assert board.left(0) == 4.5 * DAY - 2 * HOUR
        assert board.left(1) == 4.5 * DAY - 2 * HOUR - 5 * MINUTE

    def test_keep_what_was_given_since(self, board: Board) -> None:
        board.move(MORNING + DAY)
        clocks.give(board.seat(0), 7 * DAY, MORNING + DAY)
        board.move(MORNING + 2 * DAY)
        credit_gap(MORNING, MORNING + 2 * HOUR, now=MORNING + 2 * DAY)
        assert board.left(0) == 2.5 * DAY + 7 * DAY + 2 * HOUR + coming_back(2 * HOUR)

    def test_count_no_day_of_an_absence_that_was_announced_before(
        self, board: Board, alice: Correspondent
    ) -> None:
        """AWAY came on Tuesday and was opened on Thursday; her move of Wednesday had been opened before it."""
        board.move(MORNING + 2 * DAY)
        go_away(
            alice.player,
            (MORNING + DAY).date(),
            (MORNING + 4 * DAY).date(),
            now=MORNING + 3 * DAY,
            arrived=MORNING + DAY,
        )
        assert board.left(0) == 2.5 * DAY
        assert board.deadline == MORNING + 5 * DAY, "Bruno's clock is another one"

    def test_of_a_match_that_is_lost_wind_nothing_up(self, board: Board) -> None:
        assert flag(Match.objects.overdue(MORNING + 4 * DAY), board.pk, now=MORNING + 4 * DAY)
        credit_gap(MORNING, MORNING + DAY, now=MORNING + 5 * DAY)
        assert (board.match.status, board.match.reason, board.deadline) == ("over", "time", MORNING + 3 * DAY)

    def test_were_taken_back_and_still_follow_the_ledger(self, board: Board) -> None:
        board.move(MORNING + 1.5 * DAY)
        roll_back(board.match, 0, now=MORNING + 2 * DAY, side=None)
        assert board.left(0) == 2 * DAY
        credit_gap(MORNING, MORNING + 2 * HOUR, now=MORNING + 2 * DAY)
        assert board.left(0) == 2 * DAY + 2 * HOUR + coming_back(2 * HOUR)


class TestAMessageThatWasSetAside:
    def test_stops_the_clock_from_when_it_came(self, board: Board) -> None:
        clocks.stop(board.match, MORNING + 2 * DAY, "shunted")
        assert (board.deadline, board.match.stopped) == (None, ["shunted"])
        assert clocks.remaining(board.seat(0), MORNING + 9 * DAY) == DAY
        clocks.resume(board.match, MORNING + 9 * DAY, "shunted")
        assert (board.deadline, board.match.stopped) == (MORNING + 10 * DAY, [])

    def test_stops_it_where_the_deadline_passed_meanwhile(self, board: Board) -> None:
        """It came four hours early, and was set aside a day after the deadline; nobody has fallen yet."""
        clocks.stop(board.match, MORNING + 3 * DAY - 4 * HOUR, "shunted")
        late = MORNING + 4 * DAY
        assert not Match.objects.overdue(late).exists()
        clocks.resume(board.match, late, "shunted")
        assert board.deadline == late + 4 * HOUR

    def test_and_its_move_counts_from_its_arrival(self, board: Board) -> None:
        came = MORNING + 3 * DAY - 4 * HOUR
        clocks.stop(board.match, came, "shunted")
        clocks.resume(board.match, MORNING + 5 * DAY, "shunted")
        board.move(MORNING + 5 * DAY, arrived=came)
        assert board.left(0) == 4 * HOUR + 12 * HOUR

    def test_takes_a_flag_down_that_fell_meanwhile(self, alice: Correspondent, bruno: Correspondent) -> None:
        board = Board(alice, bruno, "3d/move", "timeout=claim")
        flag(Match.objects.overdue(MORNING + 4 * DAY), board.pk, now=MORNING + 4 * DAY)
        assert board.match.flagged_at == MORNING + 3 * DAY
        clocks.stop(board.match, MORNING + 3 * DAY - HOUR, "shunted")
        assert (board.match.flagged_at, board.deadline) == (None, None)
        clocks.resume(board.match, MORNING + 5 * DAY, "shunted")
        assert board.deadline == MORNING + 5 * DAY + HOUR

    def test_that_came_after_the_deadline_stops_nothing_that_is_over(
        self, alice: Correspondent, bruno: Correspondent
    ) -> None:
        board = Board(alice, bruno, "3d/move", "timeout=claim")
        flag(Match.objects.overdue(MORNING + 4 * DAY), board.pk, now=MORNING + 4 * DAY)
        clocks.stop(board.match, MORNING + 3 * DAY + HOUR, "shunted")
        clocks.resume(board.match, MORNING + 5 * DAY, "shunted")
        assert board.match.flagged_at == MORNING + 3 * DAY

    def test_of_two_the_earlier_counts(self, board: Board) -> None:
        clocks.stop(board.match, MORNING + 2 * DAY, "shunted")
        clocks.stop(board.match, MORNING + DAY, "shunted")
        assert ExemptInterval.objects.get().since == MORNING + DAY
        clocks.resume(board.match, MORNING + 9 * DAY, "shunted")
        assert board.deadline == MORNING + 11 * DAY

    def test_of_a_match_that_is_over_stops_nothing(self, board: Board) -> None:
        flag(Match.objects.overdue(MORNING + 4 * DAY), board.pk, now=MORNING + 4 * DAY)
        clocks.stop(board.match, MORNING, "shunted")
        assert (board.match.stopped, ExemptInterval.objects.count()) == ([], 0)


def test_what_a_row_says_of_a_deadline_is_looked_up_before_anybody_falls(board: Board) -> None:
    """The row was written, and who works the deadlines out has died."""
    ExemptInterval.objects.create(
        since=MORNING, until=MORNING + DAY, why=Reason.OUTAGE, component=Component.DOOR
    )
    late = MORNING + 3.5 * DAY
    assert not flag(Match.objects.overdue(late), board.pk, now=late)
    assert board.deadline == MORNING + 4 * DAY


def test_nor_is_a_letter_late_that_came_in_time_by_the_ledger(board: Board) -> None:
    ExemptInterval.objects.create(
        since=MORNING, until=MORNING + DAY, why=Reason.OUTAGE, component=Component.DOOR
    )
    board.move(MORNING + 3.5 * DAY)
    assert board.match.ply == 1


class TestAClockThatWasStopped:
    """Three days are over on Thursday morning."""

    OVER = MORNING + 3 * DAY

    @pytest.mark.parametrize("why", ["organiser", "agreed", "shunted"])
    def test_after_its_time_was_over_gives_nothing_back(self, board: Board, why: str) -> None:
        clocks.stop(board.match, self.OVER + HOUR, why)
        with pytest.raises(Refused, match="deadline_passed"):
            board.move(self.OVER + 2 * HOUR)
        clocks.resume(board.match, self.OVER + 3 * HOUR, why)
        assert board.deadline == self.OVER

    def test_lets_a_move_count_that_came_before(self, board: Board) -> None:
        clocks.stop(board.match, self.OVER + HOUR, "organiser")
        board.move(self.OVER + 2 * HOUR, arrived=self.OVER)
        assert board.match.ply == 1

    def test_with_a_moment_left_waits_for_whoever_is_to_move(self, board: Board) -> None:
        clocks.stop(board.match, self.OVER - MINUTE, "organiser")
        board.move(self.OVER + 9 * DAY)
        assert (board.match.ply, board.left(0)) == (1, 12 * HOUR + MINUTE)

    def test_lets_nobody_be_late_who_was_given_time(self, board: Board) -> None:
        clocks.stop(board.match, self.OVER + HOUR, "organiser")
        clocks.give(board.seat(0), DAY, self.OVER + 2 * HOUR)
        board.move(self.OVER + 3 * HOUR)
        assert board.match.ply == 1

    def test_nor_whoever_was_late_by_an_outage_alone(self, board: Board) -> None:
        clocks.stop(board.match, self.OVER + HOUR, "organiser")
        outages.write(MORNING, MORNING + 2 * HOUR, component=Component.DOOR, now=self.OVER + 2 * HOUR)
        board.move(self.OVER + 3 * HOUR)
        assert board.match.ply == 1


class TestADeadlineThatIsTooEarly:
    """The row of a day's outage was written, and nobody has worked out yet what it means for this match."""

    @pytest.fixture(autouse=True)
    def _early(self, board: Board) -> None:
        ExemptInterval.objects.create(
            since=MORNING, until=MORNING + DAY, why=Reason.OUTAGE, component=Component.DOOR
        )

    def test_reminds_nobody(self, board: Board) -> None:
        early = MORNING + 2 * DAY + MINUTE  # a day before it
        Match.objects.filter(pk=board.pk).update(reminded={"ply": 0, "rungs": ["half", "most"]})
        Match.objects.filter(pk=board.pk).update(remind_at=early)
        tasks.remind(board.pk, now=early)
        assert not Event.objects.filter(kind=Event.Kind.REMINDED).exists()
        assert board.match.remind_at > early
        tasks.remind(board.pk, now=early + DAY)
        assert Event.objects.filter(kind=Event.Kind.REMINDED).exists()

    def test_costs_nobody_a_day_of_absence(self, board: Board, alice: Correspondent) -> None:
        soon = MORNING + 3 * DAY - 10 * MINUTE
        assert not absences.take_automatic_absence(board.pk, now=soon)
        assert board.match.deadline == MORNING + 4 * DAY
        assert absences.take_automatic_absence(board.pk, now=soon + DAY)


class TestTheOpenDefect:
    """A clock whose deadline is past while an outage is still to be written down."""

    def test_new_hours_recharge_nothing(self, board: Board, alice: Correspondent) -> None:
        player = alice.player
        late = MORNING + 3 * DAY + HOUR
        with clocks.new_hours(player, late):
            player.free_weekdays = "23"
            player.save()
        credit_gap(MORNING + 2 * DAY, MORNING + 2 * DAY + 12 * HOUR, now=late)
        # 12 hours and six to come back; her Wednesday counts, as it did when it passed
        assert clocks.remaining(board.seat(0), late) == 18 * HOUR - HOUR


def test_a_takeback_fills_up_once(alice: Correspondent, bruno: Correspondent) -> None:
    """What was filled up is no gift: time credited later for the turn before it is not added once more."""
    board = Board(alice, bruno, "3d/move")
    board.move(MORNING + HOUR)
    roll_back(
        board.match, 0, now=MORNING + 15 * HOUR, side=0
    )  # Bruno has thought for 14 h, and has 3 d again
    assert board.left(1) == 3 * DAY
    outages.write(MORNING + HOUR, MORNING + 13 * HOUR, component=Component.DOOR, now=MORNING + 13 * HOUR)
    assert board.left(1) == 3 * DAY


class TestOutagesWithAShortPauseBetweenThem:
    """A letter that finds us away for the second time has waited since the first, and its next pause is as long."""

    def test_the_time_for_letters_of_the_first_goes_on_across_the_second(self, board: Board) -> None:
        """Away for three hours, there for ten minutes, away for twenty: what came in the first may need six hours."""
        outages.write(MORNING, MORNING + 3 * HOUR, component=Component.DOOR, now=MORNING + 3 * HOUR)
        again = MORNING + 3 * HOUR + 10 * MINUTE
        outages.write(again, again + 20 * MINUTE, component=Component.DOOR, now=again + 20 * MINUTE)
        assert board.deadline == again + 20 * MINUTE + coming_back(3 * HOUR) + 3 * DAY

    @pytest.mark.parametrize("first", [True, False])
    def test_whichever_of_them_is_known_first(self, board: Board, first: bool) -> None:
        both = [(0 * MINUTE, 25 * MINUTE), (30 * MINUTE, 50 * MINUTE)]
        for since, until in both if first else both[::-1]:
            outages.write(MORNING + since, MORNING + until, component=Component.DOOR, now=MORNING + HOUR)
        assert board.deadline == MORNING + 50 * MINUTE + coming_back(50 * MINUTE) + 3 * DAY
        assert coming_back(50 * MINUTE) > coming_back(25 * MINUTE)

    def test_but_not_where_all_letters_were_back_before_it(self, board: Board) -> None:
        short = coming_back(20 * MINUTE)
        again = MORNING + 20 * MINUTE + short + MINUTE
        for since in (MORNING, again):
            outages.write(since, since + 20 * MINUTE, component=Component.DOOR, now=MORNING + DAY)
        assert board.deadline == MORNING + 2 * (20 * MINUTE + short) + 3 * DAY

    def test_nor_longer_than_it_takes_when_one_of_them_never_was(self, board: Board) -> None:
        """The machine's clock was ahead, and the first of them reached into a time that is yet to come."""
        outages.write(MORNING, MORNING + 5 * HOUR, component=Component.WORKER, now=MORNING)
        outages.write(MORNING + HOUR, MORNING + 2 * HOUR, component=Component.DOOR, now=MORNING)
        outages.end(Component.WORKER, MORNING)
        assert board.deadline == MORNING + HOUR + coming_back(HOUR) + 3 * DAY, "the first hour counts"


@examples(300, derandomize=True)
@given(
    st.lists(
        st.tuples(st.integers(0, 1500), st.sampled_from((2, 20, 31, 45, 130, 400))), min_size=1, max_size=5
    )
)
def test_time_for_letters_is_what_it_is_minute_by_minute(drawn: list[tuple[int, int]]) -> None:
    away = sorted((since, since + length) for since, length in drawn)
    moments = outages.still_coming((MORNING + a * MINUTE, MORNING + b * MINUTE) for a, b in away)
    counted = {
        minute
        for since, until in zip(away, moments, strict=True)
        for minute in range(since[0], (until - MORNING) // MINUTE)
    }
    assert counted == lost(away)

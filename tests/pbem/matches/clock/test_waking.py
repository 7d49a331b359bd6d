"""After a start or a sleep nobody's time is over for some minutes, and busy is not away."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest

from pbem.inbox import services
from pbem.inbox.models import LONGEST_KEEPING
from pbem.inbox.time_forfeits import flag_overdue
from pbem.inbox.transports.heartbeat import HeartbeatThread
from pbem.matches import tasks
from pbem.matches.clock import outages
from pbem.matches.clock.outages import LONG_AGO, PERIOD, WAKING, beat, coming_back, credit_gap, held_since
from pbem.matches.models import Component, ExemptInterval, Heartbeat, Match, Outage, Reason
from tests.clocks import due
from tests.mail_fixtures import MORNING, Correspondent, Post

HOUR, MINUTE, SECOND = timedelta(hours=1), timedelta(minutes=1), timedelta(seconds=1)
MOMENT = timedelta.resolution


def lives(component: Component, since: datetime, until: datetime) -> None:
    while since <= until:
        beat(component, now=since)
        since += PERIOD


def is_waking(now: datetime) -> bool:
    return held_since(now) is not None


class TestIsWaking:
    def test_whoever_has_just_begun_for_five_minutes(self, db: None) -> None:
        assert not is_waking(MORNING)
        beat(Component.WORKER, now=MORNING, starts=True)
        assert not is_waking(MORNING - MOMENT)
        assert is_waking(MORNING)
        assert is_waking(MORNING + WAKING - MOMENT)
        assert not is_waking(MORNING + WAKING)

    def test_a_beat_in_the_minute_of_the_first_does_not_hide_that_it_was_a_start(self, db: None) -> None:
        """A worker of two processes: one begins, and the other one lives."""
        beat(Component.WORKER, now=MORNING, starts=True)
        beat(Component.WORKER, now=MORNING + PERIOD)
        assert Heartbeat.objects.get().starts
        assert is_waking(MORNING + WAKING)

    def test_nobody_who_takes_over_from_another_process(self, db: None) -> None:
        """A worker that begins anew after every hundred letters, or crashes every other minute."""
        beat(Component.WORKER, now=MORNING)
        for turn in range(1, 20):
            beat(Component.WORKER, now=MORNING + turn * PERIOD, starts=turn % 3 == 0)
            assert not is_waking(MORNING + turn * PERIOD)

    def test_holds_all_that_was_over_since_it_fell_asleep_and_a_little_before(self, db: None) -> None:
        beat(Component.WORKER, now=MORNING, starts=True)
        assert held_since(MORNING) == LONG_AGO
        lives(Component.WORKER, MORNING, MORNING + HOUR)
        beat(Component.WORKER, now=MORNING + 2 * HOUR)
        assert held_since(MORNING + 2 * HOUR) == MORNING + HOUR - WAKING

    @pytest.mark.parametrize("component", Component)
    def test_whichever_part_was_away_for_five_minutes(self, db: None, component: Component) -> None:
        beat(component, now=MORNING)
        back = MORNING + HOUR
        assert not is_waking(back)
        beat(component, now=back)
        assert is_waking(back)
        assert is_waking(back + WAKING - MOMENT)
        assert not is_waking(back + WAKING)

    def test_nobody_who_lives(self, db: None) -> None:
        lives(Component.WORKER, MORNING, MORNING + 6 * MINUTE)
        assert not is_waking(MORNING + 6 * MINUTE)

    def test_nobody_for_an_outage_that_is_yet_to_come(self, db: None) -> None:
        """The machine's clock was ahead."""
        Outage.objects.create(
            since=MORNING,
            until=MORNING + HOUR,
            why=Reason.OUTAGE,
            component=Component.DOOR,
            created_at=MORNING,
        )
        assert not is_waking(MORNING + MINUTE)


class TestStarts:
    def test_with_the_first_beat_of_a_heart_alone(self, db: None) -> None:
        heart = HeartbeatThread(Component.WORKER, starts=True)
        heart.beat(MORNING)
        for turn in range(1, 31):
            heart.beat(MORNING + turn * PERIOD)
        assert [row.minute for row in Heartbeat.objects.filter(starts=True)] == [MORNING]
        assert not is_waking(MORNING + 10 * MINUTE)

    def test_never_of_a_heart_that_is_another_process_of_a_service_long_up(self, db: None) -> None:
        HeartbeatThread(Component.DOOR).beat(MORNING)
        assert not Heartbeat.objects.filter(starts=True).exists()

    def test_again_where_it_could_not_be_written_down(
        self, db: None, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        heart = HeartbeatThread(Component.WORKER, starts=True)
        with monkeypatch.context() as broken:
            broken.setattr("pbem.inbox.transports.heartbeat.outages.beat", lambda *args, **fields: 1 / 0)
            with pytest.raises(ZeroDivisionError):
                heart.beat(MORNING)
        heart.beat(MORNING + PERIOD)
        assert is_waking(MORNING + PERIOD)


@pytest.fixture
def match(post: Post, loa: Match) -> Match:
    """Alice has her letter, and an hour."""
    post.send()
    Heartbeat.objects.all().delete()
    return due(loa, post.now + HOUR)


def over(match: Match) -> bool:
    match.refresh_from_db()
    return match.status == Match.Status.OVER


class TestNoFlagFalls:
    def test_in_the_minutes_after_a_start_and_does_so_afterwards(self, post: Post, match: Match) -> None:
        """A service whose beats nobody knows of."""
        began = post.now + 2 * HOUR
        beat(Component.WORKER, now=began, starts=True)
        lives(Component.WORKER, began + PERIOD, began + WAKING - SECOND)
        assert flag_overdue(now=began + WAKING - MOMENT) == 0
        assert not over(match)
        later = began + WAKING + MINUTE  # the beat of a start is the last of its minute
        lives(Component.WORKER, began + WAKING, later)
        assert flag_overdue(now=later) == 1
        assert over(match)

    @pytest.mark.parametrize("component", [Component.WORKER, Component.DOOR])
    def test_in_the_minutes_after_a_sleep_and_does_so_afterwards(
        self, post: Post, match: Match, component: Component
    ) -> None:
        """A clock that ran out before the service fell asleep, which gives it nothing."""
        asleep = post.now + HOUR + SECOND
        for each in (Component.WORKER, Component.DOOR):
            lives(each, asleep - MINUTE, asleep)
        awake = asleep + 3 * MINUTE
        others = {Component.WORKER, Component.DOOR} - {component}
        for each in others:
            lives(each, asleep, awake + WAKING + MINUTE)
        lives(component, awake, awake + WAKING + MINUTE)
        assert flag_overdue(now=awake + LONGEST_KEEPING + SECOND) == 0
        assert flag_overdue(now=awake + WAKING - MOMENT) == 0
        assert not over(match)
        assert flag_overdue(now=awake + WAKING + MINUTE) == 1
        assert over(match)


class TestAServiceThatNeverSettles:
    """Its time was over at ten, and nobody has written."""

    @pytest.mark.prove
    def test_because_its_worker_begins_anew_every_two_minutes(self, post: Post, match: Match) -> None:
        lives(Component.DOOR, post.now, post.now + HOUR + 20 * MINUTE)
        begun, flagged = post.now, 0
        while begun <= post.now + HOUR + 18 * MINUTE:
            beat(Component.WORKER, now=begun, starts=True)
            lives(Component.WORKER, begun + PERIOD, begun + 2 * MINUTE - PERIOD)
            begun += 2 * MINUTE
            flagged += flag_overdue(now=begun - PERIOD)
        assert (flagged, over(match)) == (1, True)

    @pytest.mark.prove
    def test_because_it_falls_asleep_again_and_again(self, post: Post, match: Match) -> None:
        """For a minute and a half of every four. Time that was over before the first of these does not wait for all."""
        sleeps, flagged = post.now + HOUR + SECOND, []
        for component in (Component.WORKER, Component.DOOR):
            lives(component, post.now, sleeps)
        while sleeps <= post.now + HOUR + 20 * MINUTE:
            awake = sleeps + 1.5 * MINUTE
            sleeps += 4 * MINUTE
            for component in (Component.WORKER, Component.DOOR):
                lives(component, awake, sleeps)
            flagged += [sleeps] if flag_overdue(now=sleeps) else []
        assert flagged == [post.now + HOUR + SECOND + 12 * MINUTE]
        assert over(match)


class TestAWorkerThatIsBusy:
    """Ten minutes in which letters wait, and the beat that the scheduler enqueues waits behind them."""

    @pytest.fixture
    def quarter(self, post: Post, match: Match) -> datetime:
        beat(Component.WORKER, now=post.now)
        return post.now + 15 * MINUTE

    def works_until(self, post: Post, end: datetime, *, beats: Callable[[datetime], None]) -> None:
        """Each letter takes 50 seconds."""
        done = post.now
        moment = post.now
        while moment < end:
            moment += PERIOD
            beats(moment)
            if moment - done >= timedelta(seconds=50):
                services.open_next(0, now=moment)
                done = moment

    def test_is_not_away(self, post: Post, match: Match, quarter: datetime) -> None:
        self.works_until(post, quarter, beats=HeartbeatThread(Component.WORKER).beat)
        beat(Component.WORKER, now=quarter)  # what was enqueued at the beginning
        assert not Outage.objects.exists()
        match.refresh_from_db()
        assert match.deadline == post.now + HOUR

    def test_nor_if_its_heart_had_stopped_as_long_as_letters_are_opened(
        self, post: Post, match: Match, quarter: datetime, alice: Correspondent
    ) -> None:
        """Work is a sign of life."""
        for _ in range(25):
            post.keep(alice.pens("HELP"), "play@pbem.localhost", alice.email)
        self.works_until(post, quarter, beats=lambda now: None)
        beat(Component.WORKER, now=quarter)
        assert not Outage.objects.exists()

    def test_whose_heart_has_died_with_it_was(self, post: Post, match: Match, quarter: datetime) -> None:
        beat(Component.WORKER, now=quarter)
        assert Outage.objects.get().since == post.now


def test_the_scheduler_proves_that_tasks_are_done(db: None) -> None:
    tasks.beat()
    assert Heartbeat.objects.get().component == Component.WORKER


class TestASleepOfThreeMinutes:
    """A laptop is shut. Alice's move is handed over 30 seconds into it, her time is over after 40."""

    @pytest.fixture
    def asleep(self, post: Post, match: Match) -> datetime:
        asleep = post.now + HOUR - 40 * SECOND
        for component in (Component.WORKER, Component.DOOR):
            lives(component, asleep - 2 * MINUTE, asleep)
        return asleep

    @pytest.mark.prove
    @pytest.mark.parametrize("first", ["door", "worker", "flag"])
    def test_is_one_outage_and_nobody_was_late(
        self, post: Post, match: Match, alice: Correspondent, asleep: datetime, first: str
    ) -> None:
        """Whichever of them wakes up first; the letter stood before the door, which takes it now."""
        awake = asleep + 3 * MINUTE

        def door() -> None:
            post.now = awake + SECOND
            HeartbeatThread(Component.DOOR).beat(post.now)
            post.keep(alice.pens("b1-b3"), alice.letter.reply_to, alice.email)

        def worker() -> None:
            HeartbeatThread(Component.WORKER).beat(awake + SECOND)

        def flag() -> None:
            assert flag_overdue(now=awake + SECOND) == 0

        wakes = {"door": door, "worker": worker, "flag": flag}
        wakes.pop(first)()
        for each in wakes.values():
            each()
        for later in range(2, 25):
            assert flag_overdue(now=awake + later * SECOND) == 0
        post.now = awake + 25 * SECOND
        for pk in services.waiting(now=post.now):
            services.open_mail(pk, now=post.now)
        match.refresh_from_db()
        assert (match.ply, match.status) == (1, "playing")
        assert {(row.since, row.until) for row in Outage.objects.all()} == {(asleep, awake + SECOND)}
        seat = match.seated[0]
        assert seat.clock_turns.get().lasted == HOUR - 40 * SECOND, "up to when it fell asleep"

    def test_gives_whoever_still_thinks_its_length_and_what_comes_back(
        self, post: Post, match: Match, asleep: datetime
    ) -> None:
        for component in (Component.DOOR, Component.WORKER):
            beat(component, now=asleep + 3 * MINUTE)
        match.refresh_from_db()
        assert match.deadline == post.now + HOUR + 3 * MINUTE + coming_back(3 * MINUTE)


class TestAGapAfterARestore:
    def test_is_written_once_however_often_it_is_told(self, post: Post, match: Match) -> None:
        since, until = post.now, post.now + 20 * MINUTE
        assert credit_gap(since, until, now=until) == 1
        for later in (until, until + HOUR):
            assert credit_gap(since, until, now=later) == 0
        match.refresh_from_db()
        assert match.deadline == post.now + HOUR + 20 * MINUTE + coming_back(20 * MINUTE)
        assert ExemptInterval.objects.count() == 2

    def test_and_a_longer_one_over_it_gives_what_is_more(self, post: Post, match: Match) -> None:
        since = post.now
        credit_gap(since, since + 20 * MINUTE, now=since + HOUR)
        credit_gap(since, since + 25 * MINUTE, now=since + HOUR)
        match.refresh_from_db()
        assert match.deadline == since + HOUR + 25 * MINUTE + coming_back(25 * MINUTE)

    def test_of_no_time_is_none(self, post: Post, match: Match) -> None:
        assert credit_gap(post.now, post.now, now=post.now) == 0
        assert credit_gap(post.now, post.now - HOUR, now=post.now) == 0
        assert not ExemptInterval.objects.exists()

    def test_nor_is_an_outage_told_twice(self, post: Post, match: Match) -> None:
        for _ in range(2):
            outages.write(post.now, post.now + 20 * MINUTE, component=Component.DOOR, now=post.now + HOUR)
        match.refresh_from_db()
        assert match.deadline == post.now + HOUR + 20 * MINUTE + coming_back(20 * MINUTE)

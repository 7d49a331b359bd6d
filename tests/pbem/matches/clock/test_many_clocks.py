"""An outage is written down for every clock at once, in a time that nobody notices."""

from __future__ import annotations

from datetime import datetime, timedelta
from random import Random

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from pbem.matches import tasks
from pbem.matches.clock import outages
from pbem.matches.clock.outages import coming_back, credit_gap
from pbem.matches.clock.recalculation import AT_ONCE, Changes, recount_more
from pbem.matches.models import ClockTurn, Component, ExemptInterval, Match, Seat
from pbem.matches.services import play, start
from pbem.matches.terms import Terms
from tests.mail_fixtures import MORNING, Correspondent

HOUR, MONTH = timedelta(hours=1), timedelta(days=30)
NOON = MORNING + 3 * HOUR
MANY = 1200
GIVEN = HOUR + coming_back(HOUR)


def many(alice: Correspondent, bruno: Correspondent, number: int) -> list[Match]:
    """Matches that began in the morning at thirty days a move, Alice to move."""
    players = {"first": alice.player, "second": bruno.player}
    model = start(**players, game="loa", terms=Terms(clock="30d/move"), now=MORNING, rng=Random(1))
    copies = Match.objects.bulk_create(
        Match(
            game_name=model.game_name,
            rules_version=1,
            position=model.position,
            status=Match.Status.PLAYING,
            to_move=0,
            terms=model.terms,
            deadline=model.deadline,
            started_at=MORNING,
        )
        for _ in range(number - 1)
    )
    Seat.objects.bulk_create(
        Seat(
            match=match,
            side=side,
            player=player,
            bank_left=MONTH,
            running_since=None if side else MORNING,
        )
        for match in copies
        for side, player in enumerate(players.values())
    )
    return [model, *copies]


def deadlines() -> dict[int, datetime | None]:
    return dict(Match.objects.values_list("pk", "deadline"))


@pytest.mark.prove
def test_a_gap_costs_no_query_for_each_match(alice: Correspondent, bruno: Correspondent) -> None:
    many(alice, bruno, MANY)
    with CaptureQueriesContext(connection) as queries:
        assert credit_gap(MORNING, MORNING + HOUR, now=MORNING + HOUR) == MANY
    assert len(queries) < 60
    assert set(deadlines().values()) == {MORNING + MONTH + GIVEN}


class TestAnOutage:
    """Of an hour, found at noon: twelve hundred matches have a month, and a few are short of time."""

    @pytest.fixture
    def matches(self, alice: Correspondent, bruno: Correspondent) -> list[Match]:
        return many(alice, bruno, MANY)

    def is_found(self) -> None:
        outages.write(NOON - HOUR, NOON, component=Component.DOOR, now=NOON)

    def changed(self, before: dict[int, datetime | None]) -> set[int]:
        return {pk for pk, deadline in deadlines().items() if deadline != before[pk]}

    def hurry(self, match: Match, left: timedelta) -> int:
        """So much from the morning on."""
        Seat.objects.filter(match=match, side=0).update(bank_left=left)
        Match.objects.filter(pk=match.pk).update(deadline=MORNING + left)
        return match.pk

    @pytest.mark.prove
    def test_changes_the_deadlines_that_are_near_at_once(self, matches: list[Match]) -> None:
        short = {self.hurry(match, (number + 3) * HOUR) for number, match in enumerate(matches[700:720])}
        before = deadlines()
        with CaptureQueriesContext(connection) as queries:
            self.is_found()
        assert self.changed(before) == short
        asked = [query["sql"] for query in queries if "matches_seat" in query["sql"].split("WHERE")[0]]
        assert asked
        assert len(queries) < 30

    @pytest.mark.prove
    def test_and_all_others_afterwards_some_hundreds_in_a_transaction(self, matches: list[Match]) -> None:
        before = deadlines()
        self.is_found()
        done = 0
        while recount_more():
            changed = len(self.changed(before))
            assert changed - done <= AT_ONCE
            done = changed
        assert done == MANY
        assert set(deadlines().values()) == {MORNING + MONTH + GIVEN}
        assert not ExemptInterval.objects.filter(recounted_to__isnull=False).exists()

    @pytest.mark.prove
    def test_killed_between_two_of_these_it_goes_on_with_a_later_sweep(
        self, matches: list[Match], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before = deadlines()
        self.is_found()
        assert recount_more()
        some = self.changed(before)
        assert len(some) == AT_ONCE
        with monkeypatch.context() as broken:
            broken.setattr(Changes, "save", lambda changes: 1 / 0)
            tasks.sweep_clocks(now=NOON)
        assert self.changed(before) == some
        touched: list[int] = []
        save = Changes.save

        def noted(changes: Changes) -> None:
            touched.extend(match.pk for some in changes.matches.values() for match in some)
            save(changes)

        monkeypatch.setattr(Changes, "save", noted)
        tasks.sweep_clocks(now=NOON)
        assert set(deadlines().values()) == {MORNING + MONTH + GIVEN}
        assert not some.intersection(touched)

    @pytest.mark.prove
    def test_found_while_another_one_is_being_counted_leaves_nobody_out(self, matches: list[Match]) -> None:
        self.is_found()
        recount_more()
        outages.write(NOON - 2 * HOUR, NOON, component=Component.WORKER, now=NOON)
        while recount_more():
            pass
        assert set(deadlines().values()) == {MORNING + MONTH + GIVEN + HOUR}

    @pytest.mark.prove
    def test_takes_flags_down_and_fills_banks_at_once(self, matches: list[Match]) -> None:
        """What has been written down of turns that are over, and what everybody sees, does not wait."""
        flagged, moved = matches[300], matches[900]
        self.hurry(flagged, 2.5 * HOUR)
        Match.objects.filter(pk=flagged.pk).update(flagged_at=MORNING + 2.5 * HOUR, deadline=None)
        play(Match.objects.get(pk=moved.pk).seated[0], "b1-b3", now=NOON - HOUR / 2)
        before = deadlines()
        self.is_found()
        assert self.changed(before) == {flagged.pk, moved.pk}
        flagged.refresh_from_db()
        assert (flagged.flagged_at, flagged.deadline) == (None, MORNING + 2.5 * HOUR + GIVEN)
        turn = ClockTurn.objects.get(seat__match=moved)
        assert turn.lasted == NOON - HOUR - MORNING


def test_what_a_clock_costs_a_move(alice: Correspondent, bruno: Correspondent) -> None:
    players = {"first": alice.player, "second": bruno.player}
    asked = {}
    for clock in ("", "3d/move"):
        match = start(**players, game="loa", terms=Terms(clock=clock), now=MORNING, rng=Random(1))
        match = Match.objects.get(pk=match.pk)
        seat = match.seated[0]
        with CaptureQueriesContext(connection) as queries:
            play(seat, "b1-b3", now=MORNING + HOUR)
        asked[clock] = [query["sql"] for query in queries]
    assert not [sql for sql in asked[""] if "stoppage" in sql or "clockturn" in sql]
    assert len(asked["3d/move"]) - len(asked[""]) <= 8

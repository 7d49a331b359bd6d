"""Clocks that run while the ledger comes: nobody gains or loses a moment."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
import time_machine
from django.db import connection
from django.db.migrations.executor import MigrationExecutor

from pbem.matches.models import Match, Outage, Stoppage
from pbem.matches.time import clocks

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
NOON = datetime(2026, 5, 8, 12, 0, tzinfo=UTC)  # a Friday
BEFORE = [("matches", "0016_guests")]


@pytest.fixture
def before(transactional_db: None) -> Iterator[Any]:
    """The tables as they were, and as they are again."""
    executor = MigrationExecutor(connection)
    newest = executor.loader.graph.leaf_nodes()
    executor.migrate(BEFORE)
    yield MigrationExecutor(connection).loader.project_state(BEFORE).apps
    MigrationExecutor(connection).migrate(newest)


def seated(apps: Any, *, since: datetime | None, left: timedelta, used: timedelta, **columns: Any) -> int:
    """A match that began on Monday, whose first player is to move."""
    player = apps.get_model("players", "Player").objects
    first, second = player.get(name="Alice"), player.get(name="Bruno")
    match = apps.get_model("matches", "Match").objects.create(
        game_name="Lines of Action", rules_version=1, position="", status="playing", to_move=0,
        started_at=NOON - 4 * DAY, terms={"clock": "3d/move", **columns.pop("terms", {})}, **columns,
    )  # fmt: skip
    seats = apps.get_model("matches", "Seat").objects
    seats.create(match=match, side=0, player=first, bank_left=left, bank_used=used, running_since=since)
    seats.create(match=match, side=1, player=second, bank_left=3 * DAY)
    return int(match.pk)


@pytest.mark.django_db(transaction=True)
def test_running_clocks_go_on_as_they_stood(before: Any) -> None:
    people = before.get_model("players", "Player").objects
    people.create(name="Alice", folded="alice", zone="Europe/Rome", free_weekdays="2")  # Wednesdays
    people.create(name="Bruno", folded="bruno", zone="UTC")
    began, died, back = NOON - 4 * DAY, NOON - 2 * DAY - 6 * HOUR, NOON - 2 * DAY + 18 * HOUR
    before.get_model("matches", "Outage").objects.create(
        part="door", since=died, until=back, credited=30 * HOUR
    )
    due = NOON + DAY + 6 * HOUR
    # 24 h of which half lay in her free Wednesday, and six to come back: all of it is in her bank
    running = seated(before, since=began, left=3 * DAY + 30 * HOUR, used=-30 * HOUR, deadline=due)
    plain = seated(
        before,
        since=began,
        left=3 * DAY + 30 * HOUR,
        used=-30 * HOUR,
        deadline=due - DAY,
        terms={"nonstop": True},
    )
    late = seated(before, since=NOON - DAY, left=DAY, used=DAY, deadline=NOON)
    stopped = seated(before, since=None, left=5 * HOUR, used=DAY, stopped=["agreed", "organiser"])
    claimed = seated(
        before, since=began, left=DAY, used=DAY, flagged_at=began + DAY, terms={"policy": "claim"}
    )

    with time_machine.travel(NOON, tick=False):
        executor = MigrationExecutor(connection)
        executor.migrate(executor.loader.graph.leaf_nodes())  # of today: the models below are those of today

    def left(pk: int) -> timedelta | None:
        return clocks.remaining(Match.objects.get(pk=pk).seated[0], NOON)

    assert (Outage.objects.get().since, Outage.objects.get().until) == (died, back)
    # 4 days since, less a Wednesday; the same without one
    assert left(running) == 3 * DAY + 30 * HOUR - 3 * DAY
    assert left(plain) == 3 * DAY + 30 * HOUR - 4 * DAY
    for pk in (running, plain, late, stopped, claimed):
        match = Match.objects.get(pk=pk)
        deadline, flagged = match.deadline, match.flagged_at
        clocks.refresh(match)
        assert (match.flagged_at, match.deadline) == (flagged, deadline)
    assert left(late) == timedelta()
    assert left(stopped) == 5 * HOUR
    assert set(Stoppage.objects.filter(match=stopped).values_list("why", "until")) == {
        ("agreed", None),
        ("organiser", None),
    }
    match = Match.objects.get(pk=stopped)
    for why in ("agreed", "organiser"):
        clocks.go_on(match, NOON + DAY, why)
    assert match.deadline == NOON + DAY + 5 * HOUR

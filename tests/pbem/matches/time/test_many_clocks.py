"""An outage is written down for every clock at once, in a time that nobody notices."""

from __future__ import annotations

from datetime import timedelta
from random import Random

from django.db import connection
from django.test.utils import CaptureQueriesContext

from pbem.matches.models import Match, Seat
from pbem.matches.services import play, start
from pbem.matches.terms import Terms
from pbem.matches.time.outages import credit_gap
from tests.post import MORNING, Correspondent

HOUR = timedelta(hours=1)
MANY = 1000


def test_an_outage_costs_no_query_for_each_match(alice: Correspondent, bruno: Correspondent) -> None:
    players = {"first": alice.player, "second": bruno.player}
    model = start(**players, game="loa", terms=Terms(clock="3d/move"), now=MORNING, rng=Random(1))
    made = Match.objects.bulk_create(
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
        for _ in range(MANY)
    )
    Seat.objects.bulk_create(
        Seat(
            match=match,
            side=side,
            player=player,
            bank_left=72 * HOUR,
            running_since=None if side else MORNING,
        )
        for match in made
        for side, player in enumerate(players.values())
    )
    with CaptureQueriesContext(connection) as queries:
        assert credit_gap(MORNING, MORNING + HOUR, now=MORNING + HOUR) == MANY + 1
    assert len(queries) < 60
    due = MORNING + 73 * HOUR + timedelta(minutes=75)
    assert Match.objects.filter(deadline=due).count() == MANY + 1


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

"""Somebody asks for an analysis at the moment when it is found, on a real PostgreSQL: they are told all the same."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import timedelta
from random import Random
from typing import Any

import pytest
from django.db import transaction
from pytest_django import DjangoDbBlocker

from pbem.analysis.models import AnalysisRequest
from pbem.analysis.service import ask_for_analysis
from pbem.matches.models import Match
from pbem.matches.services import play, resign, start
from pbem.outbox.models import OutboundMail
from pbem.players.services import register
from pbem.robots import studies
from pbem.robots.engine import Answer
from tests.journeys.conftest import models_of
from tests.journeys.two_connections import elsewhere, somebody_waits
from tests.mail_fixtures import MORNING
from tests.processes import wait_until
from tests.servers import Postgres

pytestmark = pytest.mark.prove

SOON = MORNING + timedelta(minutes=1)


@pytest.fixture
def over(cluster: Postgres, empty_tables: str, django_db_blocker: DjangoDbBlocker) -> Iterator[Match]:
    """A match of six half-moves."""
    with models_of(cluster.database(empty_tables), django_db_blocker):
        first, second = (
            register(name=name, email=f"{name.lower()}@example.org", language="en", now=MORNING)
            for name in ("Alice", "Bruno")
        )
        match = start(first=first, second=second, game="loa:6x6", now=MORNING, rng=Random(0))
        for _ in range(6):
            match = Match.objects.get(pk=match.pk)
            assert match.moving
            play(match.moving, str(next(match.current().moves())), now=MORNING)
        match = Match.objects.get(pk=match.pk)
        resign(match.seated[0], now=MORNING)
        yield match


def finds(module: str, question: Mapping[str, Any], limits: object) -> Answer:
    chances = [0.5] * (len(question["moves"]) + 1)
    found = {"chances": chances, "marks": {}, "falls": {}, "moments": [], "decided": None, "nodes": 1}
    return Answer(found, 0.1)


def test_who_asks_while_it_is_being_found_is_told(over: Match) -> None:
    alice, bruno = (seat.player for seat in over.seated)
    with transaction.atomic():
        asked, _ = ask_for_analysis(over, alice, now=MORNING)
    with transaction.atomic():
        ask_for_analysis(Match.objects.locked().get(pk=over.pk), bruno, now=SOON)
        worker = elsewhere(lambda: studies.study(asked.study_id, now=SOON, ask=finds))
        wait_until(lambda: somebody_waits() or worker.done(), "the worker waits, or has done it")
    assert worker.result(60)
    for wish in AnalysisRequest.objects.all():
        told = OutboundMail.objects.filter(cause=f"wish:{wish.pk}").count()
        assert (told, wish.told_at is not None) == (1, True), wish

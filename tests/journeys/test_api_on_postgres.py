"""Two processes send the same moves over the API at once, on a real PostgreSQL: each is played once, told to both."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import defaultdict
from random import Random
from typing import Any

import pytest
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from pbem.matches.models import Event, Match, Turn
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.players import api_tokens
from pbem.players.api_tokens import Scope
from pbem.players.services import register
from tests.journeys.conftest import models_of
from tests.processes import ROOT, TIMEOUT
from tests.servers import Postgres

pytestmark = pytest.mark.prove


def test_every_move_sent_twice_is_played_once(
    cluster: Postgres, empty_tables: str, django_db_blocker: DjangoDbBlocker
) -> None:
    url, now = cluster.database(empty_tables), timezone.now()
    with models_of(url, django_db_blocker):
        players = [
            register(name=name, email=f"{name}@example.org", language="en", now=now)
            for name in ("Alice", "Bruno")
        ]
        tokens = [api_tokens.create(player, [Scope.PLAY], now=now)[1] for player in players]
        first, second = players
        numbers = [
            start(first=first, second=second, game="loa", terms=Terms(), now=now, rng=Random(0)).pk
            for _ in range(4)
        ]
        env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "pbem.settings",
            "DEVELOPMENT": "1",
            "DATABASE_URL": url,
        }
        command = [sys.executable, "-m", "tests.journeys.putting", *tokens, *map(str, numbers)]
        pipe: dict[str, Any] = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True}
        both = [subprocess.Popen(command, env=env, cwd=ROOT, **pipe) for _ in range(2)]
        for each in both:
            assert each.stdout.readline() == "ready\n"
        for each in both:
            each.stdin.write("\n")
            each.stdin.flush()
        said = defaultdict(list)
        for each in both:
            out, _ = each.communicate(timeout=4 * TIMEOUT)
            assert each.returncode == 0
            for line in out.splitlines():
                number, ply, status = map(int, line.split())
                said[number, ply].append(status)
        assert len(said) >= 150
        assert {tuple(sorted(statuses)) for statuses in said.values()} == {(200, 201)}
        assert Event.objects.filter(kind=Event.Kind.MOVED).count() == len(said)
        assert Turn.objects.count() == len(said) == sum(match.ply for match in Match.objects.all())

"""Robots in the real service: their worker is one of its own, and may be killed at any time."""

from __future__ import annotations

import signal
import time
from contextlib import suppress
from random import Random

import psutil
import pytest
from django.db import transaction
from django.utils import timezone

from pbem.demo.play import Correspondent
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match, Turn
from pbem.matches.services import start
from pbem.players.models import Player
from pbem.players.services import register
from pbem.robots.models import EngineJob
from tests.journeys.conftest import House
from tests.processes import wait_until

pytestmark = pytest.mark.prove

KILLED = -signal.SIGKILL
KILLS = 24


@pytest.fixture
def alice(house: House) -> Correspondent:
    house.env["TRUST_LOCAL_SENDERS"] = "1"
    who = house.player("Alice")
    with house.rows():
        register(name="Alice", email=who.address, language="en", now=timezone.now())
    return who


def kind(letter: object) -> str:
    return str(letter.message["X-PBeM-Letter"])  # type: ignore[attr-defined]


def test_it_answers_in_the_service_of_one_process(house: House, alice: Correspondent) -> None:
    house.serve()
    alice.write("play@pbem.localhost", "CHALLENGE Robot-2 loa first")
    begun = alice.read()
    alice.answer(begun, "b8-b6")
    assert kind(alice.read()) == "turn", "its answer, in place of the receipt"
    with house.rows():
        assert (Match.objects.get().ply, EngineJob.objects.get().status) == (2, "done")


def test_who_writes_never_waits_for_a_think(house: House, alice: Correspondent) -> None:
    house.serve()
    alice.write("play@pbem.localhost", "CHALLENGE Robot-3 zertz:+24 second")
    with house.rows():
        wait_until(lambda: EngineJob.objects.filter(leased_until__isnull=False).exists(), "the robot thinks")
        alice.write("play@pbem.localhost", "GAMES")
        assert kind(alice.read()) == "games"
        assert EngineJob.objects.get().status == "waiting", "it thinks still"


@pytest.mark.parametrize("moment", ["thinking", "thought", "played"])
def test_killed_while_it_thinks_it_moves_once(house: House, alice: Correspondent, moment: str) -> None:
    service = house.serve(DIE_AT=moment)
    alice.write("play@pbem.localhost", "CHALLENGE Robot-1 insert second")
    assert service.status() == KILLED
    house.serve()
    with house.rows():
        wait_until(lambda: Turn.objects.exists(), "the robot has moved")
        wait_until(lambda: not InboundMail.objects.unopened().exists(), "all letters opened")
        assert Match.objects.get().ply == Turn.objects.count() == 1
        assert [row.status for row in EngineJob.objects.all()] == ["done"]
        assert EngineJob.objects.get().tries == 2


def test_whatever_is_killed_no_turn_is_lost_and_none_played_twice(house: House, alice: Correspondent) -> None:
    """Robots against each other, while thinks and the whole service are killed at any moment."""
    rng, service = Random(3), house.serve()
    with house.rows():
        one, two, _ = Player.objects.robots()
        for game in ("insert", "insert:x+", "loa:6x6"):
            with transaction.atomic():
                start(first=one, second=two, game=game, now=timezone.now(), rng=rng)
        killed = 0
        while killed < KILLS and Match.objects.filter(status="playing").exists():
            time.sleep(rng.uniform(0.1, 0.6))
            if rng.random() < 0.2:
                service.end(signal.SIGKILL)
                service = house.serve()
                killed += 1
            for child in service.children[:1]:
                with suppress(psutil.NoSuchProcess):
                    child.kill()
                    killed += 1
        wait_until(lambda: not Match.objects.filter(status="playing").exists(), "all matches are over")
        assert killed >= KILLS // 2, "they were over too soon to be killed"
        for match in Match.objects.all():
            plies = list(match.live_turns().order_by("ply").values_list("ply", flat=True))
            assert plies == list(range(match.ply)), match
            assert str(match.record().replay()[-1]) == match.position, match
        done = EngineJob.objects.filter(status="done")
        assert EngineJob.objects.waiting().count() == 0
        assert done.count() == Turn.objects.count()
        assert done.order_by().values("match", "ply").distinct().count() == done.count()

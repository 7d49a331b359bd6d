"""Robots in the real service: their worker is one of its own, and may be killed at any time."""

from __future__ import annotations

import signal

import pytest
from django.utils import timezone

from pbem.demo.correspondent import Correspondent
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match, Turn
from pbem.players.services import register
from pbem.robots.models import Think
from tests.journeys.conftest import House
from tests.processes import wait_until

pytestmark = pytest.mark.prove

KILLED = -signal.SIGKILL


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
    assert [kind(alice.read()) for _ in range(2)] == ["played", "turn"]
    with house.rows():
        assert (Match.objects.get().ply, Think.objects.get().status) == (2, "done")


def test_who_writes_never_waits_for_a_think(house: House, alice: Correspondent) -> None:
    house.serve()
    alice.write("play@pbem.localhost", "CHALLENGE Robot-3 zertz:+24 second")
    alice.read()
    with house.rows():
        wait_until(lambda: Think.objects.filter(leased_until__isnull=False).exists(), "the robot thinks")
        alice.write("play@pbem.localhost", "GAMES")
        assert kind(alice.read()) == "games"
        assert Think.objects.get().status == "waiting", "it thinks still"


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
        assert [row.status for row in Think.objects.all()] == ["done"]
        assert Think.objects.get().tries == 2

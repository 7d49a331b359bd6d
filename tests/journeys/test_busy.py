"""Real processes that have too much to do, or are put to sleep: who is busy lives, who sleeps was away."""

from __future__ import annotations

import signal
import time
from datetime import timedelta
from random import Random
from threading import Thread

import pytest
from celery import Celery
from django.utils import timezone

from pbem.matches.models import Component, Heartbeat, Match, Outage
from pbem.matches.services import start
from pbem.matches.terms import Terms
from pbem.players.services import register
from tests.clocks import due
from tests.journeys.conftest import House
from tests.processes import wait_until

pytestmark = pytest.mark.prove

BUSY = {"DJANGO_SETTINGS_MODULE": "tests.journeys.busy"}
FOR_LONG = {**BUSY, "BUSY_SECONDS": "120"}
ENOUGH = 4  # beats


def busy(house: House) -> int:
    return len(list(house.folder.glob("*.busy")))


def beats(house: House, at_work: int) -> None:
    """While so many slots are held."""
    wait_until(lambda: busy(house) == at_work, "every slot is at work")
    since, seen = timezone.now(), set()
    with house.rows():

        def beaten() -> bool:
            found = Heartbeat.objects.filter(component=Component.WORKER, beat_at__gt=since)
            seen.update(found.values_list("beat_at", flat=True))
            return len(seen) >= ENOUGH

        wait_until(beaten, "beats")
    assert busy(house) == at_work, "nothing of that was done by whoever is at work"


@pytest.mark.parametrize("pool", ["prefork", "threads", "solo"])
def test_a_worker_whose_every_slot_is_busy_lives(house: House, pool: str) -> None:
    servers = pytest.importorskip("tests.servers")
    redis = servers.Redis(house.folder)
    house.stack.callback(redis.kill)
    command = ["-m", "pbem.celery_command", "-A", "pbem", "worker", "--pool", pool, "--concurrency", "1"]
    house.start(*command, "--queues", "clock", **FOR_LONG, CELERY_BROKER_URL=redis.url)
    broker = Celery(broker=redis.url, set_as_current=False)
    for _ in range(3):
        broker.send_task("pbem.matches.tasks.sweep", queue="clock")
    beats(house, 1)


def test_so_does_a_service_in_one_process(house: House) -> None:
    """A letter is being read, and a sweep of the clocks does not end."""
    house.serve(**FOR_LONG)
    for name in ("Alice", "Bruno", "Charlie"):
        house.player(name).write("play@pbem.localhost", "HELP")
    beats(house, 2)


def test_a_move_that_is_handed_over_to_a_service_that_sleeps_is_in_time(house: House) -> None:
    """The whole machine stands still for some seconds; her time is over in the middle of it."""
    with house.rows():
        first, second = (
            register(name=name, email=f"{name.lower()}@players.localhost", language="en", now=timezone.now())
            for name in ("Alice", "Bruno")
        )
        terms = Terms(clock="3d/move")
        match = start(first=first, second=second, game="loa", terms=terms, now=timezone.now(), rng=Random(1))
    service, alice = house.serve(**BUSY), house.player("Alice")
    turn = alice.read()
    with house.rows():
        wait_until(lambda: Heartbeat.objects.filter(component=Component.DOOR).exists(), "the door lives")
        deadline = timezone.now() + timedelta(seconds=4)
        due(Match.objects.get(pk=match.pk), deadline)
    service.tell(signal.SIGSTOP)
    assert timezone.now() < deadline
    hands_over = Thread(target=alice.answer, args=(turn, "b1-b3"))
    hands_over.start()
    time.sleep((deadline - timezone.now()).total_seconds() + 3)
    service.tell(signal.SIGCONT)
    hands_over.join()
    with house.rows():
        wait_until(lambda: Match.objects.get().ply == 1, "her move is played")
        asleep = Outage.objects.filter(since__lt=deadline, until__gt=deadline)
        wait_until(lambda: set(asleep.values_list("component", flat=True)) == {"door", "worker"}, "outages")
        found = Match.objects.get()
        assert (found.status, found.flagged_at) == ("playing", None)
        assert found.turns.get().played_at > deadline, "by the clock of the door"

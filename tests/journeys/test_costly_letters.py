"""No email, whatever it says, holds the service: each is read within two seconds of the processor."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from itertools import cycle
from random import Random
from time import monotonic, sleep
from urllib.error import HTTPError
from urllib.request import urlopen

import psutil
import pytest
from django.utils import timezone

from pbem import budget
from pbem.inbox.models import InboundMail
from pbem.inbox.transports.store import store_message
from pbem.matches import services as matches
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.signed_addresses import reply_to
from pbem.players.services import register
from tests.journeys.conftest import House
from tests.journeys.costly import costly
from tests.processes import Process, wait_until

pytestmark = pytest.mark.prove

ALICE, BRUNO = "alice@example.net", "bruno@example.net"
ANSWERS_WITHIN = 1.0  # seconds: the health page, whatever is being read


class Health:
    """Asks again and again how the service is, and keeps the longest that it took to say so."""

    def __init__(self, house: House) -> None:
        self._url = "http://{}:{}/health/".format(*house.web)
        self.longest = 0.0

    @contextmanager
    def asked(self) -> Iterator[None]:
        ended = threading.Event()
        thread = threading.Thread(target=self._ask, args=[ended])
        thread.start()
        try:
            yield
        finally:
            ended.set()
            thread.join()

    def _ask(self, ended: threading.Event) -> None:
        while not ended.wait(0.2):
            begun = monotonic()
            with suppress(HTTPError), urlopen(self._url, timeout=60) as page:  # 503: something was set aside
                page.read()
            self.longest = max(self.longest, (monotonic() - begun) / busy())


def busy() -> float:
    """How many others want each processor of this machine, and have nothing to do with us."""
    return max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))


def used(service: Process) -> float:
    """Seconds of the processor, of its children too."""
    process = psutil.Process(service._popen.pid)
    times = [each.cpu_times() for each in (process, *process.children(recursive=True))]
    return sum(each.user + each.system for each in times)


def per_second(service: Process) -> float:
    """What it uses while nobody writes: sweeps, and the answers to whoever asks how it is."""
    before, begun = used(service), monotonic()
    sleep(3)
    return (used(service) - before) / (monotonic() - begun)


def answer_of(house: House) -> str:
    """Where Alice answers the letter that it is her turn."""
    with house.rows():
        now = timezone.now()
        alice, bruno = (
            register(name=a.partition("@")[0].title(), email=a, language="en", now=now)
            for a in (ALICE, BRUNO)
        )
        matches.start(first=alice, second=bruno, game="loa", now=now, rng=Random(0))
        letter = wait_until(
            lambda: OutboundMail.objects.filter(player=alice, kind="turn", status="sent").first(), "her turn"
        )
        return reply_to(letter, Reader.of(letter))


def test_none_takes_longer_than_two_seconds_nor_keeps_anybody_waiting(house: House) -> None:
    service = house.serve()
    recipients = cycle(["play@pbem.localhost", answer_of(house)])
    took, health = {}, Health(house)
    with house.rows(), health.asked():
        idle = per_second(service)
        for (name, raw), recipient in zip(costly(ALICE), recipients, strict=False):
            before, begun = used(service), monotonic()
            row = store_message(raw, sender=ALICE, recipient=recipient, now=timezone.now())
            wait_until(InboundMail.objects.exclude(verdict="").filter(pk=row.pk).exists, name)
            took[name] = used(service) - before - idle * (monotonic() - begun)
        assert not InboundMail.objects.filter(attempts__gt=1).exists()
    assert {name: round(seconds, 2) for name, seconds in took.items() if seconds > budget.LETTER} == {}
    assert health.longest < ANSWERS_WITHIN

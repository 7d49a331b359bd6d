"""Several senders, each in a thread of its own with its own connection, and many letters to one domain."""

from __future__ import annotations

import threading
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import pytest
from django.db import connections
from django.utils import timezone
from pytest_django import DjangoDbBlocker, Settings

from pbem.outbox import sending
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import write_to_address
from tests.journeys.conftest import models_of

pytestmark = pytest.mark.prove

SENDERS = 6
LETTERS = 24
CROWD = "crowd.example"


@dataclass
class Turnstile:
    """A Sender that counts how many are in it at once."""

    inside: Counter[str] = field(default_factory=Counter)
    most: Counter[str] = field(default_factory=Counter)
    sent: list[str] = field(default_factory=list)
    lock: threading.Lock = field(default_factory=threading.Lock)
    met: threading.Event = field(default_factory=threading.Event)

    def send(self, sender: str, recipient: str, raw: bytes) -> str:
        domain = recipient.partition("@")[2]
        with self.lock:
            self.inside[domain] += 1
            self.most[domain] = max(self.most[domain], self.inside[domain])
            if self.most[CROWD] > 1:
                self.met.set()
        # A letter takes its time; on a busy machine as long as another sender needs to come beside it.
        time.sleep(0.03)
        self.met.wait(10)
        with self.lock:
            self.inside[domain] -= 1
            self.sent.append(recipient)
        return "250 OK"


@pytest.fixture(params=["sqlite", "postgres"])
def rows(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    if request.param == "sqlite":
        with models_of(request.getfixturevalue("database"), django_db_blocker):
            yield
    else:
        cluster, tables = map(request.getfixturevalue, ("cluster", "empty_tables"))
        with models_of(cluster.database(tables), django_db_blocker):
            yield


def test_two_at_once_and_each_letter_once(rows: None, settings: Settings) -> None:
    settings.LETTERS_AT_ONCE = 2
    for number in range(LETTERS):
        domain = CROWD if number % 4 else "elsewhere.example"
        section = {"kind": "invitation", "host": "Olga", "note": ""}
        write_to_address(
            f"p{number}@{domain}", language="en", cause="crowd", section=section, now=timezone.now()
        )
    turnstile = Turnstile()

    def work() -> None:
        """As a worker does whose tasks never end."""
        try:
            while waiting := list(sending.due(now=timezone.now())):
                for pk in waiting:
                    sending.send(pk, now=timezone.now(), sender=turnstile)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(SENDERS) as threads:
        for done in [threads.submit(work) for _ in range(SENDERS)]:
            done.result()
    assert turnstile.most[CROWD] == 2
    assert len(turnstile.sent) == len(set(turnstile.sent)) == LETTERS
    assert set(OutboundMail.objects.values_list("status", "attempts", "failures")) == {("sent", 1, 0)}

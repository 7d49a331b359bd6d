"""Many at work at once: no answer goes out too often, and the door lets in no more than those who race at it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime, timedelta
from threading import Barrier

import pytest
from django.db import connections
from django.utils import timezone
from pytest_django import DjangoDbBlocker

from pbem.inbox import services as inbox
from pbem.inbox.models import Confirmation, InboundMail, RateLimitSlot
from pbem.inbox.resolver import answer_address
from pbem.inbox.transports.store import store_message
from pbem.outbox.models import OutboundMail
from pbem.players.models import Player
from pbem.players.services import register
from pbem.refusals import Code, Refused
from tests.journeys.at_the_door import ALICE, PLAY
from tests.journeys.conftest import models_of
from tests.servers import Postgres

pytestmark = pytest.mark.prove

WORKERS = 4


@pytest.fixture
def postgresql(cluster: Postgres, empty_tables: str) -> str:
    return cluster.database(empty_tables)


@pytest.fixture(params=["sqlite", "postgresql"])
def rows(request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """An empty database of each kind that the service runs on."""
    url = request.getfixturevalue("database" if request.param == "sqlite" else "postgresql")
    with models_of(url, django_db_blocker):
        yield


def race(work: Callable[[int], object], numbers: Iterable[int]) -> list[object]:
    """The work for each number, by several threads that begin at the same moment."""
    begin = Barrier(WORKERS)

    def ready() -> None:
        begin.wait(timeout=30)

    def one(number: int) -> object:
        try:
            return work(number)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(WORKERS, initializer=ready) as threads:
        return list(threads.map(one, numbers))


def letter(number: int, body: str = "HELP") -> bytes:
    return f"From: {ALICE}\r\nMessage-ID: <{number}@race>\r\n\r\n{body}\r\n".encode()


def brought(numbers: Iterable[int], now: datetime, body: str = "HELP") -> list[int]:
    """Letters that are already kept, each in a queue of its own, so that they may be opened at once."""
    return [
        store_message(letter(number, body), sender=f"{number}@mallory.example", recipient=PLAY, now=now).pk
        for number in numbers
    ]


@pytest.mark.parametrize("body", ["HELP", "What is this?"])
def test_workers_that_race_never_answer_or_ask_once_too_often(rows: None, body: str) -> None:
    now = timezone.now()
    register(name="Alice", email=ALICE, language="en", now=now)
    keys = brought(range(16), now, body)
    for attempt in range(3):  # the one that was in the way of another is tried again, as a letter always is
        later = now + attempt * timedelta(minutes=3)
        race(lambda pk: inbox.open_mail(pk, now=later), keys)  # noqa: B023 - the race ends before the next
        if not InboundMail.objects.unopened().exists():
            break
    assert not InboundMail.objects.unopened().exists()
    told = OutboundMail.objects.filter(address=ALICE)
    answers, questions = told.exclude(kind="confirm").count(), told.filter(kind="confirm").count()
    assert (answers, questions <= 5) == (5, True)
    assert RateLimitSlot.objects.filter(cap="answers").count() == answers
    assert RateLimitSlot.objects.filter(cap="unsure").count() == questions
    silent = InboundMail.objects.filter(reading__has_key="silenced").count()
    assert silent == len(keys) - answers - questions


def test_the_door_lets_in_no_more_than_those_who_race_at_it(rows: None) -> None:
    now = timezone.now()

    def bring(number: int) -> bool:
        try:
            store_message(letter(number), sender=ALICE, recipient=PLAY, now=now, may_refuse=True)
        except Refused:
            return False
        return True

    taken = race(bring, range(60))
    assert 20 <= taken.count(True) < 20 + WORKERS
    assert InboundMail.objects.count() == taken.count(True)
    assert not bring(99)


def test_a_question_is_answered_once_however_many_say_yes_at_once(rows: None) -> None:
    now = timezone.now()
    inbox.open_mail(
        store_message(letter(0, "REGISTER Alice"), sender=ALICE, recipient=PLAY, now=now).pk, now=now
    )
    to = answer_address(Confirmation.objects.get())
    keys = [
        store_message(letter(number, "YES"), sender=f"{number}@mallory.example", recipient=to, now=now).pk
        for number in range(1, 7)
    ]
    for attempt in range(3):
        later = now + attempt * timedelta(minutes=3)
        race(lambda pk: inbox.open_mail(pk, now=later), keys)  # noqa: B023 - the race ends before the next
    verdicts = Counter(InboundMail.objects.filter(pk__in=keys).values_list("verdict", flat=True))
    assert verdicts == {"ok": 1, Code.EXPIRED: 5}
    assert [player.name for player in Player.objects.people().all()] == ["Alice"]

"""A letter from whose words the reader does not come back is set aside at its first attempt; nobody waits for it."""

from __future__ import annotations

from time import monotonic

import pytest
from django.utils import timezone

from pbem.inbox.models import InboundMail
from pbem.inbox.transports.store import store_message
from pbem.refusals import Code
from tests.journeys.conftest import House
from tests.journeys.endless import PLANTED
from tests.journeys.test_costly_letters import ALICE, ANSWERS_WITHIN, Health, answer_of
from tests.processes import wait_until

pytestmark = pytest.mark.prove


def opened(body: str, to: str, author: str = ALICE) -> InboundMail:
    fields = (
        f"From: {author}\r\nTo: {to}\r\nMessage-ID: <{monotonic()}@endless.example>\r\nSubject: Re: x\r\n"
    )
    raw = f"{fields}\r\n{body}\r\n"
    row = store_message(raw.encode(), sender=author, recipient=to, now=timezone.now())
    wait_until(InboundMail.objects.exclude(verdict="").filter(pk=row.pk).exists, body, patience=30)
    row.refresh_from_db()
    return row


@pytest.fixture
def served(house: House) -> House:
    house.serve(DJANGO_SETTINGS_MODULE="tests.journeys.endless")
    return house


@pytest.mark.parametrize("said", PLANTED)
def test_it_is_set_aside_and_the_next_letters_are_opened(served: House, said: str) -> None:
    health, address = Health(served), answer_of(served)
    with served.rows(), health.asked():
        row = opened(f"my {said} takes yours", address)
        assert (row.verdict, row.attempts) == (Code.POISON, 1)
        assert row.holds_id
        assert opened("GAMES", "play@pbem.localhost", "bruno@example.net").verdict != Code.POISON
        free = opened("I would like to play zertz with Alice", "play@pbem.localhost", "bruno@example.net")
        assert (free.attempts, free.verdict in (Code.POISON, "")) == (1, False)
    assert health.longest < ANSWERS_WITHIN

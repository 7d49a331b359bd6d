"""Two connections that meet at a change of address, on a real PostgreSQL: it is done once, or undone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.core.management import call_command
from django.db import transaction
from pytest_django import DjangoDbBlocker

from pbem.inbox.address_changes import begin, carry_out, undo
from pbem.outbox.models import OutboundMail
from pbem.players.models import AddressChange, Player
from pbem.players.services import register
from tests.journeys.conftest import models_of
from tests.journeys.mailboxes import WORK, addresses
from tests.journeys.two_connections import elsewhere, somebody_waits
from tests.mail_fixtures import MORNING
from tests.processes import wait_until
from tests.servers import Postgres

pytestmark = pytest.mark.prove


@pytest.fixture(scope="module")
def url(cluster: Postgres, empty_tables: str) -> str:
    return cluster.database(empty_tables)


@pytest.fixture
def change(url: str, django_db_blocker: DjangoDbBlocker) -> Iterator[AddressChange]:
    """It is due, and its letters have left."""
    with models_of(url, django_db_blocker):
        call_command("flush", verbosity=0, interactive=False)
        alice = register(name="Alice", email="alice@example.org", language="en", now=MORNING)
        change = begin(alice, WORK, puts_first=True, now=MORNING)
        OutboundMail.objects.update(status=OutboundMail.Status.SENT, sent_at=MORNING)
        yield change


def says_no(change: AddressChange) -> None:
    with transaction.atomic():
        locked = AddressChange.objects.open().filter(pk=change.pk).select_for_update().first()
        if locked:
            undo(locked, cause="letter:1", now=change.due_at)


def letters() -> list[str]:
    rows = OutboundMail.objects.filter(kind="addresses").order_by("pk")
    return [row.sections[0]["done"] for row in rows]


def test_two_sweeps_do_it_once(change: AddressChange) -> None:
    with transaction.atomic():
        carry_out(change.pk, now=change.due_at)
        second = elsewhere(lambda: carry_out(change.pk, now=change.due_at))
        wait_until(somebody_waits, "the second sweep waits for the row")
    second.result(60)
    assert addresses() == [WORK, "alice@example.org"]
    assert letters() == ["first", "first"]


def test_a_no_that_is_being_read_is_not_overtaken(change: AddressChange) -> None:
    with transaction.atomic():
        says_no(change)
        sweep = elsewhere(lambda: carry_out(change.pk, now=change.due_at))
        wait_until(somebody_waits, "the sweep waits for the row")
    sweep.result(60)
    assert addresses() == ["alice@example.org"]
    assert letters() == ["undone", "undone"]


def test_a_no_that_meets_the_sweep_comes_too_late(change: AddressChange) -> None:
    with transaction.atomic():
        carry_out(change.pk, now=change.due_at)
        answer = elsewhere(lambda: says_no(change))
        wait_until(somebody_waits, "the NO waits for the row")
    answer.result(60)
    assert addresses() == [WORK, "alice@example.org"]


def test_two_yeses_begin_it_once(change: AddressChange) -> None:
    AddressChange.objects.all().delete()
    alice = Player.objects.people().get()
    with transaction.atomic():
        begin(alice, WORK, puts_first=True, now=MORNING)
        second = elsewhere(lambda: begin(alice, WORK, puts_first=True, now=MORNING))
        wait_until(somebody_waits, "the second waits for the player")
    second.result(60)
    assert AddressChange.objects.count() == 1


def test_a_sweep_that_dies_in_the_middle_of_it_leaves_it_to_the_next(change: AddressChange) -> None:
    def dies() -> None:
        with transaction.atomic():
            carry_out(change.pk, now=change.due_at)
            raise SystemExit

    with pytest.raises(SystemExit):
        elsewhere(dies).result(60)
    assert addresses() == ["alice@example.org"]
    carry_out(change.pk, now=change.due_at)
    assert addresses() == [WORK, "alice@example.org"]
    assert letters() == ["first", "first"]

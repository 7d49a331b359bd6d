"""Bells ring after the commit, on our own wire, and a broken one hurts nobody."""

import pytest
from celery import current_app
from django.db import transaction

from pbem.bells import ring
from pbem.celery import app


class Bell:
    """Stands for a Celery task."""

    def __init__(self, *, broken: bool = False) -> None:
        self.rung: list[int] = []
        self._broken = broken

    def delay(self, pk: int) -> None:
        if self._broken:
            raise ConnectionRefusedError("the broker is away")
        self.rung.append(pk)


@pytest.mark.django_db(transaction=True)
def test_a_bell_rings_once_the_transaction_is_committed() -> None:
    bell = Bell()
    with transaction.atomic():
        ring(bell, 7)
        assert bell.rung == []
    assert bell.rung == [7]


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_is_logged_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    with transaction.atomic():
        ring(Bell(broken=True), 7)
    assert "the broker is away" in caplog.text


def test_whoever_rings_has_our_wire() -> None:
    assert current_app == app


def test_what_is_rung_by_the_clock_is_behind_every_letter_in_its_queue() -> None:
    rung = {entry["task"] for entry in app.conf.beat_schedule.values()}
    routes = {task: app.amqp.router.route({}, task) for task in rung}
    behind = {task for task, route in routes.items() if route.get("priority") == 9}
    assert behind == {
        task for task, route in routes.items() if route["queue"].name in ("inbound", "outbound")
    }
    assert behind
    letters = (
        app.amqp.router.route({}, f"pbem.{name}")
        for name in ("inbox.tasks.open_mail", "outbox.tasks.send_mail")
    )
    assert not any("priority" in route for route in letters)

"""Tasks are enqueued after the commit, by names that exist, with our own Celery; a broker that is away hurts nobody."""

import re
from collections.abc import Iterable

import pytest
from celery import current_app
from django.conf import settings
from django.db import transaction

from pbem.analysis.models import STUDY
from pbem.celery import app
from pbem.inbox.models import OPEN_MAIL
from pbem.outbox.models import SEND_MAIL
from pbem.queue.enqueue import enqueue_on_commit
from pbem.robots.models import THINK
from tests.broker import Enqueued

NAMED = re.compile(r'\bTaskName\("(.+?)"\)')


@pytest.mark.django_db(transaction=True)
def test_a_task_is_enqueued_once_the_transaction_is_committed(enqueued: Enqueued) -> None:
    with transaction.atomic():
        enqueue_on_commit(OPEN_MAIL, 7)
        assert not enqueued
    assert enqueued == {OPEN_MAIL: [7]}


@pytest.mark.django_db(transaction=True)
def test_a_broker_that_is_away_is_logged_and_no_more(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def away(*_: object) -> None:
        raise ConnectionRefusedError("the broker is away")

    monkeypatch.setattr(app, "send_task", away)
    with transaction.atomic():
        enqueue_on_commit(OPEN_MAIL, 7)
    assert "the broker is away" in caplog.text


def test_whoever_enqueues_has_our_celery() -> None:
    assert current_app == app


def names() -> Iterable[str]:
    """Of tasks in our sources, as others call them."""
    for path in (settings.ROOT / "pbem").rglob("*.py"):
        yield from NAMED.findall(path.read_text())


def test_every_task_that_is_called_by_its_name_exists() -> None:
    app.loader.import_default_modules()
    assert {OPEN_MAIL, SEND_MAIL, STUDY, THINK} == set(names()) <= set(app.tasks)
    assert {entry["task"] for entry in app.conf.beat_schedule.values()} <= set(app.tasks)
    assert set(app.conf.task_routes) <= set(app.tasks)


def test_what_the_clock_enqueues_is_behind_every_letter_in_its_queue() -> None:
    periodic = {entry["task"] for entry in app.conf.beat_schedule.values()}
    routes = {task: app.amqp.router.route({}, task) for task in periodic}
    behind = {task for task, route in routes.items() if route.get("priority") == 9}
    assert behind == {
        task for task, route in routes.items() if route["queue"].name in ("inbound", "outbound")
    }
    assert behind
    letters = [app.amqp.router.route({}, task) for task in (OPEN_MAIL, SEND_MAIL)]
    assert [route["queue"].name for route in letters] == ["inbound", "outbound"]
    assert not any("priority" in route for route in letters)

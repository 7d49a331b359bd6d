"""A worker that loses Redis at the worst of moments connects again, and hears of the next task."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from celery import Celery
from celery.signals import worker_process_init
from celery.worker import WorkController, consumer
from kombu import Connection
from redis.exceptions import ConnectionError

from pbem.celery import app as ours
from pbem.queue.transport import Consumer
from tests.servers import Redis


@pytest.fixture(autouse=True)
def _no_heart_begins_to_beat(monkeypatch: pytest.MonkeyPatch) -> None:
    """The solo pool tells anyone who asks that a process has begun, which is that of all tests to come."""
    ours.loader.import_default_modules()  # now, for they ask as soon as they are there
    monkeypatch.setattr(worker_process_init, "receivers", [])


@pytest.fixture
def redis(tmp_path: Path) -> Iterator[Redis]:
    redis = Redis(tmp_path)
    yield redis
    redis.kill()


def lose(redis: Redis, worker: WorkController) -> None:
    """Redis dies while one task is unacknowledged, and the worker waits for the next, and for orders."""
    connection = worker.consumer.connection = worker.app.connection_for_read()
    tasks = connection.SimpleQueue("tasks")
    tasks.put("work")
    tasks.get(timeout=10)  # and not acknowledged
    worker.app.control.mailbox.Node("worker", channel=connection.channel()).listen(callback=print)
    connection.transport.cycle.on_poll_start()
    redis.kill()
    worker.consumer.on_connection_error_after_connected(ConnectionError("Redis is gone"))


def worker_of(redis: Redis, kind: type[consumer.Consumer]) -> WorkController:
    app = Celery(broker=redis.url, set_as_current=False)
    app.conf.worker_cancel_long_running_tasks_on_connection_loss = True
    return WorkController(app=app, pool="solo", consumer_cls=kind)


def hears(connection: Connection) -> bool:
    tasks = connection.SimpleQueue("tasks")
    tasks.put("work")
    return tasks.get(timeout=10).payload == "work"


def test_it_connects_again(redis: Redis) -> None:
    worker = worker_of(redis, Consumer)
    lose(redis, worker)
    redis.start()
    with worker.consumer.connect() as connection:
        assert hears(connection)


def test_the_one_of_celery_would_not(redis: Redis) -> None:
    """As soon as this fails there is no need for ours."""
    with pytest.raises(AttributeError, match="hostname"):
        lose(redis, worker_of(redis, consumer.Consumer))


def test_every_worker_of_ours_has_it() -> None:
    assert WorkController(app=ours, pool="solo").consumer_cls == "pbem.queue.transport:Consumer"

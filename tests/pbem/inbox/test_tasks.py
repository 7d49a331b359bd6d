"""What a worker does before it forks."""

from __future__ import annotations

import gc
from types import SimpleNamespace

import pytest
from celery.signals import worker_before_create_process

from pbem.inbox import reading_child, reading_process, tasks


def test_what_is_loaded_before_a_fork_is_not_scanned_for_garbage() -> None:
    gc.unfreeze()
    worker_before_create_process.send(tasks)
    assert gc.get_freeze_count() > 10_000


@pytest.mark.parametrize(
    ("pool", "queues", "done"),
    [
        ("threads", {"inbound", "clock"}, ["warm", "use"]),
        ("prefork", {"inbound", "clock"}, ["warm"]),
        ("solo", {"inbound"}, ["warm"]),
        ("threads", {"outbound"}, []),
        ("prefork", {"robots"}, []),
    ],
)
def test_only_a_worker_that_opens_letters_prepares_for_them(
    monkeypatch: pytest.MonkeyPatch, pool: str, queues: set[str], done: list[str]
) -> None:
    told: list[str] = []
    monkeypatch.setattr(reading_process, "use", lambda answer: told.append("use"))
    monkeypatch.setattr(reading_child, "warm", lambda: told.append("warm"))
    app = SimpleNamespace(amqp=SimpleNamespace(queues=SimpleNamespace(consume_from=queues)))
    tasks._prepare(SimpleNamespace(app=app, pool_cls=pool))
    assert told == done

"""A broker in the memory of a test: what is enqueued waits there, and no worker hears of it."""

from collections import defaultdict

import pytest

from pbem.celery import app

Enqueued = defaultdict[str, list[int]]


@pytest.fixture
def enqueued(monkeypatch: pytest.MonkeyPatch) -> Enqueued:
    """By the name of the task: the keys of the letters, one for each that waits. Doing a task takes it out."""
    tasks: Enqueued = defaultdict(list)
    monkeypatch.setattr(app, "send_task", lambda task, keys: tasks[task].extend(keys))
    for module in ("enqueue", "models"):
        monkeypatch.setattr(f"pbem.queue.{module}.tasks_waiting", lambda task: len(tasks[task]))
    return tasks

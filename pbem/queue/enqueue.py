"""Enqueues Celery tasks after the commit, and retries database writes that failed during an outage."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NewType

from celery import current_app
from django.db import close_old_connections, connection, transaction
from kombu.exceptions import ChannelError

from pbem.queue.failpoints import failpoint
from pbem.queue.faults import is_fault

# Name of a task that takes a row's primary key: callers need not import the task.
TaskName = NewType("TaskName", str)
_gathered: ContextVar[list[tuple[TaskName, int]] | None] = ContextVar("gathered", default=None)


def enqueue_on_commit(task: TaskName, pk: int) -> None:
    """Enqueues the task with the key after the commit; an unreachable broker is only logged."""

    def enqueue() -> None:  # not a partial: Django's log of a robust hook wants its name
        failpoint("ringing")
        _enqueue(task, pk)

    transaction.on_commit(enqueue, robust=True)


@contextmanager
def gathered() -> Iterator[list[tuple[TaskName, int]]]:
    """Collects the tasks enqueued inside instead of sending them; the caller sends them."""
    tasks: list[tuple[TaskName, int]] = []
    token = _gathered.set(tasks)
    try:
        yield tasks
    finally:
        _gathered.reset(token)


def enqueue_lost(task: TaskName, pks: Iterable[int]) -> None:
    """Enqueues tasks for the first waiting rows, as many as the queue lacks."""
    waiting = list(pks)
    for pk in waiting[: max(0, len(waiting) - tasks_waiting(task))] if waiting else []:
        _enqueue(task, pk)
        failpoint("sweeping")


def tasks_waiting(task: TaskName) -> int:
    """Returns the number of tasks in the broker's queue that no worker has taken."""
    queue = current_app.amqp.router.route({}, task)["queue"].name
    pool: Any = current_app.pool  # its stubs take it for one of producers
    with pool.acquire(block=True) as broker:
        try:
            return int(broker.default_channel.queue_declare(queue, passive=True).message_count)
        except ChannelError:  # the queue does not exist, or is empty
            return 0


def _enqueue(task: TaskName, pk: int) -> None:
    if (tasks := _gathered.get()) is not None:
        tasks.append((task, pk))
        return
    current_app.send_task(task, (pk,))


# Deferred writes

log = logging.getLogger(__name__)


class DeferredWrites:
    """Results of attempts that could not be written while the database was away, in order."""

    def __init__(self) -> None:
        self._notes: deque[Callable[[], object]] = deque()
        self._lock = threading.Lock()

    def write(self, note: Callable[[], object]) -> None:
        """Writes the note now, or keeps it after a database fault; raises other errors."""
        try:
            if not connection.in_atomic_block:
                close_old_connections()
            note()
        except Exception as error:
            if not is_fault(error):
                raise
            log.warning("what came of an attempt is written down later: %s", error)
            self._notes.append(note)

    def flush(self) -> None:
        """Writes the kept notes. Raises a database fault that persists; logs and drops other failures."""
        with self._lock:
            while self._notes:
                try:
                    self._notes[0]()
                except Exception as error:
                    if is_fault(error):
                        raise
                    log.exception("what came of an attempt cannot be written down; the next lease tells")
                self._notes.popleft()

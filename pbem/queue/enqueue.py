"""Enqueues Celery tasks by name, after the commit. A task may be lost: the sweep enqueues it again, the row stays."""

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

# Of a task with the primary key of a letter: anyone who enqueues it by name need not import what it does.
TaskName = NewType("TaskName", str)
_gathered: ContextVar[list[tuple[TaskName, int]] | None] = ContextVar("gathered", default=None)


def enqueue_on_commit(task: TaskName, pk: int) -> None:
    """Enqueue the task with the key once the transaction is committed; a broker that is away only logs."""

    def enqueue() -> None:  # not a partial: Django's log of a robust hook wants its name
        failpoint("ringing")
        _enqueue(task, pk)

    transaction.on_commit(enqueue, robust=True)


@contextmanager
def gathered() -> Iterator[list[tuple[TaskName, int]]]:
    """What is enqueued inside, for somebody else to enqueue: a broker in memory is heard by its own process alone."""
    tasks: list[tuple[TaskName, int]] = []
    token = _gathered.set(tasks)
    try:
        yield tasks
    finally:
        _gathered.reset(token)


def enqueue_lost(task: TaskName, pks: Iterable[int]) -> None:
    """For the first of the rows that wait, as many as there are tasks too few: none is enqueued beside another."""
    waiting = list(pks)
    for pk in waiting[: max(0, len(waiting) - tasks_waiting(task))] if waiting else []:
        _enqueue(task, pk)
        failpoint("sweeping")


def tasks_waiting(task: TaskName) -> int:
    """How many tasks are in the queue of this one, and in nobody's hands."""
    queue = current_app.amqp.router.route({}, task)["queue"].name
    pool: Any = current_app.pool  # its stubs take it for one of producers
    with pool.acquire(block=True) as broker:
        try:
            return int(broker.default_channel.queue_declare(queue, passive=True).message_count)
        except ChannelError:  # nobody has ever put anything there, or all of it was taken
            return 0


def _enqueue(task: TaskName, pk: int) -> None:
    if (tasks := _gathered.get()) is not None:
        tasks.append((task, pk))
        return
    current_app.send_task(task, (pk,))


# Notes of what came of an attempt, kept in memory while the database is away.

log = logging.getLogger(__name__)


class Owed:
    """What could not be written down while the database was away: this process writes it before it takes up more."""

    def __init__(self) -> None:
        self._notes: deque[Callable[[], object]] = deque()
        self._lock = threading.Lock()

    def write(self, note: Callable[[], object]) -> None:
        """Now, if that can be done."""
        try:
            if not connection.in_atomic_block:
                close_old_connections()
            note()
        except Exception as error:
            if not is_fault(error):
                raise
            log.warning("what came of an attempt is written down later: %s", error)
            self._notes.append(note)

    def settle(self) -> None:
        """Raises what is in the way still."""
        with self._lock:
            while self._notes:
                try:
                    self._notes[0]()
                except Exception as error:
                    if is_fault(error):
                        raise
                    log.exception("what came of an attempt cannot be written down; the next lease tells")
                self._notes.popleft()

"""Rings a bell after the commit. A bell may be lost: the sweep rings again, the row stays."""

from __future__ import annotations

import logging
import threading
import zlib
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from celery import current_app
from django.db import connection, transaction
from kombu.exceptions import ChannelError

from pbem.queue.failpoints import failpoint

log = logging.getLogger(__name__)


def ring(task: Any, pk: int) -> None:
    """Call the Celery task with the key once the transaction is committed; a broker that is away only logs."""

    def call() -> None:  # not a partial: Django's log of a robust hook wants its name
        failpoint("ringing")
        task.delay(pk)

    transaction.on_commit(call, robust=True)


def tasks_waiting(queue: str) -> int:
    """How many tasks are in the queue, and in nobody's hands."""
    pool: Any = current_app.pool  # its stubs take it for one of producers
    with pool.acquire(block=True) as broker:
        try:
            return int(broker.default_channel.queue_declare(queue, passive=True).message_count)
        except ChannelError:  # nobody has ever put anything there, or all of it was taken
            return 0


def missing(pks: Iterable[int], queue: str) -> list[int]:
    """The first of the rows that wait, as many as there are tasks too few: no task is enqueued beside another."""
    waiting = list(pks)
    return waiting[: max(0, len(waiting) - tasks_waiting(queue))] if waiting else []


def one_at_a_time(sweep: Callable[[], None]) -> Callable[[], None]:
    """A second one of its kind, in whatever process, does nothing while the first is at work."""
    name = f"{sweep.__module__}.{sweep.__name__}"
    lock = threading.Lock()

    @wraps(sweep)
    def alone() -> None:
        if not lock.acquire(blocking=False):
            return
        try:
            with _only_one_of_all(name) as first:
                if first:
                    sweep()
        finally:
            lock.release()

    return alone


@contextmanager
def _only_one_of_all(name: str) -> Iterator[bool]:
    """On PostgreSQL: its lock ends with the connection, however that ends. SQLite is for one process."""
    if connection.vendor != "postgresql":
        yield True
        return
    key = zlib.crc32(name.encode())
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_lock(%s)", [key])
        (first,) = cursor.fetchone()
    try:
        yield first
    finally:
        if first:
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_unlock(%s)", [key])

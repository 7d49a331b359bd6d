"""Periodic tasks of which one is at work at a time, in all processes together."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from django.conf import settings
from django.db import connection


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
    """On PostgreSQL: its lock ends with the connection, however that ends. SQLite is for one process.

    PgBouncer in transaction mode might give the lock back in another session, where nobody has it, and no sweep would
    ever come again. Two at once do the same twice, which costs time and nothing else.
    """
    if connection.vendor != "postgresql" or settings.BEHIND_PGBOUNCER:
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

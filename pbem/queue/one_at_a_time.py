"""Periodic tasks that run once at a time across all processes."""

from __future__ import annotations

import threading
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps

from django.conf import settings
from django.db import connection


def one_at_a_time(sweep: Callable[[], None]) -> Callable[[], None]:
    """Skips a call while the same sweep runs in any process."""
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
    """Takes an advisory lock on PostgreSQL and yields whether it was free; SQLite serves one process."""
    # PgBouncer in transaction mode may unlock in another session and leave the lock held for ever.
    # There two sweeps may run at once, which only costs time.
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

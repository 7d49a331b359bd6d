"""A second connection to the database of the test, to meet the first at a lock."""

from __future__ import annotations

import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import TypeVar

from django.db import connection

T = TypeVar("T")


def elsewhere(work: Callable[[], T]) -> Future[T]:
    """In a thread with a connection of its own."""
    result: Future[T] = Future()

    def run() -> None:
        try:
            result.set_result(work())
        except BaseException as error:
            result.set_exception(error)
        finally:
            connection.close()

    threading.Thread(target=run, daemon=True).start()
    return result


def somebody_waits() -> bool:
    """For a lock that another transaction holds."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])

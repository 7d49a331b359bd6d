"""Which exceptions are faults of the environment, a database or a disk, and no fault of what was being worked at."""

from __future__ import annotations

import errno
import sqlite3
import sys
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, TypeGuard

import kombu.exceptions
from django.db import Error as DatabaseError

if TYPE_CHECKING:
    import psycopg

GIVEN_UP = timedelta(hours=72)  # a message may cause the timeout itself
SHORTEST, LONGEST = timedelta(seconds=5), timedelta(minutes=10)

# Of SQLSTATE, by class: connection exceptions, rollbacks (deadlocks too), resources, intervention (timeouts), system.
CLASSES = ("08", "40", "53", "57", "58")
STATES = ("25006", "25P03", "55P03")  # read-only after a fail-over, idle for too long, a lock not to be had
AWAY = ("08", "53", "57P", "58")  # the server, and not what it was asked
IN_THE_WAY = "40"  # two transactions waited for each other; ours was ended so that the other goes on
SQLITE = frozenset(
    (
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_LOCKED,
        sqlite3.SQLITE_READONLY,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_PROTOCOL,
    )
)
SAID = ("database is locked", "database table is locked", "disk I/O error", "database or disk is full")
NUMBERS = frozenset(
    (errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.EROFS, errno.EMFILE, errno.ENFILE, errno.ESTALE)
)


def is_fault(error: BaseException) -> bool:
    """Whether it, or what it came of, is the environment's."""
    return any(_is_one(each) for each in _chain(error))


def what_is_away(error: BaseException) -> str:
    """The database, the disk or the broker, where that is why; "" for whatever may also be a query of ours."""
    for each in _chain(error):
        if isinstance(each, kombu.exceptions.OperationalError) or _of_redis(each):
            return "broker"
        if isinstance(each, OSError) and each.errno in NUMBERS:
            return "disk"
        if _is_of_postgres(each) and _of_postgres(each) and (_state(each) or "08").startswith(AWAY):
            return "database"
        if isinstance(each, sqlite3.Error) and _is_one(each):
            return "database"
    return ""


def was_in_the_way(error: BaseException) -> bool:
    """Whether the same would have gone well a moment later."""
    return any((_state(each) or "").startswith(IN_THE_WAY) for each in _chain(error))


def pause_after(waited: timedelta) -> timedelta:
    """Before the next attempt, of what could not be done for so long."""
    return min(max(waited / 4, SHORTEST), LONGEST)


def is_given_up(since: datetime, now: datetime) -> bool:
    return now - since >= GIVEN_UP


def _chain(error: BaseException | None) -> Iterator[BaseException]:
    seen: set[int] = set()
    while error is not None and id(error) not in seen:
        seen.add(id(error))
        yield error
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)


def _is_one(error: BaseException) -> bool:
    if isinstance(error, kombu.exceptions.OperationalError) or _of_redis(error):
        return True
    if isinstance(error, OSError):
        return error.errno in NUMBERS
    if _is_of_postgres(error):
        return _of_postgres(error)
    if isinstance(error, sqlite3.Error):
        return (getattr(error, "sqlite_errorcode", 0) & 0xFF) in SQLITE or _says(error)
    return isinstance(error, DatabaseError) and _says(error)


# The libraries of Redis and PostgreSQL are a tenth of a second or two and some MiB of each process: who has not loaded
# them has no error of them.


def _of_redis(error: BaseException) -> bool:
    library = sys.modules.get("redis.exceptions")
    return library is not None and isinstance(error, (library.ConnectionError, library.TimeoutError))


def _is_of_postgres(error: BaseException) -> TypeGuard[psycopg.Error]:
    library = sys.modules.get("psycopg")
    return library is not None and isinstance(error, library.Error)


def _of_postgres(error: psycopg.Error) -> bool:
    """A connection that was lost or not to be had, one of a pool too, has no SQLSTATE."""
    if error.sqlstate is None:
        library = sys.modules["psycopg"]
        return isinstance(error, (library.OperationalError, library.InterfaceError))
    return error.sqlstate.startswith(CLASSES) or error.sqlstate in STATES


def _state(error: BaseException) -> str | None:
    return error.sqlstate if _is_of_postgres(error) else None


def _says(error: BaseException) -> bool:
    return any(words in str(error) for words in SAID)

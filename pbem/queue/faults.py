"""Faults of the environment (database, disk, broker), told apart from our own."""

from __future__ import annotations

import errno
import sqlite3
import sys
import traceback
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TypeGuard

import kombu.exceptions
from django.conf import settings
from django.db import Error as DatabaseError

from pbem.refusals import Code

if TYPE_CHECKING:
    import psycopg


GIVEN_UP = timedelta(hours=72)  # a message may cause the timeout itself
SHORTEST, LONGEST = timedelta(seconds=5), timedelta(minutes=10)

# SQLSTATE classes: connection, rollback (deadlocks too), resources, intervention (timeouts), system.
CLASSES = ("08", "40", "53", "57", "58")
STATES = ("25006", "25P03", "55P03")  # read-only after a fail-over, idle too long, lock not available
IN_THE_WAY = "40"  # deadlock: the database rolled our transaction back
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
    """Returns whether the error, or one in its chain of causes, is a fault of the environment."""
    return any(_is_one(each) for each in _chain(error))


def was_in_the_way(error: BaseException) -> bool:
    """Returns whether the transaction was rolled back for another one; a retry may succeed."""
    return any((_state(each) or "").startswith(IN_THE_WAY) for each in _chain(error))


def pause_after(waited: timedelta) -> timedelta:
    """Returns the pause before the next attempt: a quarter of the time waited, from 5 s to 10 min."""
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


# Looks the libraries up in `sys.modules`: importing them costs 0.1 to 0.2 s and several MiB.


def _of_redis(error: BaseException) -> bool:
    library = sys.modules.get("redis.exceptions")
    return library is not None and isinstance(error, (library.ConnectionError, library.TimeoutError))


def _is_of_postgres(error: BaseException) -> TypeGuard[psycopg.Error]:
    library = sys.modules.get("psycopg")
    return library is not None and isinstance(error, library.Error)


def _of_postgres(error: psycopg.Error) -> bool:
    # A lost connection, or none from the pool, has no SQLSTATE.
    if error.sqlstate is None:
        library = sys.modules["psycopg"]
        return isinstance(error, (library.OperationalError, library.InterfaceError))
    return error.sqlstate.startswith(CLASSES) or error.sqlstate in STATES


def _state(error: BaseException) -> str | None:
    return error.sqlstate if _is_of_postgres(error) else None


def _says(error: BaseException) -> bool:
    return any(words in str(error) for words in SAID)


# Descriptions of errors

KILLED = "the process ended at work on it"


def error_summary(error: BaseException) -> str:
    """Returns the error's type and place in our source, without its text, which may quote a letter."""
    place = _place(error.__traceback__)
    return f"{type(error).__name__} in {place}" if place else type(error).__name__


def verdict_of(trouble: str) -> str:
    """Returns S03 when a game's code failed, else S02."""
    return Code.ENGINE_ERROR if " in games/" in trouble else Code.POISON


def _place(frames: TracebackType | None) -> str:
    """Returns the innermost frame in our source: `pbem/outbox/rendering/compose.py:41 compose`."""
    ours = ""
    for frame in traceback.extract_tb(frames):
        path = Path(frame.filename)
        if path.is_relative_to(settings.ROOT) and path.relative_to(settings.ROOT).parts[0] in (
            "pbem",
            "games",
        ):
            ours = f"{path.relative_to(settings.ROOT)}:{frame.lineno} {frame.name}"
    return ours

"""Faults of the environment (database, disk, broker), told apart from our own, and their log lines."""

from __future__ import annotations

import errno
import logging
import sqlite3
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, TextIO, TypeGuard

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
AWAY = ("08", "53", "57P", "58")  # the server fails, not the query
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


def what_is_away(error: BaseException) -> str:
    """Returns "database", "disk" or "broker" when that is away; "" when the query may be at fault."""
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


# Log of outages: one line at the beginning and one at the end, in place of one for every sweep and letter.

QUIET = 60.0  # seconds without a fault; longer than any retry interval of ours
NAME = "pbem.outage"
# Messages that these loggers write without an exception.
MESSAGES = {
    "psycopg.pool": ("database", ("error connecting in",)),
    "celery.worker.consumer.consumer": ("broker", ("cannot connect to", "connection to broker lost")),
}


@dataclass
class Outage:
    began: float
    last: float
    others: int = 0


class Merged(logging.StreamHandler[TextIO]):
    """Writes one line when an outage begins and one when it ends; counts the other records.

    `later` calls a function after a number of seconds, in another thread. Each process has its own handler.
    """

    def __init__(
        self,
        stream: TextIO | None = None,
        *,
        later: Callable[[float, Callable[[], None]], None] | None = None,
    ) -> None:
        super().__init__(stream)
        self._later = later or _later
        self._away: dict[str, Outage] = {}

    def emit(self, record: logging.LogRecord) -> None:
        what = _what_is_away(record)
        if not what:
            super().emit(record)
        elif outage := self._away.get(what):
            outage.others, outage.last = outage.others + 1, record.created
        else:
            self._away[what] = Outage(record.created, record.created)
            self._say(
                logging.ERROR, f"the {what} is away: {_reason(record)}; all else that comes of it is counted"
            )
            self._later(QUIET, lambda: self._look(what))

    def _look(self, what: str) -> None:
        self.acquire()
        try:
            outage = self._away[what]
            if (rest := outage.last + QUIET - time.time()) > 0:
                self._later(rest, lambda: self._look(what))
                return
            del self._away[what]
            lasted, others = outage.last - outage.began, outage.others
            self._say(
                logging.WARNING,
                f"the {what} is back: it was away for {lasted:.0f} s, {others} lines were left out",
            )
        finally:
            self.release()

    def _say(self, level: int, text: str) -> None:
        self.handle(logging.LogRecord(NAME, level, __file__, 0, text, None, None))


def _what_is_away(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    if error:
        return what_is_away(error)
    what, words = MESSAGES.get(record.name, ("", ()))
    said = record.getMessage().casefold()
    return what if any(word in said for word in words) else ""


def _reason(record: logging.LogRecord) -> str:
    error = record.exc_info[1] if record.exc_info else None
    return " ".join(str(error or record.getMessage()).split())[:300]


def _later(seconds: float, call: Callable[[], None]) -> None:
    timer = threading.Timer(seconds, call)
    timer.daemon = True
    timer.start()

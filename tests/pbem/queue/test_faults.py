"""What is the environment's fault is told from what is ours."""

from __future__ import annotations

import errno
import sqlite3
from datetime import UTC, datetime, timedelta

import kombu.exceptions
import psycopg
import psycopg.errors
import psycopg_pool
import pytest
import redis.exceptions
from django.db import DataError, InterfaceError, OperationalError, ProgrammingError

from pbem.queue.faults import LONGEST, SHORTEST, is_fault, is_given_up, pause_after, was_in_the_way


def of(cause: Exception, error: Exception | None = None) -> Exception:
    """As Django raises what a driver has raised."""
    error = error or OperationalError(str(cause))
    error.__cause__ = cause
    return error


def busy() -> sqlite3.OperationalError:
    """A real one."""
    with sqlite3.connect("file:busy?mode=memory&cache=shared", uri=True, isolation_level=None) as one:
        one.execute("CREATE TABLE IF NOT EXISTS t (x)")
        one.execute("BEGIN IMMEDIATE")
        with sqlite3.connect("file:busy?mode=memory&cache=shared", uri=True, timeout=0) as two:
            with pytest.raises(sqlite3.OperationalError) as caught:
                two.execute("INSERT INTO t VALUES (1)")
            return caught.value


@pytest.mark.parametrize(
    "error",
    [
        OperationalError("database is locked"),
        of(busy()),
        sqlite3.OperationalError("database or disk is full"),
        OperationalError("disk I/O error"),
        of(psycopg.errors.QueryCanceled("canceling statement due to statement timeout")),
        of(psycopg.errors.AdminShutdown("terminating connection")),
        of(psycopg.errors.SerializationFailure("could not serialize")),
        of(psycopg.errors.DeadlockDetected("deadlock detected")),
        of(psycopg.errors.DiskFull("could not extend file")),
        of(psycopg.errors.TooManyConnections("too many clients")),
        of(psycopg.errors.LockNotAvailable("lock timeout")),
        of(psycopg.OperationalError("server closed the connection unexpectedly")),
        of(psycopg_pool.PoolTimeout("couldn't get a connection after 5.00 sec")),
        of(psycopg.InterfaceError("connection is closed"), InterfaceError("connection is closed")),
        OSError(errno.ENOSPC, "No space left on device"),
        OSError(errno.EIO, "Input/output error"),
        redis.exceptions.ConnectionError("refused"),
        kombu.exceptions.OperationalError("refused"),
    ],
    ids=lambda error: str(error)[:40],
)
def test_the_environment(error: Exception) -> None:
    assert is_fault(error)
    wrapped = RuntimeError("while something else was done")
    wrapped.__cause__ = error
    assert is_fault(wrapped)


@pytest.mark.parametrize(
    "error",
    [
        ZeroDivisionError(),
        RecursionError(),
        MemoryError(),
        OSError(errno.ENOENT, "No such file"),
        TimeoutError("the relay"),
        of(psycopg.errors.UniqueViolation("duplicate key")),
        of(psycopg.errors.UndefinedTable("no such table"), ProgrammingError("no such table")),
        of(psycopg.errors.NumericValueOutOfRange("integer out of range"), DataError("integer out of range")),
        OperationalError("no such column: x"),
    ],
    ids=repr,
)
def test_ours(error: Exception) -> None:
    assert not is_fault(error)


def test_only_who_was_in_the_way_goes_at_once() -> None:
    assert was_in_the_way(of(psycopg.errors.DeadlockDetected("deadlock")))
    assert not was_in_the_way(of(psycopg.errors.QueryCanceled("timeout")))


def test_pauses_grow_and_there_is_an_end() -> None:
    assert pause_after(timedelta()) == SHORTEST
    assert pause_after(timedelta(minutes=4)) == timedelta(minutes=1)
    assert pause_after(timedelta(days=1)) == LONGEST
    noon = datetime(2026, 5, 4, 12, tzinfo=UTC)
    assert not is_given_up(noon, noon + timedelta(hours=71))
    assert is_given_up(noon, noon + timedelta(hours=72))

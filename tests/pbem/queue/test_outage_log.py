"""Of an outage two lines, however much comes of it; all else is written as ever."""

from __future__ import annotations

import logging
import sqlite3
from collections.abc import Callable
from io import StringIO

import psycopg
import pytest
import redis
from django.db import OperationalError

from pbem.queue import faults
from pbem.queue.faults import QUIET, Merged


class Log:
    """The handler, a clock, and what it has to do later."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.now, self.waiting, self.stream = 1000.0, list[tuple[float, Callable[[], None]]](), StringIO()
        self.handler = Merged(
            self.stream, later=lambda seconds, call: self.waiting.append((self.now + seconds, call))
        )
        self.handler.setFormatter(logging.Formatter("%(levelname)s %(name)s %(message)s"))
        monkeypatch.setattr(faults.time, "time", lambda: self.now)  # type: ignore[attr-defined]

    def says(
        self, error: BaseException | None = None, name: str = "pbem.inbox", text: str = "a task failed"
    ) -> None:
        info = (type(error), error, None) if error else None
        record = logging.LogRecord(name, logging.ERROR, __file__, 1, text, None, info)
        record.created = self.now
        self.handler.handle(record)

    def passes(self, seconds: float) -> None:
        self.now += seconds
        due = [each for each in self.waiting if each[0] <= self.now]
        self.waiting = [each for each in self.waiting if each not in due]
        for _, call in due:
            call()

    @property
    def lines(self) -> list[str]:
        return self.stream.getvalue().splitlines()


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Log:
    return Log(monkeypatch)


def of_django(cause: BaseException) -> OperationalError:
    """As Django raises what the library has raised."""
    wrapped = OperationalError(*cause.args)
    wrapped.__cause__ = cause
    return wrapped


def test_one_line_when_it_begins_and_one_when_it_is_over(log: Log) -> None:
    for _ in range(100):
        log.says(of_django(psycopg.OperationalError("connection\nrefused")))
        log.says(name="psycopg.pool", text="error connecting in 'pool-1': connection is bad")
        log.passes(1)
    assert log.lines == [
        "ERROR pbem.outage the database is away: connection refused; all else that comes of it is counted"
    ]
    log.says(ValueError("something else"), text="a fault of ours")
    assert log.lines[1] == "ERROR pbem.inbox a fault of ours"
    log.passes(QUIET)
    assert (
        log.lines[-1]
        == "WARNING pbem.outage the database is back: it was away for 99 s, 199 lines were left out"
    )
    log.passes(3600)
    log.says(of_django(psycopg.OperationalError("again")))
    assert "the database is away: again" in log.lines[-1]


def test_each_part_has_its_own(log: Log) -> None:
    log.says(redis.ConnectionError("Error 111"))
    log.says(name="celery.worker.consumer.consumer", text="consumer: Cannot connect to redis://: Error 111")
    log.says(OSError(28, "No space left on device"))
    log.says(of_django(sqlite3.OperationalError("database is locked")))
    assert [line.split(":")[0] for line in log.lines] == [
        f"ERROR pbem.outage the {what} is away" for what in ("broker", "disk", "database")
    ]


@pytest.mark.parametrize(
    "error",
    [
        of_django(psycopg.errors.QueryCanceled("canceling statement due to statement timeout")),
        of_django(psycopg.errors.DeadlockDetected("deadlock detected")),
        of_django(psycopg.errors.UndefinedTable("no such table")),
        of_django(sqlite3.OperationalError("no such table: x")),
        FileNotFoundError(2, "No such file"),
    ],
)
def test_what_may_be_our_own_fault_is_written_down_each_time(log: Log, error: BaseException) -> None:
    for _ in range(3):
        log.says(error)
    assert [line for line in log.lines if line.startswith("ERROR pbem.inbox a task failed")] == [
        "ERROR pbem.inbox a task failed"
    ] * 3

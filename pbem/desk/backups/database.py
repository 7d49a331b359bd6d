"""The rows as a file and back: SQLite copies itself while it is written, PostgreSQL has tools of its own."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import psycopg
from django.db import connection

from pbem.desk.backups.manifest import Unusable

SQLITE, POSTGRESQL = "pbem.sqlite3", "pbem.dump"
LEAVING = 2.0  # seconds until a client that has hung up is gone


def dump(folder: Path) -> Path:
    """All rows as they were at one moment, however many are written meanwhile."""
    if connection.vendor == "sqlite":
        path = folder / SQLITE
        with closing(sqlite3.connect(path)) as copy:
            _sqlite().backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            _check(copy)
        return path
    path = folder / POSTGRESQL
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={path}")
    return path


def load(folder: Path) -> None:
    """In place of whatever the database holds."""
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(folder / SQLITE)) as copy:
            _check(copy)
            copy.backup(_sqlite())
        connection.close()
        return
    connection.close()
    _run(
        "pg_restore",
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        "--exit-on-error",
        str(folder / POSTGRESQL),
    )


def others() -> int:
    """How many other processes are connected, as far as the database tells."""
    return _others_of_postgresql() if connection.vendor == "postgresql" else _others_of_sqlite()


def _others_of_postgresql() -> int:
    """Asked on a connection of its own: our pool has one or two, which end a moment after it is closed."""
    ours: Any = connection
    ours.close()
    ours.close_pool()
    end = monotonic() + LEAVING
    with psycopg.connect(**ours.get_connection_params(), autocommit=True) as alone:
        while (count := _connected(alone)) and monotonic() < end:
            sleep(0.05)
    return count


def _connected(alone: psycopg.Connection[Any]) -> int:
    found = alone.execute(
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    ).fetchone()
    return int(found[0]) if found else 0


def _others_of_sqlite() -> int:
    """Anyone who has a journal in WAL open keeps everybody else from leaving that mode."""
    name = connection.settings_dict["NAME"]
    if not Path(name).is_file():
        return 0
    connection.close()
    with closing(sqlite3.connect(name, timeout=0)) as alone:
        try:
            alone.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError:
            return 1
    return 0


def _sqlite() -> sqlite3.Connection:
    connection.ensure_connection()
    opened: Any = connection.connection
    return opened  # type: ignore[no-any-return]


def _check(copy: sqlite3.Connection) -> None:
    said = copy.execute("PRAGMA quick_check").fetchone()[0]
    if said != "ok":
        raise Unusable(f"SQLite finds the database damaged: {said}")


def _run(tool: str, *options: str) -> None:
    """The password goes where no list of processes shows it."""
    found = shutil.which(tool)
    if found is None:
        raise Unusable(f"{tool} is not there: install the client tools of PostgreSQL (postgresql-client).")
    told = connection.settings_dict
    places = {
        "PGHOST": "HOST",
        "PGPORT": "PORT",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGDATABASE": "NAME",
    }
    env = os.environ | {name: str(told[key]) for name, key in places.items() if told.get(key)}
    named = (f"--dbname={told['NAME']}",) if tool == "pg_restore" else ()
    done = subprocess.run([found, *named, *options], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unusable(f"{tool}: {done.stderr.strip()[-2000:]}")

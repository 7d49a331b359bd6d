"""The database of the tests is migrated once, and copied until a migration, a model or a group changes: 5 s of each
process."""

from __future__ import annotations

import fcntl
import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from hashlib import sha256
from importlib.metadata import version
from pathlib import Path
from typing import Any

import pytest
from django.core.management.commands.migrate import Command
from django.db import connection

ROOT = Path(__file__).parents[1]
BROUGHT = ("django", "django-unfold")  # they have tables too


@pytest.fixture(scope="session")
def django_db_modify_db_settings(django_db_modify_db_settings: None, request: pytest.FixtureRequest) -> None:
    """Of the set-up that follows, and of nothing later: tests migrate, too."""
    cache, migrate = getattr(request.config, "cache", None), Command.handle
    if cache is None or connection.vendor != "sqlite":
        return

    def copy_or_migrate(command: Command, *args: Any, **options: Any) -> str | None:
        Command.handle = migrate  # type: ignore[method-assign]
        with _kept(cache) as kept:
            if _has_tables(kept):
                connection.ensure_connection()
                kept.backup(connection.connection)
                return None
            said = migrate(command, *args, **options)
            connection.connection.backup(kept)
            return said

    Command.handle = copy_or_migrate  # type: ignore[assignment]


def copied_to(path: Path, config: pytest.Config) -> bool:
    """Whether one was kept before, of which a copy lies there now."""
    cache = getattr(config, "cache", None)
    if cache is None:
        return False
    with _kept(cache) as kept, closing(sqlite3.connect(path)) as copy:
        if _has_tables(kept):
            kept.backup(copy)
        return _has_tables(kept)


@contextmanager
def _kept(cache: pytest.Cache) -> Iterator[sqlite3.Connection]:
    folder = cache.mkdir("migrated")
    with _alone(folder), closing(sqlite3.connect(folder / _key())) as kept:
        yield kept


def _has_tables(database: sqlite3.Connection) -> bool:
    return bool(database.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])


@contextmanager
def _alone(folder: Path) -> Iterator[None]:
    """Of several test processes one migrates, and the others wait for that. What is out of date goes."""
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        for file in folder.glob("*.sqlite3"):
            if file.name != _key():
                file.unlink()
        yield


def _key() -> str:
    found = sha256(" ".join(map(version, BROUGHT)).encode())
    for file in sorted(ROOT.glob("pbem/**/*.py")):
        if {"migrations", "models", "groups"}.intersection((*file.relative_to(ROOT).parts, file.stem)):
            found.update(file.read_bytes())
    return f"{found.hexdigest()}.sqlite3"

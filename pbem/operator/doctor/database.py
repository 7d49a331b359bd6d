"""The database: whether it answers, has our tables, and agrees about the time."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC, datetime
from typing import Any

from django.conf import settings
from django.db import DatabaseError
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.recorder import MigrationRecorder
from django.db.utils import ConnectionHandler

from pbem.operator.problem import Problem
from pbem.squashed import missing

PATIENCE = 5  # seconds until it answers
APART = 5.0  # seconds between two clocks that agree
OLDER = "database is older than this program"
MIGRATE = "Run `pbem upgrade` (or `manage.py migrate`)."


def problems() -> Iterator[Problem]:
    connection = _connection()
    try:
        connection.ensure_connection()
        yield from _tables(connection)
        yield from _clock(connection)
    except (DatabaseError, OSError) as trouble:
        yield Problem(
            "DATABASE_URL", f"the database cannot be used: {_one_line(trouble)}.", _hint(connection)
        )
    finally:
        connection.close()


def _connection() -> BaseDatabaseWrapper:
    """One of its own, without a pool, that gives up soon."""
    entry: dict[str, Any] = dict(settings.DATABASES["default"])
    options = {name: value for name, value in entry.get("OPTIONS", {}).items() if name != "pool"}
    if not _is_sqlite(entry):
        options["connect_timeout"] = PATIENCE
    entry["OPTIONS"] = options
    return ConnectionHandler({"default": entry}).create_connection("default")


def pending() -> list[str]:
    """Migrations that are still to be applied. Raises DatabaseError."""
    connection = _connection()
    try:
        return _pending(MigrationExecutor(connection))
    finally:
        connection.close()


def _pending(executor: MigrationExecutor) -> list[str]:
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [f"{migration.app_label}.{migration.name}" for migration, _ in plan]


def _tables(connection: BaseDatabaseWrapper) -> Iterator[Problem]:
    applied = MigrationRecorder(connection).applied_migrations()
    executor = MigrationExecutor(connection)
    if lacking := list(missing(applied)):
        yield Problem(
            "DATABASE_URL",
            "the database is of a version too old for this one.",
            f"Take a backup, migrate with the last version that has {lacking[-1]}, then with this one.",
        )
    elif not applied:
        yield Problem("DATABASE_URL", "the database is empty.", MIGRATE)
    elif waiting := _pending(executor):
        yield Problem(
            "DATABASE_URL", f"the {OLDER} ({len(waiting)} migrations, the first {waiting[0]}).", MIGRATE
        )
    elif newer := _later(executor, applied):
        yield Problem(
            "DATABASE_URL",
            f"the database is newer than this program: it has {newer[-1]}.",
            "Install the later version again.",
        )


def _later(executor: MigrationExecutor, applied: Collection[tuple[str, str]]) -> list[str]:
    """Migrations that only a later program has."""
    ours = executor.loader.disk_migrations
    known = {*ours, *(old for migration in ours.values() for old in migration.replaces)}
    apps = {app for app, _ in ours}
    return sorted(".".join(name) for name in applied if name[0] in apps and name not in known)


def _clock(connection: BaseDatabaseWrapper) -> Iterator[Problem]:
    if connection.vendor != "postgresql":
        return
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        [there] = cursor.fetchone() or [None]
    here = datetime.now(UTC)
    if there and (apart := abs((here - there).total_seconds())) > APART:
        yield Problem(
            "clock",
            f"that of the database is {apart:.0f} s off this one.",
            "Set both: timedatectl set-ntp true.",
        )


def _hint(connection: BaseDatabaseWrapper) -> str:
    if connection.vendor == "sqlite":
        return f"Is it a database ({connection.settings_dict['NAME']}), in a folder that the service may write in?"
    return "Is it running, and are host, name, user and password right? postgres://USER:PASSWORD@HOST/NAME"


def _is_sqlite(entry: dict[str, Any]) -> bool:
    return str(entry["ENGINE"]).endswith("sqlite3")


def _one_line(trouble: BaseException) -> str:
    return " ".join(str(trouble).split()).rstrip(".")

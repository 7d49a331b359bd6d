"""Checks that a database from before the squashed migrations can be migrated."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder

Applied = Collection[tuple[str, str]]


def missing(applied: Applied) -> Iterator[str]:
    """Yields the last replaced migration of each app that has applied only some of them. An older version has
    to apply it first; without it Django has no path to the present state."""
    for name, replaced in replaced_by().items():
        if name not in applied and 0 < len(set(replaced).intersection(applied)) < len(replaced):
            yield ".".join(replaced[-1])


@cache
def replaced_by() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """Returns the migrations that each squashed one replaces, in order."""
    on_disk = MigrationLoader(None).disk_migrations
    return {name: list(migration.replaces) for name, migration in on_disk.items() if migration.replaces}


@register(Tags.database)
def check_databases(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Runs before `migrate`."""
    lacks = [
        lacking
        for alias in databases or ()
        for lacking in missing(MigrationRecorder(connections[alias]).applied_migrations())
    ]
    hint = "Take a backup, migrate with the last version that has {}, then with this one."
    return [
        Error("The database is of a version too old for this one.", hint=hint.format(lacking), id="pbem.E076")
        for lacking in lacks
    ]

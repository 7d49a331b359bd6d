"""Databases of a version from before the migrations were squashed: which of them can be migrated from here."""

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
    """Of each app whose replaced migrations were applied in part the last one, up to which an older version goes.

    Without them Django has no path from what is there to what is here.
    """
    for name, replaced in replaced_by().items():
        if name not in applied and 0 < len(set(replaced).intersection(applied)) < len(replaced):
            yield ".".join(replaced[-1])


@cache
def replaced_by() -> dict[tuple[str, str], list[tuple[str, str]]]:
    """What each squashed migration stands for, in order."""
    on_disk = MigrationLoader(None).disk_migrations
    return {name: list(migration.replaces) for name, migration in on_disk.items() if migration.replaces}


@register(Tags.database)
def check_databases(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """`migrate` asks it first."""
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

"""Refuses a database of release 0.1: migrations begin anew after it."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any

from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections
from django.db.migrations.recorder import MigrationRecorder

OLD = "The database is of release 0.1, and this one begins with an empty one."
HINT = "Finish its matches with release 0.1, or back it up, set DATABASE_URL to an empty database, and `pbem migrate`."
FIRST = ("matches", "0001_models")


def is_old(applied: Collection[tuple[str, str]]) -> bool:
    """Tells whether the applied migrations (app, name) are those of release 0.1."""
    return FIRST not in applied and any(app == FIRST[0] for app, _ in applied)


@register(Tags.database)
def check_databases(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """Runs before `migrate`."""
    applied = (MigrationRecorder(connections[alias]).applied_migrations() for alias in databases or ())
    return [Error(OLD, hint=HINT, id="pbem.E076") for each in applied if is_old(each)]

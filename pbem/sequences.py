"""Leaves numbers out: what a restore has undone had numbers, and people still write them."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, models


def leave_out(kind: type[models.Model], most: int) -> None:
    """The next row gets a number that is at least `most` larger than it would be, and follows a round one."""
    name = kind._meta.db_table
    last = _last(name) if connection.vendor == "postgresql" else _last_in_sqlite(name)
    following = (last // most + 2) * most
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SELECT setval(pg_get_serial_sequence(%s, 'id'), %s)", [f'"{name}"', following])
        else:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [name])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [name, following])


def numbered(kinds: Iterable[type[models.Model]]) -> Iterable[type[models.Model]]:
    """Those whose rows the database numbers."""
    return (kind for kind in kinds if isinstance(kind._meta.pk, models.AutoField | models.BigAutoField))


def _last(name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [f'"{name}"'])
        cursor.execute(f"SELECT last_value FROM {cursor.fetchone()[0]}")
        return int(cursor.fetchone()[0])


def _last_in_sqlite(name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = %s", [name])
        return int(cursor.fetchone()[0])

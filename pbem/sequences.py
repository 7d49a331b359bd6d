"""The numbers that a database gives to rows: which was the last, and which comes next."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, models


def leave_out(kind: type[models.Model], most: int) -> None:
    """The next row gets a number that is at least `most` larger than it would be, and follows a round one: what a
    restore has undone had numbers, and people still write them.
    """
    go_on_after(kind, (last_number(kind) // most + 2) * most)


def last_number(kind: type[models.Model]) -> int:
    """That was given to a row of this kind, which may be gone; 0 if none was."""
    name = kind._meta.db_table
    return _last(name) if connection.vendor == "postgresql" else _last_in_sqlite(name)


def go_on_after(kind: type[models.Model], last: int) -> None:
    """After 0 comes 1."""
    name = kind._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute(
                "SELECT setval(pg_get_serial_sequence(%s, 'id'), %s, %s)",
                [f'"{name}"', max(last, 1), last > 0],
            )
        else:
            cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [name])
            cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [name, last])


def numbered(kinds: Iterable[type[models.Model]]) -> Iterable[type[models.Model]]:
    """Those whose rows the database numbers."""
    return (kind for kind in kinds if isinstance(kind._meta.pk, models.AutoField | models.BigAutoField))


def _last(name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_get_serial_sequence(%s, 'id')", [f'"{name}"'])
        cursor.execute(f"SELECT CASE WHEN is_called THEN last_value ELSE 0 END FROM {cursor.fetchone()[0]}")
        return int(cursor.fetchone()[0])


def _last_in_sqlite(name: str) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT COALESCE(MAX(seq), 0) FROM sqlite_sequence WHERE name = %s", [name])
        return int(cursor.fetchone()[0])

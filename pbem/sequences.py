"""The numbers that the database gives to rows: the last one, and the next."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import connection, models


def leave_out(kind: type[models.Model], most: int) -> None:
    """Skips at least `most` numbers, up to a round one: letters still name numbers that a restore undid."""
    go_on_after(kind, (last_number(kind) // most + 2) * most)


def last_number(kind: type[models.Model]) -> int:
    """Returns the last number given to a row of this kind, perhaps a deleted one; 0 when there was none."""
    name = kind._meta.db_table
    return _last(name) if connection.vendor == "postgresql" else _last_in_sqlite(name)


def go_on_after(kind: type[models.Model], last: int) -> None:
    """Sets the last number; after 0 comes 1."""
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
    """Returns the models with rows numbered by the database."""
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

"""INSERT and UPDATE that are put together once, as `compiled_query` does it for SELECT; on public API of Django."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, TypeAlias

from django.db import connection
from django.db.models import Field, Model

Column: TypeAlias = "Field[Any, Any]"  # not generic at run time

_TOGETHER = 20  # rows of some thirty values: a database takes no more than some thousands of them


def insert(rows: Sequence[Model], *, ignore_conflicts: bool = False) -> None:
    """Rows of one model that have no key yet, a few in one statement. They get one, unless conflicts are ignored."""
    for begin in range(0, len(rows), _TOGETHER):
        _insert_together(rows[begin : begin + _TOGETHER], ignore_conflicts)


def _insert_together(rows: Sequence[Model], ignore_conflicts: bool) -> None:
    model = type(rows[0])
    values = [_prepared(field, field.pre_save(row, True)) for row in rows for field in _without_key(model)]
    with connection.cursor() as cursor:
        cursor.execute(_insert(model, len(rows), ignore_conflicts), values)
        keys = [] if ignore_conflicts else cursor.fetchall()
    for row, (key,) in zip(rows, keys, strict=False):
        row.pk, row._state.adding, row._state.db = key, False, connection.alias


def save(row: Model, names: Sequence[str]) -> None:
    """Like `save(update_fields=names)`, of a row that is there."""
    values = [_prepared(field, field.pre_save(row, False)) for field in _named(type(row), tuple(names))]
    with connection.cursor() as cursor:
        cursor.execute(_update(type(row), tuple(names), ()), [*values, row.pk])


def update(model: type[Model], pk: int, facts: Mapping[str, object], **still: object) -> int:
    """Write the `facts` into the row with that key, if it `still` has these values, none of them None; how many rows
    that was."""
    values = [_prepared(field, facts[field.name]) for field in _named(model, tuple(facts))]
    wanted = [_prepared(field, still[field.name]) for field in _named(model, tuple(still))]
    with connection.cursor() as cursor:
        cursor.execute(_update(model, tuple(facts), tuple(still)), [*values, pk, *wanted])
        return int(cursor.rowcount)


@cache
def _without_key(model: type[Model]) -> tuple[Column, ...]:
    return tuple(field for field in model._meta.concrete_fields if not field.primary_key)


@cache
def _named(model: type[Model], names: tuple[str, ...]) -> tuple[Column, ...]:
    fields = {field.name: field for field in model._meta.concrete_fields}
    return tuple(fields[name] for name in names)


def _prepared(field: Column, value: Any) -> Any:
    return field.get_db_prep_save(value.pk if isinstance(value, Model) else value, connection)


@cache
def _insert(model: type[Model], count: int, ignore_conflicts: bool) -> str:
    fields = _without_key(model)
    columns = ", ".join(_quoted(field) for field in fields)
    row = f"({', '.join(['%s'] * len(fields))})"
    end = "ON CONFLICT DO NOTHING" if ignore_conflicts else f"RETURNING {_quoted(_key(model))}"
    return f"INSERT INTO {_table(model)} ({columns}) VALUES {', '.join([row] * count)} {end}"


@cache
def _update(model: type[Model], names: tuple[str, ...], still: tuple[str, ...]) -> str:
    changed = ", ".join(f"{_quoted(field)} = %s" for field in _named(model, names))
    wanted = "".join(f" AND {_quoted(field)} = %s" for field in _named(model, still))
    return f"UPDATE {_table(model)} SET {changed} WHERE {_quoted(_key(model))} = %s{wanted}"


def _key(model: type[Model]) -> Column:
    (key,) = (field for field in model._meta.concrete_fields if field.primary_key)
    return key


def _table(model: type[Model]) -> str:
    return connection.ops.quote_name(model._meta.db_table)


def _quoted(field: Column) -> str:
    return connection.ops.quote_name(str(field.column))

"""Queries that are put together once: Django takes ten times longer to write one than the database to answer it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from functools import cache, wraps
from inspect import signature
from typing import Any, ParamSpec, TypeAlias, TypeVar, cast

from django.db import connection
from django.db.models import Expression, Field, Model, QuerySet
from django.db.models.query import FlatValuesListIterable, ModelIterable, get_related_populators
from django.db.transaction import TransactionManagementError

P = ParamSpec("P")
Row = TypeVar("Row")
Made = TypeVar("Made", bound=Model)


def compiled_query(build: Callable[P, QuerySet[Any, Row]]) -> Callable[P, list[Row]]:
    """What the query finds that `build` makes; it is written at the first call, and only filled in from then on.

    `build` gets blanks instead of values, and can do nothing with them but filter by them. Values are texts,
    numbers or moments, never None, by position. Rows are models, with those that the query selects as related and
    what it annotates, or what its `values_list` says.
    """
    count = len(signature(build).parameters)

    @cache
    def query(vendor: str) -> _Query:
        return _Query(cast(Any, build)(*map(_Blank, range(count))))

    @wraps(build)
    def ask(*values: P.args, **_: P.kwargs) -> list[Row]:
        return query(connection.vendor).rows(values)

    return ask


def returned(model: type[Made], statement: str, values: Sequence[object]) -> list[Made]:
    """The rows that the `statement`, an UPDATE written by hand, has changed, as it leaves them."""
    ending, made = _whole(model, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(statement + ending, [_adapted(value) for value in values])
        return [made(list(row)) for row in cursor.fetchall()]


@cache
def _whole(model: type[Made], vendor: str) -> tuple[str, Callable[[list[Any]], Made]]:
    """What returns every column of a row, and makes a model of them."""
    fields = model._meta.concrete_fields
    compiler: Any = model._default_manager.all().query.get_compiler(using=connection.alias)
    table = model._meta.db_table
    converters = list(compiler.get_converters([field.get_col(table) for field in fields]).items())
    names = [field.attname for field in fields]
    quoted = (connection.ops.quote_name(str(field.column)) for field in fields)

    def made(row: list[Any]) -> Made:
        return model.from_db(connection.alias, names, _converted(row, converters))

    return f" RETURNING {', '.join(quoted)}", made


class _Blank(Expression):
    """Stands in the SQL for the value at this place."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place

    def as_sql(self, compiler: object, connection: object) -> tuple[str, Any]:
        return "%s", [self]


class _Query:
    """The SQL of a query, and how its rows become what it is asked for: all that Django finds out each time."""

    def __init__(self, queryset: QuerySet[Any, Any]) -> None:
        compiler: Any = queryset.query.get_compiler(using=queryset.db)
        self._sql, self._parameters = compiler.as_sql()
        self._locks = queryset.query.select_for_update
        columns = [column for column, *_ in compiler.select]
        self._converters = list(compiler.get_converters(columns).items())
        makers: dict[Any, Any] = {ModelIterable: _maker(compiler, queryset.db), FlatValuesListIterable: _only}
        self._made = makers.get(cast(Any, queryset)._iterable_class, tuple)

    def rows(self, values: tuple[object, ...]) -> list[Any]:
        if self._locks and not connection.in_atomic_block:  # Django asks when it writes the SQL
            raise TransactionManagementError("a lock lasts as long as a transaction, and there is none")
        filled = [values[each.place] if isinstance(each, _Blank) else each for each in self._parameters]
        with connection.cursor() as cursor:
            cursor.execute(self._sql, [_adapted(value) for value in filled])
            return [self._made(_converted(list(row), self._converters)) for row in cursor.fetchall()]


def _converted(row: list[Any], converters: Sequence[tuple[int, Any]]) -> list[Any]:
    for place, (each, column) in converters:
        for convert in each:
            row[place] = convert(row[place], column, connection)
    return row


def _maker(compiler: Any, alias: str) -> Callable[[list[Any]], Any]:
    """Makes models of rows, as Django's own iterable does."""
    model, own = compiler.klass_info["model"], len(compiler.klass_info["select_fields"])
    names = [column.target.attname for column, *_ in compiler.select[:own]]
    populators: Any = get_related_populators  # its stubs are those of the next Django
    related = populators(compiler.klass_info, compiler.select, alias)
    annotated = list(compiler.annotation_col_map.items())

    def make(row: list[Any]) -> Any:
        made = model.from_db(alias, names, row[:own])
        for each in related:
            each.populate(row, made)
        for name, place in annotated:
            setattr(made, name, row[place])
        return made

    return make


def _only(row: list[Any]) -> Any:
    (value,) = row
    return value


def _adapted(value: object) -> Any:
    return connection.ops.adapt_datetimefield_value(value) if isinstance(value, datetime) else value


# INSERT and UPDATE that are put together once, as `compiled_query` does it for SELECT; on public
# API of Django.

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

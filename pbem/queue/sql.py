"""SQL that is compiled once: Django takes ten times longer to write a query than the database to run it.

With the ORM in its place a move costs 35 to 70 % more CPU, measured in one process.
"""

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
    """Compiles the query that `build` makes at the first call, and only fills in the values afterwards.

    `build` gets placeholders and may only filter by them. Values are texts, numbers or moments, never None,
    and are passed by position. Returns models with their `select_related` rows and annotations, or the rows
    of `values_list`.
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
    """Runs `statement`, an UPDATE written by hand, and returns the rows that it changed, as updated."""
    ending, made = _whole(model, connection.vendor)
    with connection.cursor() as cursor:
        cursor.execute(statement + ending, [_adapted(value) for value in values])
        return [made(list(row)) for row in cursor.fetchall()]


@cache
def _whole(model: type[Made], vendor: str) -> tuple[str, Callable[[list[Any]], Made]]:
    """Returns the RETURNING clause for all columns, and the function that makes a model of a row."""
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
    """A placeholder for the value at this position."""

    def __init__(self, place: int) -> None:
        super().__init__()
        self.place = place

    def as_sql(self, compiler: object, connection: object) -> tuple[str, Any]:
        return "%s", [self]


class _Query:
    """The compiled SQL of a query, and how its rows become results."""

    def __init__(self, queryset: QuerySet[Any, Any]) -> None:
        compiler: Any = queryset.query.get_compiler(using=queryset.db)
        self._sql, self._parameters = compiler.as_sql()
        self._locks = queryset.query.select_for_update
        columns = [column for column, *_ in compiler.select]
        self._converters = list(compiler.get_converters(columns).items())
        makers: dict[Any, Any] = {ModelIterable: _maker(compiler, queryset.db), FlatValuesListIterable: _only}
        self._made = makers.get(cast(Any, queryset)._iterable_class, tuple)

    def rows(self, values: tuple[object, ...]) -> list[Any]:
        if self._locks and not connection.in_atomic_block:  # Django checks this when it compiles the SQL
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
    """Returns a function that makes models of rows, as Django's own iterable does."""
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


# Compiled INSERT and UPDATE

Column: TypeAlias = "Field[Any, Any]"  # not generic at run time

_TOGETHER = 20  # rows of about 30 values; databases limit the parameters of a statement


def insert(rows: Sequence[Model], *, ignore_conflicts: bool = False) -> None:
    """Inserts rows of one model, several per statement. Sets their keys unless conflicts are ignored."""
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
    """Saves the named fields of an existing row, as `save(update_fields=names)` does."""
    values = [_prepared(field, field.pre_save(row, False)) for field in _named(type(row), tuple(names))]
    with connection.cursor() as cursor:
        cursor.execute(_update(type(row), tuple(names), ()), [*values, row.pk])


def update(model: type[Model], pk: int, facts: Mapping[str, object], **still: object) -> int:
    """Writes `facts` into the row with that key while it has the `still` values, none of them None.

    Returns the number of rows changed.
    """
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

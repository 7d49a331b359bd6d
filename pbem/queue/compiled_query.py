"""Queries that are put together once: Django takes ten times longer to write one than the database to answer it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import cache, wraps
from inspect import signature
from typing import Any, ParamSpec, TypeVar, cast

from django.db import connection
from django.db.models import Expression, Model, QuerySet
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

"""Small answers from several querysets in one question: the first value of each, or how many rows it has."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connections, models

Rows = models.QuerySet[Any, Any]


@dataclass(frozen=True)
class First:
    """Of a queryset of one column; None where it has no row."""

    rows: Rows


@dataclass(frozen=True)
class Size:
    """Counted no further than `most`."""

    rows: Rows
    most: int


def scalars(asked: Sequence[First | Size | None]) -> list[Any]:
    """An answer to each, in their order."""
    parts, values, places = list[str](), list[Any](), list[tuple[int, Any]]()
    found: list[Any] = [0 if isinstance(each, Size) else None for each in asked]
    connection = next((connections[each.rows.db] for each in asked if each), None)
    for place, each in enumerate(asked):
        try:
            if isinstance(each, Size):
                sql, params = each.rows.order_by().values("pk")[: each.most].query.sql_with_params()
                parts.append(f"(SELECT count(*) FROM ({sql}) counted)")
                places.append((place, None))
            elif each:
                compiler = each.rows[:1].query.get_compiler(connection=connection)
                sql, params = compiler.as_sql()
                parts.append(f"({sql})")
                places.append((place, compiler))
            else:
                continue
        except EmptyResultSet:
            continue
        values += params
    if connection and parts:
        with connection.cursor() as cursor:
            cursor.execute(f"SELECT {', '.join(parts)}", values)
            for (place, compiler), value in zip(places, cursor.fetchone(), strict=True):
                found[place] = _converted(compiler, value) if compiler else value
    return found


def _converted(compiler: Any, value: Any) -> Any:
    """As a queryset would give it."""
    converters = compiler.get_converters([compiler.select[0][0]])
    [[converted]] = compiler.apply_converters([[value]], converters)
    return converted

"""How many rows each of several querysets has, counted no further than anybody cares: one question for all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.core.exceptions import EmptyResultSet
from django.db import connections, models


def sizes(querysets: Sequence[models.QuerySet[Any]], most: int) -> list[int]:
    """Up to `most` each, in their order."""
    asked, values, places = list[str](), list[Any](), list[int]()
    for place, rows in enumerate(querysets):
        try:
            sql, params = rows.order_by().values("pk")[:most].query.sql_with_params()
        except EmptyResultSet:
            continue
        asked.append(f"(SELECT count(*) FROM ({sql}) counted)")
        values += params
        places.append(place)
    found = [0] * len(querysets)
    if asked:
        with connections[querysets[0].db].cursor() as cursor:
            cursor.execute(f"SELECT {', '.join(asked)}", values)
            for place, size in zip(places, cursor.fetchone(), strict=True):
                found[place] = size
    return found

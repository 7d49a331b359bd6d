"""Lists of a million rows with keyset pagination: nothing is counted or skipped.

`OFFSET` reads every row that it skips, `COUNT(*)` every row; a key lookup costs the same on every page
(https://use-the-index-luke.com/no-offset). A list is ordered by columns that are never NULL.
"""

from __future__ import annotations

import json
from typing import Any

from django.contrib.admin.views.main import PAGE_VAR, ChangeList
from django.core.exceptions import FieldDoesNotExist, ValidationError
from django.db import models
from django.http import HttpRequest

Keys = list[tuple[str, bool]]  # columns, most significant first, each with True for descending


class KeysetPage:
    """The pages before and after this one; `template_name` is what Unfold draws below the list."""

    template_name = "admin/desk/leaf.html"
    previous: str | None = None
    next: str | None = None


class KeysetList(ChangeList):
    def get_results(self, request: HttpRequest) -> None:
        keys = _keys(self.queryset)
        backward, after = self._asked(request)
        rows = self._rows(keys, after, backward)
        more, rows = len(rows) > self.list_per_page, rows[: self.list_per_page]
        if backward:
            rows.reverse()
        self.paginator = KeysetPage()
        if rows and (more if backward else after is not None):
            self.paginator.previous = self._link("<", keys, rows[0])
        if rows and (backward or more):
            self.paginator.next = self._link(">", keys, rows[-1])
        self.result_list = rows
        self.result_count = self.full_result_count = len(rows)
        self.show_full_result_count = False
        self.show_admin_actions = True
        self.can_show_all = self.multi_page = False

    def _rows(self, keys: Keys, after: list[Any] | None, backward: bool) -> list[Any]:
        """Returns up to one row more than a page holds, in the order of the search."""
        queryset = self.queryset
        if after is not None:
            queryset = queryset.filter(_beyond(keys, after, backward))
        return list((queryset.reverse() if backward else queryset)[: self.list_per_page + 1])

    def _asked(self, request: HttpRequest) -> tuple[bool, list[Any] | None]:
        """Returns (backward, keys of the row beside the page); the first page for a malformed link."""
        asked = request.GET.get(PAGE_VAR, "")
        try:
            keys = _keys(self.queryset)
            written = json.loads(asked[1:])
            "".join(
                filter(lambda key: isinstance(key, str), written)
            ).encode()  # raises for lone surrogates, which JSON may contain
            values = [
                _field(self.model, name).to_python(v) for (name, _), v in zip(keys, written, strict=True)
            ]
        except (ValueError, TypeError, OverflowError, RecursionError, ValidationError):
            return False, None
        return asked[0] == "<", values

    def _link(self, sign: str, keys: Keys, row: Any) -> str:
        values = [_field(self.model, name).value_to_string(row) for name, _ in keys]
        return self.get_query_string({PAGE_VAR: sign + json.dumps(values)})


def _keys(queryset: models.QuerySet[Any]) -> Keys:
    # Each column once: the admin appends the order of the rows to its own.
    named: dict[str, bool] = {}
    for name in map(str, queryset.query.order_by):
        named.setdefault(name.removeprefix("-"), name.startswith("-"))
    return list(named.items())


def _beyond(keys: Keys, values: list[Any], backward: bool) -> models.Q:
    """Builds the condition that (a, b) comes after (x, y): a >= x and (a > x or a = x and b > y)."""
    beyond, equal = models.Q(), models.Q()
    for (name, descending), value in zip(keys, values, strict=True):
        side = "lt" if descending != backward else "gt"
        beyond |= equal & models.Q((f"{name}__{side}", value))
        equal &= models.Q((name, value))
    (first, descending), *others = keys
    if not others:
        return beyond
    # The first part lets the database use the index.
    side = "lte" if descending != backward else "gte"
    return models.Q((f"{first}__{side}", values[0])) & beyond


def _field(model: type[models.Model], name: str) -> Any:
    try:
        return model._meta.pk if name == "pk" else model._meta.get_field(name)
    except FieldDoesNotExist as missing:
        raise TypeError(f"{name} is no column of {model.__name__}") from missing

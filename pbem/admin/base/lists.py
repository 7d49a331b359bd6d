"""What the lists of the desk share: filters and short moments."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext

from pbem.admin.base.search import newest


class AmongNewest(admin.ChoicesFieldListFilter):
    """A filter on a column without an index, restricted to the newest rows."""

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
        if self.lookup_val is None:
            return queryset
        found = super().queryset(request, queryset)
        return queryset if found is None else found.filter(newest(queryset.model))


class HasHappened(admin.SimpleListFilter):
    """A yes-or-no filter on a moment that is NULL until it happens. `parameter_name` is its field."""

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", gettext("Yes")), ("0", gettext("No"))]

    def queryset(self, request: HttpRequest, queryset: models.QuerySet[Any]) -> models.QuerySet[Any]:
        if self.value() is None:
            return queryset
        return queryset.filter(**{f"{self.parameter_name}__isnull": self.value() == "0"})


def when(moment: datetime | None) -> str:
    """Formats a moment for a list; "-" for None."""
    return date_format(localtime(moment), "SHORT_DATETIME_FORMAT") if moment else "-"


def moment(at: datetime | None, distance: Callable[[datetime], str]) -> str:
    """Formats a moment for a list by its distance from now, and by its date where a pointer rests. "-" for None."""
    return format_html('<span title="{}">{}</span>', when(at), distance(at)) if at else "-"

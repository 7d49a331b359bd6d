"""What the lists of the desk share: filters and short moments."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext

from pbem.admin.base.search import newest

# Unfold writes some 600 bytes of classes into each cell, and 200 into each choice of a filter; desk.css says the same.
LEANER: Sequence[tuple[re.Pattern[bytes], bytes | Callable[[re.Match[bytes]], bytes]]] = (
    (re.compile(rb'<(t[dh]) class="(action-checkbox|field-[\w-]+) [^"]*"'), rb'<\1 class="\2"'),
    (re.compile(rb'data-label="[a-z]'), lambda label: label[0][:-1] + label[0][-1:].upper()),
    (re.compile(rb'<tr class="data-row [^"]*"'), b'<tr class="data-row"'),
    (re.compile(rb'<tbody class="block relative lg:table-row-group[^>]*>'), b"<tbody>"),
    (re.compile(rb'class="appearance-none[^"]*action-select"'), b'class="action-select"'),
    (re.compile(rb' class="text-font-important-light dark:text-font-important-dark" ?>'), b">"),
    (
        re.compile(rb'<li class="border-b border-base-200 last:border-b-0 dark:border-base-700 hover:[^"]*"'),
        b"<li",
    ),
    (re.compile(rb' class="block px-3 py-2 hover:text-primary-600 dark:hover:text-primary-500"'), b""),
    (re.compile(rb"\s*\n\s*"), b"\n"),
)


def lean(page: HttpResponse) -> None:
    """Takes from a list what repeats in each of its rows."""
    content = page.content
    for wordy, short in LEANER:
        content = wordy.sub(short, content)
    page.content = content


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

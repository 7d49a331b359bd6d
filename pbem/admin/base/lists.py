"""What the lists of the desk share: filters and short moments."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest, HttpResponse
from django.utils.dateparse import parse_datetime
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.timezone import localtime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.move_numbers import mark
from pbem.players.models import Address, Player, fold
from pbem.players.names import skeleton

# Words of a search box: a number, a player, an address; every lookup uses an index

MOST_PLAYERS = 20
NEWEST = 100_000  # letters that are searched for an unknown address


def number(word: str) -> int | None:
    """Parses `12` and `[12]`. None when it is no number."""
    digits = word.strip().strip("[]#")
    return int(digits) if digits.isdecimal() and digits.isascii() and len(digits) < 19 else None


def players(word: str) -> list[int]:
    """Returns the players with a name or address that begins with the word: `zoe` finds Zoë."""
    if not fold(word):
        return []
    named = Player.objects.filter(folded__startswith=fold(word)).order_by("folded")
    alike = Player.objects.filter(skeleton__startswith=skeleton(word)).order_by("skeleton")
    owners = Address.objects.filter(email__startswith=word.strip().lower()).order_by("email")
    return [
        *named.values_list("pk", flat=True)[:MOST_PLAYERS],
        *alike.values_list("pk", flat=True)[:MOST_PLAYERS],
        *owners.values_list("player", flat=True)[:MOST_PLAYERS],
    ]


def newest(rows: type[models.Model]) -> models.Q:
    """Returns the condition for the newest rows, to combine with conditions that have no index."""
    last = models.Subquery(
        rows._default_manager.order_by("-pk").values("pk")[:1], output_field=models.BigIntegerField()
    )
    return models.Q(pk__gt=last - models.Value(NEWEST, output_field=models.BigIntegerField()))


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


# Values of rows for readers: local moments, lists and tables without brackets and quotes

# Keys of events and of audited rows that are no columns of a table
NAMES = {
    "reason": _("reason"),
    "text": _("message"),
    "message": _("message"),
    "days": _("days"),
    "days_left": _("days of absence left"),
    "until": _("until"),
    "since": _("since"),
    "waiting": _("days of waiting"),
    "entered": _("entered by the organiser"),
    "first": _("first half-move"),
    "left": _("seconds left"),
    "undone": _("half-moves taken back"),
    "email": _("address"),
    "verified_at": _("verified"),
    "addresses": _("addresses"),
}


def in_words(value: Any) -> str:
    match value:
        case None | "":
            return "-"
        case bool():
            return gettext("Yes") if value else gettext("No")
        case datetime():
            return when(value)
        case str():
            moment = _moment(value)
            return when(moment) if moment else value
        case Mapping():
            return ", ".join(
                f"{named(key)}: {_said(key, each)}"
                for key, each in value.items()
                if each not in (None, "", [])
            )
        case list() | tuple():
            return "; ".join(map(in_words, value)) or "-"
    return str(value)


def _said(key: str, value: Any) -> str:
    return mark(value) if key == "first" and isinstance(value, int) else in_words(value)


def named(key: str) -> str:
    return str(NAMES.get(key, key.replace("_", " ")))


def _moment(text: str) -> datetime | None:
    """Parses a moment of JSON. None for a date alone, or for any other text."""
    if len(text) < 16 or text[10:11] != "T":
        return None
    try:
        moment = parse_datetime(text)
    except ValueError:
        return None
    return moment if moment and moment.tzinfo else None

"""Formats values of rows for readers: local moments, lists and tables without brackets and quotes."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils.dateparse import parse_datetime
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.move_numbers import mark
from pbem.admin.base.lists import when

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

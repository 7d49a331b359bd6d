"""The sidebar of the desk: its lists in groups, for users who may view them."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import models
from django.http import HttpRequest
from django.templatetags.static import static
from django.urls import reverse, reverse_lazy
from django.utils.text import capfirst
from django.utils.translation import gettext_lazy as _

from pbem.admin.models import AuditEntry
from pbem.analysis.models import AnalysisJob
from pbem.competitions.models import Competition
from pbem.inbox.models import Confirmation, InboundMail, PersonalMessage
from pbem.matches.models import Event, Heartbeat, Invitation, Match, Outage, Seek
from pbem.outbox.models import BouncedMail, OutboundMail, SlowDomain
from pbem.players.models import Holiday, Player
from pbem.ratings.models import RatedGame, Rating
from pbem.robots.models import EngineJob

# Each list with the name of its icon in Material Symbols
DRAWERS: list[tuple[Any, list[tuple[type[models.Model], str]]]] = [
    (
        _("Play"),
        [
            (Match, "grid_on"),
            (Competition, "emoji_events"),
            (Player, "person"),
            (Rating, "leaderboard"),
            (RatedGame, "trending_up"),
            (Seek, "storefront"),
            (Invitation, "mail"),
            (Holiday, "celebration"),
            (Event, "history"),
            (EngineJob, "smart_toy"),
            (AnalysisJob, "query_stats"),
        ],
    ),
    (
        _("Letters"),
        [
            (PersonalMessage, "forum"),
            (InboundMail, "move_to_inbox"),
            (OutboundMail, "outbox"),
            (Confirmation, "help"),
            (BouncedMail, "undo"),
            (SlowDomain, "hourglass_empty"),
        ],
    ),
    (
        _("Service"),
        [
            (AuditEntry, "fact_check"),
            (Outage, "power_off"),
            (Heartbeat, "monitor_heart"),
            (User, "badge"),
            (Group, "groups"),
        ],
    ),
]


def drawers(request: HttpRequest) -> list[dict[str, Any]]:
    """Returns the sidebar for Unfold: the first page, then every list."""
    front = {"title": _("Admin"), "icon": "desk", "link": reverse("admin:index")}
    groups = [{"title": title, "items": [_item(*row) for row in rows]} for title, rows in DRAWERS]
    return [{"items": [front]}, *groups]


def own_account(request: HttpRequest) -> list[dict[str, Any]]:
    """Returns the entries of the account menu, beside the password."""
    return [{"title": _("Second factor"), "link": reverse_lazy("second-factor")}]


def _item(model: type[models.Model], icon: str) -> dict[str, Any]:
    opts = model._meta
    return {
        "title": capfirst(opts.verbose_name_plural),
        "icon": icon,
        "link": reverse_lazy(f"admin:{opts.app_label}_{opts.model_name}_changelist"),
        "permission": partial(_may_open, model),
    }


def _may_open(model: type[models.Model], request: HttpRequest) -> bool:
    return admin.site.get_model_admin(model).has_view_permission(request)


# The look: style, script, and Unfold's own strings

PAPER = {
    "50": "#f6f3ea",
    "100": "#ece7da",
    "200": "#e0d9c8",
    "300": "#cfc7b4",
    "400": "#a89f8d",
    "500": "#6b655a",
    "600": "#4f493f",
    "700": "#453f36",
    "800": "#34302a",
    "900": "#1f1c18",
    "950": "#171512",
}
RED = {
    "50": "#fbeeeb",
    "100": "#f5d9d3",
    "200": "#ecbab0",
    "300": "#e29385",
    "400": "#d6665a",
    "500": "#e27c6d",
    "600": "#a02c20",
    "700": "#8a251b",
    "800": "#6f2017",
    "900": "#571c15",
    "950": "#330e0a",
}


def colours(request: HttpRequest) -> dict[str, dict[str, str]]:
    """Returns Unfold's palette: `primary` 600 is the colour of the light theme, 500 that of the dark one."""
    return {
        "base": dict(PAPER),
        "primary": dict(RED),
        "font": {
            "subtle-light": PAPER["500"],
            "subtle-dark": PAPER["400"],
            "default-light": PAPER["600"],
            "default-dark": PAPER["200"],
            "important-light": PAPER["900"],
            "important-dark": PAPER["50"],
        },
    }


def style(request: HttpRequest) -> str:
    return static("desk/desk.css")


def script(request: HttpRequest) -> str:
    return static("desk/desk.js")


# Unfold's own strings: it brings no translations, so ours must have them.

SENTENCES = (
    _("Log out"),  # and a string that Django translates wrongly into Italian
    _("Select %s to view"),
    _("Select record"),
    _("Select all rows"),
    _("Select action"),
    _("Select action to run"),
    _("Run"),
    _("Select value"),
    _("Filters"),
    _("Apply Filters"),
    _("Reset filters"),
    _("Type to search"),
    _("Search apps and models..."),
    _("Recent searches"),
    _("No recent searches"),
    _("No results matching your query"),
    _("No results found"),
    _("This page yielded into no results. Create a new item or reset your filters."),
    _("Previous"),
    _("Next"),
    _("More actions"),
    _("Go back"),
    _("True"),
    _("False"),
    _("Cancel"),
    _("Submit"),
    _("This item will be deleted."),
    _("Click to cancel"),
    _("Click to download"),
    _("Choose file to upload"),
    _("Add row"),
    _("Date"),
    _("Welcome back to"),
    _("Return to site"),
    _("Toggle password visibility"),
    _("You have been successfully logged out from the administration"),
    _("After you've created a user, you’ll be able to edit more user options."),
    _("Light"),
    _("Dark"),
    _("System"),
)

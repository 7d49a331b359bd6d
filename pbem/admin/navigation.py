"""The sidebar of the desk: its lists in groups, for users who may view them."""

from __future__ import annotations

from functools import partial
from typing import Any

from django.contrib import admin
from django.contrib.auth.models import Group, User
from django.db import models
from django.http import HttpRequest
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

"""Matches by what their clocks say: over, overdue, soon overdue, or nobody has moved for long."""

from __future__ import annotations

from datetime import timedelta
from typing import Any, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pbem.desk.base.search import number
from pbem.inbox.models import InboundMail
from pbem.matches.models import Match, MatchQuerySet
from pbem.outbox.delivery.match_hold import standing_still
from pbem.players.models import Player

SOON = timedelta(days=1)
LONG_WAITS = (7, 14, 30)  # days


class Clock(admin.SimpleListFilter):
    title = _("clock")
    parameter_name = "clock"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("flagged", gettext("over, to be decided")),
            ("overdue", gettext("overdue")),
            ("soon", gettext("overdue within a day")),
            ("held", gettext("stopped for an email that was set aside")),
        ]

    def queryset(self, request: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        now = timezone.now()
        match self.value():
            case "flagged":
                return matches.filter(flagged_at__isnull=False)
            case "overdue":
                return matches.filter(status=Match.Status.PLAYING, deadline__lt=now)
            case "soon":
                playing = matches.filter(status=Match.Status.PLAYING)
                return playing.filter(deadline__gte=now, deadline__lt=now + SOON)
            case "held":
                return standing_still(cast(MatchQuerySet, matches), InboundMail)
        return matches


# Where every match of the list has the moment, it is the order: whose time ends first stands first.
ORDER = {"flagged": ("flagged_at", "pk"), "overdue": ("deadline", "pk"), "soon": ("deadline", "pk")}


class Awaited(admin.SimpleListFilter):
    title = _("a move is awaited")
    parameter_name = "awaited"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(days), gettext("for more than %(days)s days") % {"days": days}) for days in LONG_WAITS]

    def queryset(self, request: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        days = next((days for days in LONG_WAITS if str(days) == self.value()), None)
        if days is None:
            return matches
        return matches.filter(
            status=Match.Status.PLAYING, to_move_since__lt=timezone.now() - timedelta(days=days)
        )


class ToMove(admin.SimpleListFilter):
    """Whose move it is, by their number: nobody chooses it here, the desk's first page leads to it."""

    title = _("to move")
    parameter_name = "mover"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        player = self._player(request.GET.get(self.parameter_name))
        return [(str(player.pk), player.name)] if player else []

    def queryset(self, request: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        player = self._player(self.value())
        return matches.filter(pk__in=Match.objects.waiting_for(player).values("pk")) if player else matches

    @staticmethod
    def _player(asked: str | None) -> Player | None:
        asked_for = number(asked or "")
        return None if asked_for is None else Player.objects.filter(pk=asked_for).first()


def order(request: HttpRequest) -> tuple[str, ...]:
    """Whose time ends first stands first, or who has let wait the longest; else the newest."""
    if request.GET.get(Awaited.parameter_name) in {str(days) for days in LONG_WAITS}:
        return ("to_move_since", "pk")
    return ORDER.get(request.GET.get(Clock.parameter_name, ""), ("-pk",))

"""Bounces at the desk: the response, its weight, and unreachable players."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pbem.admin.base.lists import when
from pbem.admin.base.pages import ReadOnlyAdmin, link
from pbem.admin.base.search import players
from pbem.admin.letters.verdicts import BounceVerdicts, explained, named
from pbem.inbox.models import InboundMail
from pbem.outbox.models import BouncedMail
from pbem.players.models import Player

LONG = timedelta(days=30)  # after so long a stopped clock needs a decision


class BouncedMailAdmin(ReadOnlyAdmin):
    list_display = ("happened", "address", "outcome", "points", "said", "player")
    list_filter = (BounceVerdicts, "happened_at")
    list_select_related = ("letter__player",)
    search_fields = ("address",)
    search_help_text = _("The whole address, or the beginning of a player's name")
    sortable_by = ("happened",)
    fields = (
        "happened_at",
        "address",
        "of_player",
        "outcome",
        "advice",
        "points",
        "reply",
        "of_letter",
        "told_by",
    )

    def found(self, word: str) -> models.Q:
        return models.Q(address=word.strip().lower()) | models.Q(letter__player__in=players(word))

    @admin.display(description=_("when"), ordering="pk")
    def happened(self, row: BouncedMail) -> str:
        return when(row.happened_at)

    @admin.display(description=_("verdict"))
    def outcome(self, row: BouncedMail) -> str:
        return named(row.fate)

    @admin.display(description=_("what it means"))
    def advice(self, row: BouncedMail) -> str:
        return explained(row.fate)

    @admin.display(description=_("what was said"))
    def said(self, row: BouncedMail) -> str:
        return row.reply[:80] or "-"

    @admin.display(description=_("player"))
    def player(self, row: BouncedMail) -> str:
        return str(row.letter.player or "-")

    @admin.display(description=_("player"))
    def of_player(self, row: BouncedMail) -> str:
        return link(row.letter.player)

    @admin.display(description=_("outgoing letter"))
    def of_letter(self, row: BouncedMail) -> str:
        return link(row.letter)

    @admin.display(description=_("incoming email"))
    def told_by(self, row: BouncedMail) -> str:
        return link(InboundMail(pk=row.report), row.report) if row.report else gettext("our relay, at once")


class Unreachable(admin.SimpleListFilter):
    """Filters players who are unreachable now, or for 30 days, which calls for a decision."""

    title = _("unreachable")
    parameter_name = "unreachable"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("now", gettext("Yes")), ("long", gettext("For more than 30 days"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> QuerySet[Player]:
        match self.value():
            case "now":
                return queryset.filter(unreachable_since__isnull=False)
            case "long":
                return queryset.filter(pk__in=long_unreachable())
        return queryset


def long_unreachable() -> QuerySet[Player]:
    """Returns the players who have been unreachable for a month: their matches stand still."""
    return Player.objects.filter(unreachable_since__lt=timezone.now() - LONG)

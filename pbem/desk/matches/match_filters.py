"""Matches of a list by the tournament that they belong to, by what is played, and by what players wish."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from games.registry import games
from pbem.desk.base.search import newest, number
from pbem.matches.matchmaking.eligibility import against_a_wish
from pbem.matches.models import Match, Tournament

SHOWN = 15  # the newest tournaments


class OfTournament(admin.SimpleListFilter):
    title = _("tournament")
    parameter_name = "event"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        rows = list(Tournament.objects.order_by("-pk").values_list("pk", "name")[:SHOWN])
        asked = number(request.GET.get(self.parameter_name, ""))
        if asked is not None and asked not in dict(rows):
            rows += Tournament.objects.filter(pk=asked).values_list("pk", "name")
        return [(str(pk), name) for pk, name in rows]

    def queryset(self, request: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        asked = number(self.value() or "")
        return matches if asked is None else matches.filter(tournament=asked)


class Wishes(admin.SimpleListFilter):
    title = _("wishes of players")
    parameter_name = "wish"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("against", gettext("begun against one of them"))]

    def queryset(self, request: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        return matches.filter(pk__in=against_a_wish().values("pk")) if self.value() == "against" else matches


class OfGame(admin.SimpleListFilter):
    title = _("game")
    parameter_name = "game"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        language = get_language() or settings.LANGUAGE_CODE
        named = [(key, str(game.phrases(language)["name"])) for key, game in games().items()]
        return sorted(named, key=lambda each: each[1])

    def queryset(self, request: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        """With all variants. No index has it: those of the newest matches alone, unless a tournament is chosen."""
        key = self.value()
        if key not in games():
            return matches
        found = matches.filter(Q(game_name=key) | Q(game_name__startswith=f"{key}:"))
        return found if request.GET.get(OfTournament.parameter_name) else found.filter(newest(Match))

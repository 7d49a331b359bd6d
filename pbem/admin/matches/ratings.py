"""Ratings, robot moves and studies at the desk. Ratings are read-only; failed jobs may be tried again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.formats import localize
from django.utils.translation import get_language, gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _

from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.lists import AmongNewest, newest, players, when
from pbem.admin.base.pages import ReadOnlyAdmin, link
from pbem.analysis.models import AnalysisJob
from pbem.matches.models import Seat
from pbem.players.models import Player
from pbem.ratings.history import known_of
from pbem.ratings.leaderboards import EARLY, RECENTLY, figure, title
from pbem.ratings.models import RatedGame, Rating
from pbem.robots.models import EngineJob
from pbem.robots.services import try_again
from pbem.robots.studies import study_again

MATCHES = 30  # the newest matches on the page of a rating


class RatingAdmin(ReadOnlyAdmin):
    change_form_template = "admin/ratings/rating/change_form.html"
    list_display = ("number", "player", "rules", "now", "deviation_now", "matches", "last")
    list_display_links = ("number", "player")
    list_select_related = ("player",)
    search_fields = ("player",)
    search_help_text = _("Start of a player's name or address")
    fields = ("of_player", "rules", "now", "deviation_now", "swings", "matches", "last")

    def found(self, word: str) -> Q:
        return Q(player__in=players(word))

    def page(self, request: HttpRequest, rating: Rating) -> Any:
        rows = RatedGame.objects.filter(pool=rating.pool, match__seats__player=rating.player_id)
        facts = rows.select_related("match").prefetch_related("match__seats__player").order_by("-at", "-pk")
        return {"history": [_told(row, rating.player_id) for row in facts[:MATCHES]]}

    @admin.display(description=_("player"))
    def of_player(self, rating: Rating) -> str:
        return link(rating.player)

    @admin.display(description=_("rules"))
    def rules(self, rating: Rating | RatedGame) -> str:
        return title(rating.pool, get_language() or "en")

    @admin.display(description=_("rating"))
    def now(self, rating: Rating) -> str:
        return figure(known_of(rating).aged(timezone.now()))

    @admin.display(description=_("deviation"))
    def deviation_now(self, rating: Rating) -> int:
        return round(known_of(rating).aged(timezone.now()).deviation)

    @admin.display(description=_("volatility"))
    def swings(self, rating: Rating) -> str:
        return localize(round(rating.volatility, 4))

    @admin.display(description=_("last rated match"))
    def last(self, rating: Rating) -> str:
        return when(rating.at)


class Early(admin.SimpleListFilter):
    title = _("resigned after a few moves")
    parameter_name = "early"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", gettext("Yes"))]

    def queryset(self, request: HttpRequest, rows: QuerySet[RatedGame]) -> QuerySet[RatedGame]:
        if self.value() != "1":
            return rows
        early = Q(match__reason="resigned", match__ply__lt=EARLY, uncounted="")
        return rows.filter(early, at__gte=timezone.now() - RECENTLY)


class RatedAdmin(ReadOnlyAdmin):
    list_display = ("number", "of_match", "rules", "counts", "first", "second", "ended")
    list_select_related = ("match",)
    list_filter = (Early,)
    search_fields = ("match",)
    search_help_text = _("Start of a player's name or address")
    fields = ("of_match", "rules", "counts", "first", "second", "ended")

    def get_queryset(self, request: HttpRequest) -> QuerySet[RatedGame]:
        return super().get_queryset(request).prefetch_related("match__seats__player")

    def found(self, word: str) -> Q:
        return Q(match__in=Seat.objects.filter(player__in=players(word)).values("match"))

    @admin.display(description=_("match"))
    def of_match(self, row: RatedGame) -> str:
        return link(row.match, f"[{row.match_id}]")

    @admin.display(description=_("rules"))
    def rules(self, row: RatedGame) -> str:
        return title(row.pool, get_language() or "en")

    @admin.display(description=_("counts"))
    def counts(self, row: RatedGame) -> str:
        return (
            gettext("No: %(why)s") % {"why": row.get_uncounted_display()} if row.uncounted else gettext("Yes")
        )

    @admin.display(description=_("first"))
    def first(self, row: RatedGame) -> str:
        return _changed(row, 0)

    @admin.display(description=_("second"))
    def second(self, row: RatedGame) -> str:
        return _changed(row, 1)

    @admin.display(description=_("ended"))
    def ended(self, row: RatedGame) -> str:
        return when(row.at)


def _player(row: RatedGame, side: int) -> Player:
    return next(seat.player for seat in row.match.seats.all() if seat.side == side)


def _changed(row: RatedGame, side: int) -> str:
    """Returns the change of a player's rating: `Alice 1523 -> 1541 (±62)`."""
    name, strengths = _player(row, side).name, row.strengths(side)
    if strengths is None:
        return name
    before, after = strengths
    return f"{name} {figure(before)} -> {figure(after)} (±{round(after.deviation)})"


def _told(row: RatedGame, player: int) -> tuple[RatedGame, Player, str]:
    """Returns the row, the opponent, and the change for the player."""
    side = next(seat.side for seat in row.match.seats.all() if seat.player_id == player)
    return row, _player(row, 1 - side), _changed(row, side)


# Robot moves


class Failed(admin.SimpleListFilter):
    """Filters moves that failed, or that were found by the rules alone."""

    title = gettext_lazy("failed")
    parameter_name = "failed"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", gettext("Yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[EngineJob]) -> QuerySet[EngineJob]:
        return (
            queryset.filter(newest(EngineJob), pk__in=EngineJob.objects.failed())
            if self.value()
            else queryset
        )


class ThinkAdmin(ReadOnlyAdmin):
    list_display = ("number", "turn", "level", "status", "due", "tries", "trouble")
    list_filter = (Failed, ("status", AmongNewest), ("level", AmongNewest))
    sortable_by = ("number",)
    fields = (
        *("match", "ply", "kind", "level", "status", "created_at", "due_at", "done_at", "tries"),
        *("move", "score", "chance", "depth", "nodes", "seconds", "trouble"),
    )

    @admin.display(description=gettext_lazy("half-move"))
    def turn(self, think: EngineJob) -> str:
        return str(think)

    @admin.display(description=gettext_lazy("due"))
    def due(self, think: EngineJob) -> str:
        return when(think.due_at)

    def buttons(self, think: EngineJob) -> Sequence[AdminAction]:
        if think.status != EngineJob.Status.FAILED:
            return []
        return [
            AdminAction(
                verb="again",
                label=gettext("Think again"),
                done=gettext("The robot thinks again."),
                press=partial(_again, think),
            )
        ]


def _again(think: EngineJob, pressed: ActionInput) -> None:
    try_again(think, now=pressed.now)


# Studies


class StudyAdmin(ReadOnlyAdmin):
    list_display = ("number", "about", "kind", "status", "due", "tries", "trouble")
    list_filter = (("status", AmongNewest), ("kind", AmongNewest))
    sortable_by = ("number",)
    fields = (
        *("match", "ply", "kind", "status", "created_at", "due_at", "done_at"),
        *("tries", "seconds", "trouble"),
    )

    @admin.display(description=gettext_lazy("match"))
    def about(self, study: AnalysisJob) -> str:
        return f"[{study.match_id}]"

    @admin.display(description=gettext_lazy("due"))
    def due(self, study: AnalysisJob) -> str:
        return when(study.due_at)

    def buttons(self, study: AnalysisJob) -> Sequence[AdminAction]:
        if study.status != AnalysisJob.Status.FAILED:
            return []
        return [
            AdminAction(
                verb="again",
                label=gettext("Look at it again"),
                done=gettext("A robot looks at it again; the player who asked gets a letter."),
                press=partial(_study_again, study),
            )
        ]


def _study_again(study: AnalysisJob, pressed: ActionInput) -> None:
    study_again(study, now=pressed.now)

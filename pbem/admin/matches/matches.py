"""Matches at the desk: starting and importing them, lists, and the page with board, turns and letters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import SystemRandom
from typing import Any

from django import forms
from django.conf import settings
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Prefetch, Q, QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path, reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.timesince import timesince, timeuntil
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from games.registry import games
from pbem.admin.base.actions import AdminAction, added_actions
from pbem.admin.base.forms import GameForm, large_field, pasted, player_field, show_mistakes
from pbem.admin.base.lists import moment, newest, number, players, when
from pbem.admin.base.pages import ReadOnlyAdmin, link, page_of
from pbem.admin.matches import clocks as bulk
from pbem.admin.matches import match_actions
from pbem.admin.matches import timeline as live_board
from pbem.admin.matches.clocks import Awaited, Clock, ToMove, clock_of, order
from pbem.admin.matches.terms import TermsForm, in_sentences
from pbem.admin.matches.timeline import desk_notation, notation_of, notations, timeline, written
from pbem.matches import arbitration
from pbem.matches.arbitration import import_records
from pbem.matches.matchmaking.eligibility import against_a_wish
from pbem.matches.models import Match, Seat, Tournament
from pbem.matches.offers import Mistaken
from pbem.matches.services import start
from pbem.outbox.rendering.board import Board, board_at
from pbem.refusals import Code, Refused, sentence, told

# Filters by tournament, by game, and by the wishes of players

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
    title = _("requests of players")
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
        """Filters by game, among the newest matches (there is no index) unless a tournament is chosen."""
        key = self.value()
        if key not in games():
            return matches
        found = matches.filter(Q(game_name=key) | Q(game_name__startswith=f"{key}:"))
        return found if request.GET.get(OfTournament.parameter_name) else found.filter(newest(Match))


# Starting a match


class StartForm(GameForm, TermsForm):
    field_order = ("first", "second", "game", "switches", "setup", "clock", "policy")

    first = player_field(_("First player"))
    second = player_field(_("Second player"))
    setup = forms.CharField(
        label=_("Set-up"),
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("For games with a random set-up; leave it empty to draw one."),
    )


class ImportForm(forms.Form):
    """Imports records, pasted or in a file."""

    records = large_field(
        _("Records"),
        _("One or several, as JSON or score sheets, as exported here."),
        required=False,
    )
    file = forms.FileField(label=_("Or a file"), required=False)
    notation = forms.ChoiceField(
        label=_("Notation of score sheets"),
        choices=lambda: [("", "---------"), *notations()],
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text=_("Only for those without a [Notation ...] tag; the others name it."),
    )
    tournament = forms.ModelChoiceField(
        Tournament.objects.order_by("-pk"),
        label=_("Tournament"),
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text=_("To which these matches belong; its terms apply to unfinished ones."),
    )

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        answers["text"] = pasted(self, "records", "file")
        tournament = answers.get("tournament")
        now = timezone.now()
        notation = notation_of(answers.get("notation", ""))
        try:
            arbitration.check(answers["text"], notation=notation, tournament=tournament, now=now)
        except Mistaken as mistaken:
            if any(mistake.refused.code == Code.WHICH_NOTATION for mistake in mistaken.mistakes):
                self.add_error("notation", sentence(Code.WHICH_NOTATION))
            else:
                show_mistakes(self, "records", mistaken)
        return answers


MATCHES = 1_000  # the newest that a search for a player finds
AGAIN = ("inbox.change_inboundmail", "outbox.change_outboundmail")  # permissions to process letters again


class MatchAdmin(ReadOnlyAdmin):
    change_form_template = "admin/matches/match/change_form.html"
    list_display = (
        "number",
        "played",
        "between",
        "state",
        "ply",
        "moving",
        "awaited",
        "time_ends",
    )
    actions = (bulk.remind, bulk.give_time)
    change_list_template = "admin/matches/match/change_list.html"
    list_display_links = ("number", "played")
    list_filter = ("status", OfTournament, OfGame, Clock, Awaited, ToMove, Wishes, "started_at")
    search_fields = ("pk", "seats")
    search_help_text = _("Number, or start of a player's name or address")
    fields = (
        "game_name",
        "of_tournament",
        "setup",
        "status",
        "first",
        "second",
        "moving",
        "awaited",
        "result",
        "clock",
        "deadline",
        "flagged_at",
        "said_terms",
        "created_at",
        "started_at",
        "ended_at",
        "position",
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        seats = Seat.objects.select_related("player").order_by("side")
        return super().get_queryset(request).prefetch_related(Prefetch("seats", seats))

    def get_ordering(self, request: HttpRequest) -> tuple[str, ...]:
        return order(request)

    def found(self, word: str) -> Q:
        """Finds a match by number, or the newest thousand of a player."""
        asked = number(word)
        if asked is not None:
            return Q(pk=asked)
        seats = Seat.objects.filter(player__in=players(word)).order_by("-match")
        return Q(pk__in=list(seats.values_list("match", flat=True)[:MATCHES]))

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super(ReadOnlyAdmin, self).has_add_permission(request)

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Starts a match by a service."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = StartForm(request.POST or None)
        if form.is_valid():
            try:
                return redirect(self._started(request, form))
            except Refused as refused:
                form.add_error(None, told(refused))
        return self.form_page(request, form, gettext("Start a match"), gettext("Start the match"))

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.import_view)
        look = self.admin_site.admin_view(self.look)
        return [
            path("import/", view, name="matches_match_import"),
            path("<int:pk>/look/", look, name="matches_match_look"),
            *super().get_urls(),
        ]

    def look(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Answers the scripts of forms about moves."""
        if not self.has_view_permission(request):
            raise PermissionDenied
        match = self.get_object(request, str(pk))
        if match is None:
            raise Http404
        return live_board.looked(request, match)

    def form_context(self, match: Match, button: AdminAction) -> Mapping[str, Any]:
        return live_board.beside(match, button.verb, reverse("admin:matches_match_look", args=[match.pk]))

    def import_view(self, request: HttpRequest) -> HttpResponse:
        """Imports records as matches."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = ImportForm(request.POST or None, request.FILES or None)
        if not form.is_valid():
            return self.form_page(request, form, gettext("Import records"), gettext("Import"))
        with transaction.atomic():
            answers = form.cleaned_data
            matches = import_records(
                answers["text"],
                notation=notation_of(answers["notation"]),
                tournament=answers["tournament"],
                now=timezone.now(),
            )
            for match in matches:
                self.log_addition(request, match, gettext("Import"))
        done = ngettext("%(matches)s match is here.", "%(matches)s matches are here.", len(matches))
        self.message_user(request, done % {"matches": len(matches)}, messages.SUCCESS)
        return redirect(reverse("admin:matches_match_changelist"))

    def buttons(self, match: Match) -> Sequence[AdminAction]:
        return [*match_actions.buttons(match), *added_actions(match)]

    def page(self, request: HttpRequest, match: Match) -> Mapping[str, Any]:
        asked = request.GET.get("ply", "")
        ply = min(int(asked), match.ply) if asked.isdecimal() and len(asked) < 9 else match.ply
        board = board_at(match, ply, desk_notation())
        turns = list(match.turns.order_by("ply", "pk"))
        moves = written(match, turns)
        return {
            "state": _state(match),
            "board": board,
            "picture": live_board.data_uri(board.picture),
            "steps": _steps(board),
            "turns": [(turn, moves[turn.pk], match.players[turn.side]) for turn in turns],
            "timeline": timeline(match, turns, moves),
            "allowed": [name for name in AGAIN if request.user.has_perm(name)],
        }

    def has_press_permission(self, request: HttpRequest) -> bool:
        """Tells whether the user may act on many matches at once."""
        return request.user.has_perm("matches.change_match")

    @admin.display(description=_("status"))
    def state(self, match: Match) -> str:
        outcome = match.outcome()
        return outcome.score if outcome else match.get_status_display()

    @admin.display(description=_("game"))
    def played(self, match: Match) -> str:
        return str(match.game.phrases(get_language() or settings.LANGUAGE_CODE)["name"])

    @admin.display(description=_("players"))
    def between(self, match: Match) -> str:
        return " - ".join(seat.player.name for seat in match.seats.all())

    @admin.display(description=_("time ends"))
    def time_ends(self, match: Match) -> str:
        if match.flagged_at:
            return gettext("over since %(moment)s") % {"moment": when(match.flagged_at)}
        return gettext("stopped") if match.stopped else moment(match.deadline, timeuntil)

    @admin.display(description=_("first player"))
    def first(self, match: Match) -> str:
        return _seat(match, 0)

    @admin.display(description=_("second player"))
    def second(self, match: Match) -> str:
        return _seat(match, 1)

    @admin.display(description=_("tournament"))
    def of_tournament(self, match: Match) -> str:
        return link(match.tournament)

    @admin.display(description=_("terms"))
    def said_terms(self, match: Match) -> str:
        return in_sentences(match.agreed, clock=False) or "-"

    @admin.display(description=_("to move"))
    def moving(self, match: Match) -> str:
        return match.moving.player.name if match.moving else "-"

    @admin.display(description=_("waiting"))
    def awaited(self, match: Match) -> str:
        return moment(match.to_move_since, timesince)

    @admin.display(description=_("clock"))
    def clock(self, match: Match) -> str:
        return clock_of(match, timezone.now())

    @admin.display(description=_("result"))
    def result(self, match: Match) -> str:
        outcome = match.outcome()
        if outcome is None:
            return "-"
        return f"{outcome.score}. {board_at(match, match.ply, desk_notation()).speech.outcome(outcome)}"

    @transaction.atomic
    def _started(self, request: HttpRequest, form: StartForm) -> str:
        match = start(
            first=form.cleaned_data["first"],
            second=form.cleaned_data["second"],
            game=form.game_name(),
            setup=form.cleaned_data["setup"] or None,
            terms=form.cleaned_data["terms"],
            now=timezone.now(),
            rng=SystemRandom(),
        )
        self.made(request, match, "start", gettext("Start a match"))
        self.message_user(
            request, gettext("The match has begun; both players get a letter."), messages.SUCCESS
        )
        return page_of(match)


def _state(match: Match) -> str:
    """Returns who is to move and how much time is left, or how the match has ended."""
    if outcome := match.outcome():
        return board_at(match, match.ply, desk_notation()).speech.outcome(outcome)
    if match.moving is None:
        return str(match.get_status_display())
    turn = gettext("%(name)s is to move.") % {"name": match.moving.player.name}
    if match.flagged_at:
        return f"{turn} {gettext('The time is over.')}"
    if match.stopped:
        return f"{turn} {gettext('The clock is stopped.')}"
    if match.deadline is None:
        return turn
    left = gettext("Time left: %(time)s.") % {"time": timeuntil(match.deadline)}
    return f"{turn} {left}"


def _steps(board: Board) -> list[tuple[str, str, int | None]]:
    """Returns the steps from this half-move: sign, label, half-move. None for a step that leads nowhere."""
    ply, last = board.ply, board.match.ply
    back, forward = max(ply - 1, 0), min(ply + 1, last)
    ways = [
        ("«", gettext("The start"), 0),
        ("‹", gettext("One half-move back"), back),
        ("›", gettext("One half-move on"), forward),
        ("»", gettext("The last half-move"), last),
    ]
    return [(sign, name, None if to == ply else to) for sign, name, to in ways]


def _seat(match: Match, side: int) -> str:
    seat = match.seated[side]
    name = match.game.phrases(get_language() or settings.LANGUAGE_CODE)["sides"][match.game.sides[side]]
    return format_html("{} ({})", link(seat.player), name)

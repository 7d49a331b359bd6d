"""Tournaments at the desk: begun from a list or as a round robin, tables, rounds, announcements."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from random import SystemRandom
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import URLPattern, path
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _

from games.registry import find, in_words
from pbem.admin import events
from pbem.admin.base.actions import ActionInput, AdminAction, added_actions
from pbem.admin.base.lists import when
from pbem.admin.base.pages import SURE, ReadOnlyAdmin, page_of, previewed
from pbem.admin.matches import entries, tables
from pbem.admin.matches.entries import OpenForm
from pbem.admin.matches.match_actions import VIEW, attachment
from pbem.admin.matches.moves import desk_notation
from pbem.admin.matches.terms import against_a_wish, against_among, in_sentences, of_list, of_rounds, of_terms
from pbem.admin.matches.tournament_forms import (
    AT_ONCE,
    ListForm,
    NewTournamentForm,
    PairingsForm,
    RoundRobinForm,
)
from pbem.competitions.cross_table import TournamentSheet, sheet_of, standings
from pbem.competitions.pairings import Rounds, pairings, rounds
from pbem.competitions.tournaments import begin_list, begin_round, begin_round_robin, by_lot, open_tournament
from pbem.matches.arbitration import json_lines, score_sheets
from pbem.matches.models import Match, Tournament
from pbem.outbox.rendering.contest_tables import halves
from pbem.outbox.rendering.spreadsheets import MEDIA_TYPE, Lines, as_csv, match_lines, ods, table_lines
from pbem.players.models import Player

# Ways to begin: from a list, as a round robin, or open for entries. Matches begin only as previewed.

Answers = Mapping[str, Any]


@dataclass(frozen=True)
class Way:
    """A way to begin a tournament. `preview` makes paragraphs of a preview; empty when no match begins yet."""

    title: Any
    send: Any
    form: type[NewTournamentForm]
    begin: Callable[[Tournament, Answers], list[Match]]
    preview: Callable[[Answers], Sequence[str]]


def _begin_list(tournament: Tournament, answers: Answers) -> list[Match]:
    return begin_list(tournament, answers["text"], number=1, now=timezone.now(), rng=SystemRandom())


def _shows_list(answers: Answers) -> list[str]:
    game = answers["game_name"]
    return [_terms(answers), *of_list(pairings(answers["text"], game=game), game)]


def _begin_round_robin(tournament: Tournament, answers: Answers) -> list[Match]:
    at_once = answers["begin"] == AT_ONCE
    return begin_round_robin(
        tournament, _lots(answers), at_once=at_once, now=timezone.now(), rng=SystemRandom()
    )


def _shows_round_robin(answers: Answers) -> list[str]:
    planned = rounds(_lots(answers), double=answers["system"] == Tournament.System.DOUBLE)
    against = against_a_wish((pair for pairs in planned for pair in pairs), answers["game_name"])
    return [_terms(answers), of_rounds(planned), *against]


def _lots(answers: Answers) -> list[Player]:
    """Returns the players in the drawn order, which is the same for the same players and name."""
    return by_lot(answers["listed"], answers["name"])


def _terms(answers: Answers) -> str:
    return of_terms(answers["name"], answers["game_name"], answers["terms"])


def nothing(answers: Answers) -> Sequence[str]:
    """Previews nothing."""
    return ()


LIST = Way(
    _("Start matches from a list of pairings"),
    _("Start the matches"),
    ListForm,
    _begin_list,
    _shows_list,
)
ROUND_ROBIN = Way(
    _("Start a round robin"),
    _("Start the matches"),
    RoundRobinForm,
    _begin_round_robin,
    _shows_round_robin,
)
OPEN = Way(_("Open a tournament for entries"), _("Open it"), OpenForm, lambda *_: [], nothing)


LETTERS = 20  # announcements on a page


class TournamentAdmin(ReadOnlyAdmin):
    change_form_template = "admin/matches/tournament/change_form.html"
    change_list_template = "admin/matches/tournament/change_list.html"
    list_display = ("number", "name", "system", "game", "begun", "created")
    list_display_links = ("number", "name")
    list_filter = ("system",)
    fields = ("name", "system", "game", "said_terms", "entered", "rounds", "begins", "created_at")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super(ReadOnlyAdmin, self).has_add_permission(request)

    def get_urls(self) -> list[URLPattern]:
        view = self.admin_site.admin_view(self.round_robin)
        opened = self.admin_site.admin_view(self.opened)
        return [
            path("round-robin/", view, name="matches_tournament_round_robin"),
            path("open/", opened, name="matches_tournament_open"),
            *super().get_urls(),
        ]

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Creates a tournament from a list of pairings."""
        return self._new(request, LIST)

    def round_robin(self, request: HttpRequest) -> HttpResponse:
        return self._new(request, ROUND_ROBIN)

    def opened(self, request: HttpRequest) -> HttpResponse:
        """Opens a tournament for entries, without matches."""
        return self._new(request, OPEN)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        return super().get_queryset(request).select_related("table")

    def buttons(self, tournament: Tournament) -> Sequence[AdminAction]:
        return list(_buttons(tournament))

    def page(self, request: HttpRequest, tournament: Tournament) -> Mapping[str, Any]:
        rows = standings(tournament, _sheet(tournament))
        table = [
            (row, halves(row.points), cells) for row, cells in zip(rows, tables.crosses(rows), strict=True)
        ]
        letters = tournament.announcements.order_by("-pk")[:LETTERS]
        now = timezone.now()
        [event] = events.running(now, [tournament.pk])
        return {
            "withdrawn": [entry for entry in _sheet(tournament).entries if entry.withdrawn_at],
            "table": table,
            "against": _against(tournament),
            "rounds": _rounds(tournament),
            "event": event,
            "invitees": entries.invitees(tournament, now),
            "letters": [(letter, letter.in_language(get_language() or "")) for letter in letters],
        }

    @admin.display(description=_("game"))
    def game(self, tournament: Tournament) -> str:
        language = get_language() or "en"
        title = find(tournament.game_name)[0].phrases(language)["name"]
        return f"{title}: {in_words(tournament.game_name, language)}"

    @admin.display(description=_("terms"))
    def said_terms(self, tournament: Tournament) -> str:
        return in_sentences(tournament.agreed) or "-"

    @admin.display(description=_("players"))
    def entered(self, tournament: Tournament) -> int:
        return len(_sheet(tournament).entries)

    @admin.display(description=_("rounds begun"))
    def rounds(self, tournament: Tournament) -> str:
        planned = len(_planned(tournament))
        return f"{tournament.begun} / {planned}" if planned else str(tournament.begun)

    @admin.display(description=_("begins"))
    def begins(self, tournament: Tournament) -> str:
        return when(tournament.begins_at) if tournament.begins_at else "-"

    @admin.display(description=_("created"))
    def created(self, tournament: Tournament) -> str:
        return when(tournament.created_at)

    def _new(self, request: HttpRequest, way: Way) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        title = str(way.title)
        form = way.form(request.POST or None, request.FILES or None)
        shown: Mapping[str, Any] = {}
        if not form.is_valid():
            begins = way.preview is not nothing
            return self.form_page(request, form, title, gettext("Preview") if begins else str(way.send))
        answers = form.cleaned_data
        if paragraphs := way.preview(answers):
            shown = previewed(paragraphs)
        if shown and request.POST.get(SURE) != shown["sure"]:
            again = way.form(form.as_read())
            return self.form_page(request, again, title, str(way.send), **shown)
        with transaction.atomic():
            tournament = open_tournament(
                answers["name"],
                game=answers["game_name"],
                system=answers.get("system", Tournament.System.PAIRINGS),
                terms=answers["terms"],
                now=timezone.now(),
            )
            matches = way.begin(tournament, answers)
            self.log_addition(request, tournament, title)
        done = (
            _begun(len(matches)) if matches else gettext("It is open: invite players, or wait for entries.")
        )
        self.message_user(request, done, messages.SUCCESS)
        return redirect(page_of(tournament))


def _begun(matches: int) -> str:
    return ngettext(
        "%(matches)s match has begun; its players get their letters.",
        "%(matches)s matches have begun; their players get their letters.",
        matches,
    ) % {"matches": matches}


_Round = tuple[int, SafeString | str, Sequence[tuple[Player, Player]]]


def _rounds(tournament: Tournament) -> list[_Round]:
    """Returns the rounds: the lines of matches that have begun, and the pairings to come."""
    begun = dict.fromkeys(range(1, tournament.begun + 1), SafeString()) | tables.rounds(_sheet(tournament))
    coming = enumerate(_planned(tournament)[tournament.begun :], start=tournament.begun + 1)
    return [
        *((number, lines, ()) for number, lines in sorted(begun.items())),
        *((n, "", p) for n, p in coming),
    ]


def _sheet(tournament: Tournament) -> TournamentSheet:
    """Returns the sheet of a tournament, cached on the row for buttons, fields and tables of one page."""
    if not hasattr(tournament, "sheet"):
        tournament.sheet = sheet_of(tournament)  # type: ignore[attr-defined]
    found: TournamentSheet = tournament.sheet  # type: ignore[attr-defined]
    return found


def _against(tournament: Tournament) -> list[str]:
    """Returns the players who refuse each other, while pairings are still to come."""
    if tournament.begun and 0 < len(_planned(tournament)) <= tournament.begun:
        return []
    playing = [entry.player_id for entry in _sheet(tournament).entries if entry.withdrawn_at is None]
    return against_among(playing, tournament.game_name)


def _planned(tournament: Tournament) -> Rounds[Player]:
    return _sheet(tournament).rounds()


def _buttons(tournament: Tournament) -> Iterator[AdminAction]:
    yield from entries.buttons(tournament)
    number = tournament.begun + 1  # in the verb: a second click finds no such button
    if tournament.begun and len(planned := _planned(tournament)) >= number:
        yield AdminAction(
            verb=f"begin-{number}",
            label=gettext("Begin round %(number)s") % {"number": number},
            done=_("The round has begun; its players get their letters."),
            press=lambda pressed: begin_round(tournament, number=number, now=pressed.now, rng=SystemRandom()),
            asks=forms.Form,
            help_text=_told_when_read(planned[number - 1], tournament.game_name),
        )
    if tournament.system == Tournament.System.PAIRINGS:
        yield AdminAction(
            verb=f"pairings-{number}",
            label=_("Start more matches"),
            done=_("The round has begun; its players get their letters."),
            press=lambda pressed: begin_list(
                tournament,
                pressed.answers["pairings"],
                number=number,
                now=pressed.now,
                rng=SystemRandom(),
            ),
            asks=partial(PairingsForm, tournament),
            preview=lambda answers: of_list(
                pairings(answers["pairings"], game=tournament.game_name), tournament.game_name
            ),
        )
    yield tables.announce_button(tournament)
    if not hasattr(tournament, "table") and (
        button := tables.withdraw_button(tournament, _sheet(tournament))
    ):
        yield button  # players of a contest withdraw from it as a whole
    yield from added_actions(tournament)
    yield from _downloads(tournament)


def _told_of_round(pairs: Sequence[tuple[Player, Player]], game: str) -> str:
    said = gettext("The player who moves first in front: %(pairs)s. A letter to each of them.")
    listed = "; ".join(f"{first} – {second}" for first, second in pairs)
    return " ".join([said % {"pairs": listed}, *against_a_wish(pairs, game)])


_told_when_read = lazy(_told_of_round, str)  # evaluated only when the form is shown


def _downloads(tournament: Tournament) -> Iterator[AdminAction]:
    def played() -> Any:
        return tournament.matches.order_by("round", "pk")

    def table() -> Lines:
        return table_lines(standings(tournament))

    def matches() -> Lines:
        return match_lines(tournament)

    files: list[tuple[str, Any, str, Callable[[], str | bytes]]] = [
        ("table.ods", _("Table as a spreadsheet"), MEDIA_TYPE, lambda: ods(gettext("Table"), table())),
        (
            "matches.ods",
            _("Matches as a spreadsheet"),
            MEDIA_TYPE,
            lambda: ods(gettext("Matches"), matches()),
        ),
        ("table.csv", _("Table as CSV"), "text/csv", lambda: as_csv(table())),
        ("matches.csv", _("Matches as CSV"), "text/csv", lambda: as_csv(matches())),
        ("records.jsonl", _("Records as JSON lines"), "application/jsonl", lambda: json_lines(played())),
        ("records.txt", _("Records as text"), "text/plain", lambda: score_sheets(played(), desk_notation())),
    ]
    for name, label, media_type, written in files:
        yield AdminAction(
            verb=slugify(name.replace(".", "-")),
            label=label,
            done="",
            press=partial(_download, tournament, name, media_type, written),
            permission=VIEW,
        )


def _download(
    tournament: Tournament,
    name: str,
    media_type: str,
    written: Callable[[], str | bytes],
    _pressed: ActionInput,
) -> HttpResponse:
    return attachment(f"{slugify(tournament.name) or tournament.pk}-{name}", written(), media_type)

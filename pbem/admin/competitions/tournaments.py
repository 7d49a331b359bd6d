"""The page of a tournament: table, rounds, letters to all, downloads; all of a competition run by hand, or a group."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from random import SystemRandom
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.safestring import SafeString
from django.utils.text import slugify
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _

from pbem.admin import events
from pbem.admin.base.actions import ActionInput, AdminAction, added_actions
from pbem.admin.base.lists import when
from pbem.admin.base.pages import ReadOnlyAdmin, link
from pbem.admin.competitions import entries
from pbem.admin.competitions.forms import PairingsForm
from pbem.admin.competitions.publicity import site_button
from pbem.admin.matches.match_actions import VIEW, attachment
from pbem.admin.matches.terms import against_a_wish, against_among, in_sentences, of_list, said_game
from pbem.admin.matches.timeline import desk_notation
from pbem.competitions.cross_table import TournamentSheet, sheet_of, standings
from pbem.competitions.models import Competition
from pbem.competitions.pairings import Rounds, pairings
from pbem.competitions.tournaments import begin_list, begin_round
from pbem.matches.arbitration import json_lines, score_sheets
from pbem.matches.models import Tournament
from pbem.outbox.rendering.contest_tables import halves
from pbem.outbox.rendering.spreadsheets import MEDIA_TYPE, Lines, as_csv, match_lines, ods, table_lines
from pbem.players.models import Player

System = Competition.System
LETTERS = 20  # announcements on a page


class TournamentAdmin(ReadOnlyAdmin):
    change_form_template = "admin/matches/tournament/change_form.html"
    fields = ("name", "kind", "game", "said_terms", "entered", "rounds", "begins", "closed", "created_at")

    def get_model_perms(self, request: HttpRequest) -> dict[str, bool]:
        return {}  # in no menu: they are in the list of competitions

    def changelist_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        return redirect("admin:contests_competition_changelist")

    def render_change_form(
        self, request: HttpRequest, context: dict[str, Any], *args: Any, **kwargs: Any
    ) -> HttpResponse:
        page = super().render_change_form(request, context, *args, **kwargs)
        context["opts"] = Competition._meta  # the way back leads to their list, and the plus to a new one
        return page

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        return super().get_queryset(request).select_related("competition", "edition")

    def buttons(self, tournament: Tournament) -> Sequence[AdminAction]:
        return list(_buttons(tournament))

    def page(self, request: HttpRequest, tournament: Tournament) -> Mapping[str, Any]:
        rows = standings(tournament, _sheet(tournament))
        table = [
            (row, halves(row.points), cells) for row, cells in zip(rows, entries.crosses(rows), strict=True)
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
        return said_game(tournament.game_name)

    @admin.display(description=_("kind"))
    def kind(self, tournament: Tournament) -> str:
        """Returns the kind, or the competition to which the group belongs."""
        competition = tournament.competition
        return link(competition) if tournament.edition_id else competition.get_system_display()

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
        return when(tournament.competition.begins_at)

    @admin.display(description=_("over since"))
    def closed(self, tournament: Tournament) -> str:
        return when(tournament.competition.closed_at)


_Round = tuple[int, SafeString | str, Sequence[tuple[Player, Player]]]


def _rounds(tournament: Tournament) -> list[_Round]:
    """Returns the rounds: the lines of matches that have begun, and the pairings to come."""
    begun = dict.fromkeys(range(1, tournament.begun + 1), SafeString()) | entries.rounds(_sheet(tournament))
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
    is_open = tournament.competition.closed_at is None
    yield from entries.buttons(tournament)
    if tournament.edition_id is None:
        yield site_button(tournament.competition)
    number = tournament.begun + 1  # in the verb: a second click finds no such button
    if is_open and tournament.begun and len(planned := _planned(tournament)) >= number:
        yield AdminAction(
            verb=f"begin-{number}",
            label=gettext("Begin round %(number)s") % {"number": number},
            done=_("The round has begun; its players get their letters."),
            press=lambda pressed: begin_round(tournament, number=number, now=pressed.now, rng=SystemRandom()),
            asks=forms.Form,
            help_text=_told_when_read(planned[number - 1], tournament.game_name),
        )
    if is_open and tournament.system == System.PAIRINGS:
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
    yield entries.announce_button(tournament)
    if tournament.edition_id is None:  # a competition that runs by itself is left and closed as a whole
        if button := entries.withdraw_button(tournament, _sheet(tournament)):
            yield button
        if is_open:
            yield entries.close_button(tournament.competition)
    yield from added_actions(tournament)
    yield from _downloads(tournament)


def _told_of_round(pairs: Sequence[tuple[Player, Player]], game: str) -> str:
    said = gettext("First mover named first: %(pairs)s. A letter to each of them.")
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

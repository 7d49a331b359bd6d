"""Published issues as pages of the site: of the matches and names that their players show there."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Any

from django.core.cache import cache
from django.http import Http404, HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import path
from django.utils import timezone
from django.utils.translation import get_language, gettext

from games.kit.drawing import CSS
from games.kit.layout import Caption
from games.kit.svg import svg
from pbem.admin.people.erasure import Rename, surnames
from pbem.bulletin.issue import Issue, Told, issue_of
from pbem.bulletin.models import Bulletin
from pbem.outbox.rendering.durations import day
from pbem.players.models import FormerName, Player, PrintName
from pbem.published import lists
from pbem.published.competition_page import CompetitionPage, competition_page
from pbem.published.visible import shown
from pbem.site.page import FRESH, page
from pbem.site.views.matches import path as path_of
from pbem.site.views.matches import picture

UNNAMED = Player.Site.UNNAMED


def bulletin(request: HttpRequest, number: int, pk: int) -> HttpResponse:
    """Shows an issue of the bulletin in the language of the page; the organiser's words are as they were written."""
    now = timezone.now()
    found = competition_page(number, now) if max(number, pk) < 2**62 else None
    told = Bulletin.objects.filter(pk=pk, tournament__competition=number).select_related("tournament").first()
    if found is None or told is None:
        raise Http404
    kept = f"bulletin:{pk}:{get_language()}"
    context: Mapping[str, Any] | None = cache.get_or_set(kept, partial(_context, told, found, now), FRESH)
    return page(
        request, "site/bulletin.html", {"page": found, **(context or {})}, seconds=60, indexed=found.indexed
    )


def _context(told: Bulletin, found: CompetitionPage, now: datetime) -> Mapping[str, Any]:
    """Returns the page's text: results of matches that are shown at all, comments on those with a page of their own."""
    written_in, told.language = told.language, get_language() or "en"
    issue = issue_of(told, lambda players: {pk: found.names.get(pk) or gettext("A player") for pk in players})
    rows = {
        row.number: row for row in lists.of([game.number for game in (*issue.results, *issue.comments)], now)
    }
    linked = {number: row for number, row in rows.items() if row.shown.step is not UNNAMED}
    said, puzzle = _renamed(found), _puzzle(told, issue, now)
    since = day(issue.since) if issue.since else ""
    text = render_to_string(
        "site/bulletin_text.html",
        {
            "written_in": written_in,
            "since": since,
            "words": said(issue.words),
            "results": [
                (game, path_of(linked[game.number], rows[game.number].plies) if game.number in linked else "")
                for game in issue.results
                if game.number in rows
            ],
            "comments": [
                _comment(game, linked[game.number], said) for game in issue.comments if game.number in linked
            ],
            "puzzle": puzzle,
        },
    )
    return {
        "number": issue.number,
        "since": since,
        "until": day(issue.until),
        "text": text,
        "has_puzzle": bool(puzzle),
    }


def _comment(game: Told, row: lists.Row, said: Callable[[str], str]) -> Mapping[str, Any]:
    pieces = [
        {
            "moves": piece.moves,
            "figure": piece.figure and replace(piece.figure, caption=said(piece.figure.caption)),
            "path": piece.figure and path_of(row, piece.figure.plies),
            "picture": piece.figure and picture(row, piece.figure.plies),
        }
        for piece in game.pieces
    ]
    return {
        "game": replace(game, title=said(game.title), words=said(game.words)),
        "path": path_of(row, row.plies),
        "pieces": pieces,
    }


def _puzzle(told: Bulletin, issue: Issue, now: datetime) -> Mapping[str, Any] | None:
    """Returns the puzzle with its board, of a match that is shown or of a collection."""
    if issue.puzzle is None or told.puzzle is None:
        return None
    if told.puzzle.match and not shown(told.puzzle.match, now):
        return None
    figure = issue.puzzle.figure
    return {"task": issue.puzzle, "svg": svg(figure.scene, figure.speech, Caption(""), CSS)}


def _renamed(found: CompetitionPage) -> Callable[[str], str]:
    """Returns what replaces, in the words of the organiser, names that the site does not show by those that it does."""
    players = Player.objects.in_bulk(found.names)
    others: dict[int, list[str]] = {pk: [] for pk in players}
    for names in (
        PrintName.objects.filter(player__in=players),
        FormerName.objects.filter(player__in=players),
    ):
        for pk, name in names.values_list("player", "name"):
            others[pk].append(name)
    renames = []
    for pk, player in players.items():
        hidden = [*others[pk], *([] if player.name in found.people else [player.name])]
        if hidden:
            renames.append(Rename(tuple(hidden), found.names[pk], surnames(player, hidden)))

    def said(text: str) -> str:
        for rename in renames:
            text = rename(text)
        return text

    return said


app_name = "bulletin"
urlpatterns = [path("competitions/<int:number>/bulletins/<int:pk>/", bulletin, name="bulletin")]

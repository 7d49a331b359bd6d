"""A match with its replay, its pictures and records; the archive, and what is being played."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import lru_cache, partial
from typing import Any
from urllib.parse import urlencode

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect, JsonResponse
from django.urls import resolve, reverse
from django.urls.exceptions import Resolver404
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.html import format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import get_language, gettext, gettext_lazy
from django.views.decorators.clickjacking import xframe_options_exempt

from games.export import to_json, to_text
from games.film import replay_gif
from games.kit.image import render_png
from games.kit.layout import Caption
from games.move_numbers import moves_of, numbered
from games.registry import find, in_words, names
from pbem.outbox.rendering.durations import dated, in_short
from pbem.published.lists import SHOWN, WINNERS, Row, over, playing
from pbem.published.match_page import MatchPage, hashed, match_page
from pbem.published.player_page import player_called
from pbem.site import pictures
from pbem.site.page import moment, page
from pbem.site.pictures import notation
from pbem.site.views.lines import line_from

PREVIEW = 1040  # pixels of a picture for programs that show links
RESULTS = {  # of WINNERS
    "first": gettext_lazy("The first player won"),
    "second": gettext_lazy("The second player won"),
    "draw": gettext_lazy("A draw"),
}
FORMATS, PICTURES = ("txt", "json", "gif"), ("svg", "png")


def match(request: HttpRequest, number: int, ply: int | None = None) -> HttpResponse:
    """Shows a match, after all of its half-moves or the first `ply`."""
    found = _found(number, ply)
    at = found.plies if ply is None else ply
    if "line" in request.GET:
        return _line(request, found, at)
    return page(
        request,
        "site/match.html",
        partial(_context, found, at),
        indexed=found.shown.indexed,
        state=f"{found.state} {at}",
    )


def _line(request: HttpRequest, found: MatchPage, at: int) -> HttpResponse:
    """Shows the board after a line of the visitor's."""
    own = path(found, at)
    try:
        line = line_from(found, at, request.GET["line"])
    except ValueError:
        return HttpResponseRedirect(own)
    before = numbered(at - 1, found.score(notation())[at - 1]) if at else ""
    about = {"match": found, "title": found.title(get_language() or "en"), "people": people(found)}
    return page(request, "site/line.html", {**about, **line, "own": own, "from": before}, indexed=False)


def _context(found: MatchPage, at: int) -> dict[str, Any]:
    language = get_language() or "en"
    written = found.score(notation())
    own = reverse("site:match", args=[found.number])
    steps = [
        {
            "path": own if ply == found.plies else f"{own}{ply}/",
            "board": f"{own}{ply}-{found.digest(ply, language)}.svg",
            "said": numbered(ply - 1, move) if ply else gettext("The start"),
        }
        for ply, move in enumerate(("", *written))
    ]
    scene, words = found.scene(at), found.words(at, notation())
    return {
        "match": found,
        "title": found.title(language),
        "people": people(found),
        "result": found.result(notation()),
        "at": at,
        "steps": _listed(steps, at),
        "shown": steps[at],
        "first": steps[0],
        "previous": steps[max(at - 1, 0)],
        "next": steps[min(at + 1, found.plies)],
        "last": steps[-1],
        "alt": " ".join(words.position(scene)),
        "records": {form: reverse("site:record", args=[found.number, form]) for form in FORMATS},
        "preview": settings.SITE_URL + picture(found, at, "png"),
        "embed": settings.SITE_URL + reverse("site:embed", args=[found.number, at]),
        "oembed": reverse("site:oembed"),
        "clocked": found.terms,
        "clock": in_short(found.terms),
        "ended": moment(found.ended_at, ended(found))
        if found.ended_at and found.shown.dated
        else ended(found),
        "delay": settings.SITE_DELAY,
    }


def _listed(steps: Sequence[Mapping[str, str]], at: int) -> SafeString:
    """Returns the items of the score: written at once, since a template takes longer for them than for all the rest."""
    item = '<li><a href="{}" data-board="{}" data-said="{}"{}>{}</a></li>'
    current = mark_safe(' aria-current="true"')
    return format_html_join(
        "\n",
        item,
        (
            (step["path"], step["board"], step["said"], current if ply == at else "", step["said"])
            for ply, step in enumerate(steps)
        ),
    )


def heading(found: MatchPage) -> str:
    return f"{found.title(get_language() or 'en')}: {' – '.join(found.names)}"


def path(found: MatchPage, ply: int) -> str:
    """Returns the path of a match after `ply` half-moves, which is its own at the end."""
    own = reverse("site:match", args=[found.number])
    return own if ply == found.plies else f"{own}{ply}/"


def picture(found: MatchPage, ply: int, form: str = "svg") -> str:
    digest = found.digest(ply, get_language() or "en")
    return reverse("site:picture", args=[found.number, ply, digest, form])


def small(row: Row) -> str:
    return reverse("site:small", args=[row.number, row.plies, row.digest_of_board])


def people(found: MatchPage) -> list[dict[str, str]]:
    """Returns the players in the order of moving: how they are called, their side and page."""
    sides = found.game.phrases(get_language() or "en")["sides"]
    return [
        {
            "name": called,
            "side": str(sides[key]),
            "path": reverse("site:player", args=[name]) if name else "",
        }
        for called, name, key in zip(found.names, found.shown.names, found.game.sides, strict=True)
    ]


def picture_of(request: HttpRequest, number: int, ply: int, digest: str, form: str) -> HttpResponse:
    """Shows a board for a year, and redirects from an old address to the new one."""
    found = _found(number, ply)
    if form not in PICTURES:
        raise Http404
    if digest != found.digest(ply, get_language() or "en"):
        return HttpResponseRedirect(picture(found, ply, form))
    scene, words = found.scene(ply), found.words(ply, notation())
    if form == "svg":
        return pictures.response(pictures.both_schemes(scene, words), pictures.YEAR, immutable=True)
    return pictures.kept(digest, lambda: render_png(scene, words, Caption(""), width=PREVIEW))


def small_picture(request: HttpRequest, number: int, ply: int, digest: str) -> HttpResponse:
    """Shows a position for lists, without its last move."""
    found = _found(number, ply)
    board = found.position(ply)
    if digest != hashed((found.game_name, str(board))):
        raise Http404
    scene = pictures.bare(found.game.scene(None, None, board))
    return pictures.response(
        pictures.both_schemes(scene, found.words(ply, notation())), pictures.YEAR, immutable=True
    )


def record(request: HttpRequest, number: int, form: str) -> HttpResponse:
    """Gives the record of what is shown."""
    found = _found(number, None)
    if form not in FORMATS:
        raise Http404
    kept = found.record()
    if form == "gif":
        film = replace(kept, players=("", ""))  # a file with a name would outlive its erasure
        return pictures.kept(hashed((film, get_language())), lambda: replay_gif(film, notation()), "gif")
    text = to_json(kept) if form == "json" else to_text(kept, notation())
    kind = "application/json" if form == "json" else "text/plain; charset=utf-8"
    answer = HttpResponse(text, content_type=kind)
    answer.headers["Content-Disposition"] = f'attachment; filename="{number}.{form}"'
    if not found.shown.indexed:
        answer.headers["X-Robots-Tag"] = "noindex"
    patch_cache_control(answer, public=True, max_age=60)
    return answer


@xframe_options_exempt
def embed(request: HttpRequest, number: int, ply: int) -> HttpResponse:
    """Shows a board for the pages of others."""
    found = _found(number, ply)
    context = {
        "picture": picture(found, ply),
        "path": path(found, ply),
        "title": heading(found),
        "alt": " ".join(found.words(ply, notation()).position(found.scene(ply))),
    }
    return page(request, "site/embed.html", context, seconds=300, indexed=False)


def oembed(request: HttpRequest) -> HttpResponse:
    """Says how a page of a match is shown on those of others (oembed.com)."""
    asked = request.GET.get("url", "").removeprefix(settings.SITE_URL)
    try:
        where = resolve(asked)
    except Resolver404:
        raise Http404 from None
    if where.view_name != "site:match":
        raise Http404
    found = _found(where.kwargs["number"], where.kwargs.get("ply"))
    at = where.kwargs.get("ply", found.plies)
    source = settings.SITE_URL + reverse("site:embed", args=[found.number, at])
    return JsonResponse(
        {
            "version": "1.0",
            "type": "rich",
            "provider_name": "PBeM",
            "title": heading(found),
            "width": 400,
            "height": 460,
            "html": f'<iframe src="{source}" width="400" height="460"></iframe>',
        },
        headers={"X-Robots-Tag": "noindex"},
    )


def archive(request: HttpRequest) -> HttpResponse:
    """Lists finished matches, fifty a page."""
    game, result, before = (request.GET.get(key, "") for key in ("game", "result", "before"))
    wanted = {key: request.GET[key] for key in ("player", "with") if request.GET.get(key)}
    players = [player_called(name) for name in wanted.values()]
    known = [player for player in players if player]
    if (game and game not in names()) or (result and result not in WINNERS):
        raise Http404
    if not (before.isdecimal() or not before) or len(before) > 15:
        raise Http404
    unknown = len(known) < len(players)
    now = timezone.now()
    last = int(before) if before else None
    found = over(game=game, players=known, result=result, before=last, now=now, most=SHOWN)
    asked = {"game": game, "result": result, **wanted, "before": found.older}
    older = urlencode({key: value for key, value in asked.items() if value}) if found.older else ""
    context = {
        "rows": [] if unknown else lines(found.rows),
        "older": "" if unknown else older,
        "game": game,
        "wanted": wanted,
        "games": {name: title(name) for name in names()},
        "result": result,
        "results": RESULTS,
    }
    indexed = not request.GET and all(row.shown.indexed for row in found.rows)
    return page(request, "site/archive.html", context, indexed=indexed)


def live(request: HttpRequest) -> HttpResponse:
    """Lists the matches that go on, some turns late."""
    rows = playing(timezone.now())
    context = {"rows": lines(rows), "delay": settings.SITE_DELAY}
    indexed = all(row.shown.indexed for row in rows)
    return page(request, "site/playing.html", context, seconds=30, indexed=indexed)


def title(name: str) -> str:
    """Returns the name of a game with its variant."""
    return _title(name, get_language() or "en")


@lru_cache(maxsize=512)
def _title(name: str, language: str) -> str:
    game = str(find(name)[0].phrases(language)["name"])
    return f"{game}, {in_words(name, language)}" if ":" in name else game


def ended(found: MatchPage) -> str:
    """Returns the day on which it ended, or the month where the day is hidden. Empty while it goes on."""
    if found.ended_at is None:
        return ""
    return dated(localtime(found.ended_at), "j F Y" if found.shown.dated else "F Y")


def lines(rows: Sequence[Row], sheet: str = "") -> list[dict[str, Any]]:
    """Returns the lines of a list of matches, with boards that stand in a sheet or are files."""
    own, written = reverse("site:matches"), notation()  # once, not once a line
    return [
        {
            "path": f"{own}{row.number}/",
            "board": f"{sheet}#m{row.number}"
            if sheet
            else f"{own}{row.number}/small-{row.plies}-{row.digest_of_board}.svg",
            "title": title(row.game_name),
            "names": row.names if any(row.shown.names) else (),
            "result": row.result(written),
            "moves": moves_of(row.plies),
            "ended": ended(row),
        }
        for row in rows
    ]


def _found(number: int, ply: int | None) -> MatchPage:
    found = match_page(number, timezone.now()) if number < 2**62 else None
    if found is None or (ply is not None and ply > found.plies):
        raise Http404
    return found

"""The pages of a board: what its letter showed, a line chosen by links, the forms, and the code of a browser."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from functools import wraps
from typing import Any
from urllib.parse import urlencode, urlsplit
from zoneinfo import ZoneInfo

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.urls import path
from django.utils import timezone
from django.utils.translation import override
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from games.kit.words import euphonic
from games.protocol import AmbiguousMove, GameOver, IllegalMove, UnreadableMove
from pbem.matches.models import Match, Seat
from pbem.outbox.signed_addresses import board_url
from pbem.refusals import Code, Refused
from pbem.site import browsers
from pbem.site.board import page
from pbem.site.board.deeds import DEEDS, Form, do, word_needed
from pbem.site.board.link import Link, follow
from pbem.site.models import Browser
from pbem.site.page import see

SIGN_IN = "sign_in"
View = Callable[[HttpRequest, Link, datetime], HttpResponse]


def _of_a_link(view: View) -> Callable[[HttpRequest, str], HttpResponse]:
    """Calls the view in the language and time zone of the link's player."""

    @wraps(view)
    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    def found(request: HttpRequest, token: str) -> HttpResponse:
        now = timezone.now()
        link = follow(token, now)
        if link is None:
            raise Http404
        player = link.seat.player
        with override(player.language), timezone.override(ZoneInfo(player.zone)):
            response = view(request, link, now)
        response.headers["Content-Language"] = player.language
        return response

    return found


@_of_a_link
def board(request: HttpRequest, link: Link, now: datetime) -> HttpResponse:
    """Shows the board. GET writes nothing; a POST of a known browser is done, of another it waits for a code."""
    browser = browsers.browser_of(request, now)
    if request.method != "POST":
        return _looked_at(request, link, browser, now)
    form = Form.of(request.POST.dict())
    if form.deed not in (*DEEDS, SIGN_IN):
        return HttpResponse(status=400)
    if not page.is_usable(link, browser):
        return _page(request, link, browser, now, status=409)
    if not link.acts(browser, now):
        return _code_sent(request, link, form, now)
    assert browser is not None
    response = _done(request, link, browser, form, now, now)
    browsers.used(request, response, browser, now=now)
    return response


@_of_a_link
def code(request: HttpRequest, link: Link, now: datetime) -> HttpResponse:
    """Takes the code of the letter; then what waits for it is done, as of the moment when it was posted."""
    if not browsers.is_begun(request, now):
        return see(link.path)
    if request.method != "POST":
        return render(request, "site/board_code.html", {"link": link})
    finished = browsers.finish(request, request.POST.get("code", ""), now=now)
    if finished is None:
        return render(request, "site/board_code.html", {"link": link, "wrong": True}, status=422)
    link = follow(str(finished.waiting.get("board", "")), now) or link
    form = Form.of(finished.waiting)
    response: HttpResponse = see(link.path)
    if form.deed in DEEDS and page.is_usable(link, finished.browser):
        response = _done(request, link, finished.browser, form, now, finished.begun_at)
    browsers.keep(response, finished)
    return response


def _looked_at(request: HttpRequest, link: Link, browser: Browser | None, now: datetime) -> HttpResponse:
    """Shows the row of clicks, or leads a written move to its row."""
    asked = request.GET
    row, typed = asked.get("s", ""), " ".join(asked.get("w", "").split())[:200]
    if not (typed and page.is_usable(link, browser)):
        return _page(request, link, browser, now, row=row)
    try:
        chosen = page.chosen(link, row).written_on(typed)
    except (UnreadableMove, AmbiguousMove, IllegalMove, GameOver) as why:
        return _page(request, link, browser, now, row=row, unplayed=(typed, why))
    except ValueError:
        return see(link.path)
    turn = {"turn": "1"} if "turn" in asked else {}
    return see(f"{link.path}?{urlencode({'s': '.'.join(chosen), **turn})}")


def _done(
    request: HttpRequest, link: Link, browser: Browser, form: Form, now: datetime, arrived: datetime
) -> HttpResponse:
    """Does what was posted, once, and leads to the board after it."""
    try:
        with transaction.atomic():
            Match.objects.filter(seats=link.seat.pk).locked().first()
            fresh = follow(link.token, now)  # as it is now that it is locked
            if fresh is None or not fresh.open:
                raise Refused(Code.STALE_TURN, match=link.seat.match)
            if not form.agreed and word_needed(form.deed, fresh.seat):
                return see(f"{link.path}?{urlencode({'ask': form.deed})}")
            do(fresh.seat, form, now, arrived)
    except Refused as refused:
        link = follow(link.token, now) or link
        return _page(request, link, browser, now, refused=refused, status=409)
    seat = Seat.objects.select_related("match").get(pk=link.seat.pk)  # a takeback gives it new links
    return see(f"{urlsplit(board_url(seat, seat.match.ply)).path}?{urlencode({'done': form.deed})}")


def _code_sent(request: HttpRequest, link: Link, form: Form, now: datetime) -> HttpResponse:
    """Sends a code. A move waits for it; whatever else was posted is asked for again."""
    kept = form.kept() if form.deed == "play" else {}
    player = link.seat.player
    response = see(f"{link.path}code/")
    waiting = {"board": link.token, **kept}
    if browsers.begin(request, response, player.email, [player], now=now, waiting=waiting):
        return response
    return _page(request, link, None, now, capped=True, status=429)


def _page(
    request: HttpRequest,
    link: Link,
    browser: Browser | None,
    now: datetime,
    *,
    row: str = "",
    status: int = 200,
    **more: Any,
) -> HttpResponse:
    try:
        context = page.context(link, browser, now, row=row, asked=request.GET)
    except ValueError:  # a row that leads nowhere
        return see(link.path)
    shown = render_to_string("site/board.html", {**context, **page.explained(link, **more)}, request)
    return HttpResponse(euphonic(shown), status=status)


urlpatterns = [
    path("<str:token>/", board, name="board"),
    path("<str:token>/code/", code, name="board-code"),
]

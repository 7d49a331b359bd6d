"""The pages of a player in a known browser: their matches, settings, browsers and data.

A browser is a key to the account, and no more: an address is changed, a program let in and a player erased by letters.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import wraps
from typing import Any
from zoneinfo import ZoneInfo

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path, reverse
from django.utils import timezone
from django.utils.translation import gettext, override
from django.views.decorators.http import require_http_methods

from pbem.inbox import data_export
from pbem.inbox.browser_questions import ask, is_grave
from pbem.inbox.commands.command import Set
from pbem.inbox.commands.topics import GROUPS, TOPICS, Choice, Topic, change, group_titles, setting, value_of
from pbem.matches.models import Match
from pbem.outbox.rendering.board import board_at
from pbem.outbox.rendering.recipient import Reader, Standing, standings
from pbem.outbox.signed_addresses import board_url, calendar_url
from pbem.players import api_tokens
from pbem.players.models import Player, new_salt
from pbem.refusals import Refused, told
from pbem.site import browsers, pictures
from pbem.site.models import Browser
from pbem.site.page import personal, see

SHOWN = 100  # matches
LONGEST = 80  # characters of a value
View = Callable[..., HttpResponse]


def known(view: View) -> View:
    """Shows the page to a known browser, in its player's language and zone; leads others to the sign-in."""

    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def shown(request: HttpRequest, **named: Any) -> HttpResponse:
        now = timezone.now()
        browser = browsers.browser_of(request, now)
        if browser is None:
            return HttpResponseRedirect(reverse("sign-in:address"))
        posts = request.method == "POST"
        if posts and not browsers.acts_at_once(browser, now):
            return see(f"{reverse('sign-in:address')}?again")
        player = browser.player
        with override(player.language), timezone.override(ZoneInfo(player.zone)):
            answer = view(request, browser, **named)
        if posts and browsers.COOKIE not in answer.cookies:
            browsers.used(request, answer, browser, now=now)
        return answer

    return shown


def _done(name: str, said: str = "") -> HttpResponse:
    return see(reverse(f"account:{name}") + (f"?{said}" if said else ""))


# Matches


@known
def matches(request: HttpRequest, browser: Browser) -> HttpResponse:
    """Lists the player's matches, those that wait for them first."""
    reader = _reader(browser.player)
    mine = Match.objects.alive().of(browser.player).order_by("deadline", "pk")[:SHOWN]
    lines = sorted(standings(mine, reader), key=lambda line: not line.yours)
    return personal(request, "site/my_matches.html", {"lines": list(map(_line, lines)), "reader": reader})


def _reader(player: Player) -> Reader:
    return Reader(player.email, player.language, player, timezone.now())


def _line(line: Standing) -> dict[str, Any]:
    assert line.seat
    url = "" if line.open else board_url(line.seat, line.match.ply)
    return {"line": line, "url": url, "board": reverse("account:board", args=[line.match.pk])}


@known
def board(request: HttpRequest, browser: Browser, number: int) -> HttpResponse:
    """Shows the board of a match of the player, for the list."""
    match = Match.objects.alive().of(browser.player).filter(pk=number).first() if number < 2**62 else None
    if match is None:
        raise Http404
    reader = _reader(browser.player)
    seen = board_at(match, match.ply, reader.notation, reader.look_at(match))
    return pictures.response(pictures.both_schemes(pictures.bare(seen.scene), seen.speech), 0)


# Settings


@known
def settings(request: HttpRequest, browser: Browser) -> HttpResponse:
    """Shows every topic of SET, and sets those that are changed."""
    player, posted = browser.player, request.POST
    asked, wrong = False, dict[str, str]()
    wanted = [(topic, " ".join(posted.get(topic.key, "").split())[:LONGEST]) for topic in TOPICS]
    changed = [(topic, said) for topic, said in wanted if said and said != value_of(topic, player)]
    for topic, said in changed:
        try:
            asked |= _set(player, topic, said)
        except Refused as refused:
            wrong[topic.key] = told(refused)
    if request.method == "POST" and not wrong:
        return _done("settings", "asked" if asked else "saved")
    titles = group_titles(player.language)
    context = {
        "groups": [
            (titles[group], [_field(topic, player, posted, wrong) for topic in topics])
            for group, topics in GROUPS.items()
        ],
        "wrong": wrong,
    }
    return personal(request, "site/settings.html", context, status=422 if wrong else 200)


@transaction.atomic
def _set(player: Player, topic: Topic, said: str) -> bool:
    """Sets the topic, or asks about it by letter: then returns True."""
    now, wishes = timezone.now(), topic.value.read(said.split())
    command = Set(topic.key, said, said, tuple(sorted((wishes or {}).items())))
    if wishes and is_grave(command, player):
        ask(player, setting(topic, said, player.language), now=now)
        return True
    list(Match.objects.filter(seats__player=player, status=Match.Status.PLAYING).locked().values_list("pk"))
    change(player, topic, said, wishes, text=said, now=now)
    return False


def _field(
    topic: Topic, player: Player, posted: Mapping[str, str], wrong: Mapping[str, str]
) -> dict[str, Any]:
    language, own = player.language, value_of(topic, player)
    usual = topic.value.usage(language).split(" | ")
    return {
        "key": topic.key,
        "name": topic.name(language).capitalize(),
        "does": topic.does(language),
        "value": posted[topic.key] if topic.key in wrong else own,
        "options": usual if isinstance(topic.value, Choice) else (),
        "usual": ", ".join(usual),
        "wrong": wrong.get(topic.key, ""),
    }


# Browsers and data


@known
def own_browsers(request: HttpRequest, browser: Browser) -> HttpResponse:
    """Lists the player's browsers, the tokens of their programs and the address of their calendar, and ends them."""
    player, now, wrong = browser.player, timezone.now(), ""
    deed, _, number = request.POST.get("deed", "").partition("-")
    key = int(number) if number.isdecimal() and len(number) < 19 else 0
    try:
        match deed:
            case "data":
                data_export.send(player, now=now)
                return _done("browsers", "sent")
            case "token":
                ask(player, gettext("TOKEN play 90 days"), now=now)
                return _done("browsers", "asked")
            case "calendar":
                player.calendar_salt = None if number == "none" else new_salt()
                player.save(update_fields=["calendar_salt"])
                return _done("browsers", "calendar")
            case "stop" if api_tokens.stop(player, key):
                return _done("browsers", "stopped")
            case "end" if ended := player.browsers.filter(pk=key).first():
                browsers.end(ended)
                return _signed_out() if key == browser.pk else _done("browsers", "ended")
            case "all":
                browsers.end_all(player)
                return _signed_out()
            case _ if request.method == "POST":
                raise Http404
    except Refused as refused:
        wrong = told(refused)
    context = {
        "browsers": player.browsers.all(),
        "own": browser,
        "tokens": api_tokens.valid_of(player, now),
        "email": player.email,
        "calendar": (calendar := calendar_url(player)),
        "subscribe": f"webcal:{calendar.partition(':')[2]}",
        "wrong": wrong,
    }
    return personal(request, "site/browsers.html", context, status=429 if wrong else 200)


def _signed_out() -> HttpResponse:
    answer = see(reverse("sign-in:address"))
    browsers.forget_cookie(answer)
    return answer


urlpatterns = [
    path("", matches, name="matches"),
    path("<int:number>.svg", board, name="board"),
    path("settings/", settings, name="settings"),
    path("browsers/", own_browsers, name="browsers"),
]

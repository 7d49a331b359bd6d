"""Players who may be named, ratings, open offers, and the search."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse, HttpResponsePermanentRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext

from games.protocol import UnknownName
from pbem.outbox.rendering.durations import in_short
from pbem.players.models import Player
from pbem.published import player_page
from pbem.published.competition_page import competitions_called
from pbem.published.lists import for_search, over, playing
from pbem.published.match_page import match_page
from pbem.published.visible import is_indexed
from pbem.ratings.leaderboards import busiest_pools, figure, pool_called
from pbem.site import pictures
from pbem.site.page import mailto, page
from pbem.site.pictures import curve
from pbem.site.views.matches import lines, title

RECENT = 10  # matches on the page of a player
POOLS = 40


def players(request: HttpRequest) -> HttpResponse:
    """Lists the players who may be named."""
    found, after = player_page.players(request.GET.get("after", "")[:40])
    return page(request, "site/players.html", {"players": found, "after": after}, indexed=False)


def player(request: HttpRequest, name: str) -> HttpResponse:
    """Shows a player: ratings, reliability and matches."""
    found = _found(name)
    if found.name != name:
        return HttpResponsePermanentRedirect(reverse("site:player", args=[found.name]))
    now, indexed = timezone.now(), is_indexed(found)
    told = for_search if indexed else tuple
    rated = player_page.ratings(found, now)
    first = next((row.row.pool for row in rated if len(player_page.curve(found, row.row.pool, now)) > 1), "")
    context = {
        "player": found,
        "curve": {"title": title(first), "path": reverse("site:rating-curve", args=[found.name, first])}
        if first
        else {},
        "challenge": mailto(gettext("CHALLENGE %(name)s %(game)s") % {"name": found.name, "game": "loa"}),
        "ratings": [
            {
                "pool": row.row.pool,
                "title": title(row.row.pool),
                "figure": figure(row.strength),
                "row": row.row,
            }
            for row in rated
        ],
        "reliability": player_page.reliability(found, now),
        "going": lines(told(playing(now, RECENT, found))),
        "rows": lines(told(over(players=[found], now=now, most=RECENT).rows)),
    }
    return page(request, "site/player.html", context, indexed=indexed)


def rating_curve(request: HttpRequest, name: str, pool: str) -> HttpResponse:
    """Draws the ratings of the last year."""
    points = player_page.curve(_found(name), pool, timezone.now())
    if len(points) < 2:
        raise Http404
    return pictures.response(curve(points), 300)


def ratings(request: HttpRequest) -> HttpResponse:
    """Lists the lists."""
    pools = [{"name": pool, "title": title(pool)} for pool in busiest_pools(POOLS)]
    return page(request, "site/ratings.html", {"pools": pools}, seconds=300)


def rating_list(request: HttpRequest, pool: str) -> HttpResponse:
    """Shows the best of a game, provisional ratings below."""
    try:
        known = pool_called(pool)
    except UnknownName:
        raise Http404 from None
    firm, provisional = player_page.best(known, timezone.now())
    context = {
        "title": title(known),
        "pool": known,
        "firm": [(row.row, figure(row.strength)) for row in firm],
        "provisional": [(row.row, figure(row.strength)) for row in provisional],
    }
    return page(request, "site/rating_list.html", context, seconds=300, indexed=False)


def offers(request: HttpRequest) -> HttpResponse:
    """Lists open offers, each with the email that takes it."""
    found = [
        {
            "number": offer.seek.pk,
            "name": offer.name,
            "title": title(offer.seek.game_name),
            "clock": in_short(offer.seek.agreed),
            "rated": offer.seek.agreed.rated,
            "until": offer.seek.until,
            "join": gettext("JOIN %(number)s") % {"number": offer.seek.pk},
            "mail": mailto(gettext("JOIN %(number)s") % {"number": offer.seek.pk}),
        }
        for offer in player_page.offers(timezone.now())
    ]
    context = {"offers": found, "make": mailto(gettext("OFFER loa"))}
    return page(request, "site/offers.html", context, seconds=30, indexed=False)


def search(request: HttpRequest) -> HttpResponse:
    """Finds players by the beginning of their name, competitions by a part of it, and matches by number."""
    text = request.GET.get("q", "").strip()[:40]
    number = int(text) if text.isdecimal() and len(text) < 16 else 0
    context = {
        "text": text,
        "players": player_page.begins_with(text),
        "competitions": competitions_called(text),
        "match": match_page(number, timezone.now()) if number else None,
    }
    return page(request, "site/search.html", context, seconds=0, indexed=False)


def _found(name: str) -> Player:
    found = player_page.player_called(name)
    if found is None:
        raise Http404
    return found

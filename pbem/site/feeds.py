"""Finished matches as Atom feeds, and the sitemap of pages that search engines may keep."""

from __future__ import annotations

from collections.abc import Sequence

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.feedgenerator import Atom1Feed
from django.utils.html import format_html
from django.utils.translation import get_language, gettext

from games.registry import games, names
from pbem.players.models import Player
from pbem.published.competition_page import competition_page, competition_pages
from pbem.published.lists import Row, over
from pbem.published.player_page import named, player_called
from pbem.site.page import compared
from pbem.site.pictures import notation
from pbem.site.signals import more_of
from pbem.site.views.matches import heading, small, title

ENTRIES, LISTED = 30, 500


def matches(request: HttpRequest) -> HttpResponse:
    """Tells of all finished matches."""
    return _feed(request, gettext("Finished matches"), over(now=timezone.now(), most=ENTRIES).rows)


def game(request: HttpRequest, name: str) -> HttpResponse:
    """Tells of the finished matches of a game or variant."""
    if name not in names():
        raise Http404
    return _feed(request, title(name), over(game=name, now=timezone.now(), most=ENTRIES).rows)


def player(request: HttpRequest, name: str) -> HttpResponse:
    """Tells of the finished matches of a player."""
    found = player_called(name)
    if found is None:
        raise Http404
    return _feed(request, found.name, over(players=[found], now=timezone.now(), most=ENTRIES).rows)


def competition(request: HttpRequest, number: int) -> HttpResponse:
    """Tells of the finished matches of a competition."""
    now = timezone.now()
    found = competition_page(number, now)
    if found is None:
        raise Http404
    return _feed(
        request, found.competition.name, [row for row in found.matches(now) if not row.shown.live][:ENTRIES]
    )


def sitemap(request: HttpRequest) -> HttpResponse:
    """Lists the pages for search engines: those of players who want it, beside those about the games."""
    still = [reverse(f"site:{name}") for name in ("front", "games", "guide", "privacy")]
    rules = [reverse("site:game", args=[key]) for key in games()]
    found = named().filter(site=Player.Site.INDEXED).values_list("name", flat=True)[:LISTED]
    people = [reverse("site:player", args=[name]) for name in found]
    rows = over(now=timezone.now(), most=LISTED).rows
    played = [reverse("site:match", args=[row.number]) for row in rows if row.shown.indexed]
    indexed = [each.competition for each in competition_pages(timezone.now()) if each.indexed]
    contests = [reverse("site:competition", args=[each.pk]) for each in indexed]
    contests += [where for each in indexed for where, _title, _moment in more_of(each)]
    paths = (*still, *rules, *people, *played, *contests)
    pages = "".join(f"<url><loc>{settings.SITE_URL}{path}</loc></url>" for path in paths)
    text = f'<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">{pages}'
    answer = HttpResponse(f"{text}</urlset>", "application/xml")
    patch_cache_control(answer, public=True, max_age=3600)
    return answer


def _feed(request: HttpRequest, name: str, rows: Sequence[Row]) -> HttpResponse:
    feed = Atom1Feed(
        title=f"PBeM: {name}",
        link=settings.SITE_URL + reverse("site:matches"),
        description="",
        language=get_language(),
        feed_url=settings.SITE_URL + request.path,
    )
    for row in rows:
        page = settings.SITE_URL + reverse("site:match", args=[row.number])
        picture = format_html(
            '<p>{}</p><img src="{}">', row.result(notation()), settings.SITE_URL + small(row)
        )
        feed.add_item(heading(row), page, picture, unique_id=page, updateddate=row.told_at)
    answer = HttpResponse(feed.writeString("utf-8"), "application/atom+xml; charset=utf-8")
    answer.headers["X-Robots-Tag"] = "noindex"
    patch_cache_control(answer, public=True, max_age=300)
    return compared(request, answer)

"""The list of games, and their rules with boards and variants."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import get_language, gettext

from games.pages import parts
from games.registry import AnyGame, games, in_words
from pbem.published.game_figures import figures
from pbem.published.lists import for_search, over
from pbem.published.player_page import best
from pbem.published.visible import is_indexed
from pbem.ratings.leaderboards import figure
from pbem.site.page import mailto, page
from pbem.site.pictures import notation, sheet_path, words_of
from pbem.site.views.front import by_family, shown
from pbem.site.views.matches import lines

NEWEST, TOP = 4, 10  # matches and players on the page of a game


def index(request: HttpRequest) -> HttpResponse:
    """Lists the games, by family."""
    language = get_language() or "en"
    context = {"families": by_family(language), "sheet": sheet_path()}
    return page(request, "site/games.html", context, seconds=3600)


def game(request: HttpRequest, key: str) -> HttpResponse:
    """Shows the rules of a game, and its variants."""
    found = games().get(key)
    if found is None:
        raise Http404
    language, now = get_language() or "en", timezone.now()
    phrases, top = found.phrases(language), best(key, now, TOP)[0]
    searched = all(is_indexed(row.row.player) for row in top)
    context = {
        "game": found,
        "phrases": phrases,
        "description": phrases["summary"],
        "words": words_of(key, notation()),
        "parts": _below_title(key, language),
        "figures": figures(key),
        "rows": lines(for_search(over(game=key, now=now, most=NEWEST).rows)),
        "best": [(row.row, figure(row.strength)) for row in top if searched],
        "variants": _variants(found, language),
        "challenge": mailto(
            gettext("REGISTER Alice"), gettext("CHALLENGE friend@example.org %(game)s") % {"game": key}
        ),
    }
    return page(request, "site/game.html", context, seconds=3600)


@lru_cache(maxsize=64)
def _below_title(key: str, language: str) -> list[dict[str, Any]]:
    first, *rest = shown(parts(games()[key], language), "site:rules-picture", key)
    return [{"markdown": first["markdown"].partition("\n")[2]}, *rest]


def _variants(game: AnyGame, language: str) -> list[dict[str, str]]:
    names = [f"{game.key}:{preset}" for preset in game.presets if preset]
    return [{"name": name, "words": in_words(name, language)} for name in names]

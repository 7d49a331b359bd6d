"""The front page, the player's guide and the page on privacy."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from http import HTTPStatus
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import get_language, gettext

from games.kit.words import capital
from games.pages import Diagram, read
from games.protocol import Notation
from games.registry import families
from pbem.outbox.rendering.rules_page import guide as guide_text
from pbem.outbox.signed_addresses import play_address
from pbem.players.models import Player
from pbem.published.competition_page import open_competitions
from pbem.published.lists import for_search, over, playing
from pbem.refusals import Code, name_of, sentence
from pbem.site.page import FRESH, mailto, page
from pbem.site.pictures import CORRESPONDENTS, example, notation, sheet_path
from pbem.site.views.matches import lines

NEWEST = 4  # matches of each sort on the front page
STATUSES = (400, 401, 403, 404, 405, 413, 415, 422, 429, 500, 503)
_TOLD = re.compile(
    r"G0.|G1[0-689]|C0[1236]|C1[1356]|C25|K(01|04|10|19)|P0[68]|V0[79]"
)  # codes that the API can answer


def front(request: HttpRequest) -> HttpResponse:
    """Says what the service is, how to begin, and what has just been played."""
    language = get_language() or "en"
    found: tuple[str, str] | None = cache.get_or_set(f"front:{language}", _boards, FRESH)
    boards, sheet = found or ("", "")
    return page(
        request,
        "site/front.html",
        {
            "play_address": play_address(),
            "letter": _letter(notation()),
            "boards": boards,
            "sheet": sheet,
            "families": by_family(language),
            "with_robot": _with_robot(),
            "with_friend": mailto(
                gettext("REGISTER Alice"),
                gettext("CHALLENGE friend@example.org loa"),
                "",
                gettext("Hi, shall we play?"),
            ),
        },
    )


def _boards() -> tuple[str, str]:
    """Renders what is played and was played, the part of the front page that asks the database, and returns the path of
    the boards.
    """
    now = timezone.now()
    finished, going = for_search(over(now=now, most=NEWEST).rows), for_search(playing(now, NEWEST))
    sheet = sheet_path([*finished, *going])
    context = {
        "finished": lines(finished, sheet),
        "competitions": open_competitions()[:NEWEST],
        "going": lines(going, sheet),
    }
    return render_to_string("site/boards.html", context), sheet


def guide(request: HttpRequest) -> HttpResponse:
    """Shows the player's guide, with boards."""
    return page(request, "site/guide.html", {"parts": _guide(notation())}, seconds=3600)


def api(request: HttpRequest) -> HttpResponse:
    """Says how programs read and play, and what each of their errors means."""
    language = get_language() or "en"
    text = (Path(__file__).parents[1] / f"api.{language}.md").read_text("utf-8")
    facts = {"{{ root }}": f"{settings.SITE_URL}/api/v1", "{{ play_address }}": play_address()}
    for name, fact in facts.items():
        text = text.replace(name, fact)
    statuses = [(status, HTTPStatus(status).phrase, "") for status in STATUSES]
    codes = [(code, name_of(code), sentence(code)) for code in Code if _TOLD.fullmatch(code)]
    return page(request, "site/api.html", {"text": text, "codes": [*statuses, *codes]}, seconds=3600)


def privacy(request: HttpRequest) -> HttpResponse:
    """Says what is kept and what is shown."""
    kept = {"raw": settings.RETAIN_RAW_MAIL, "letters": settings.RETAIN_LETTERS}
    return page(request, "site/privacy.html", kept | {"play_address": play_address()}, seconds=3600)


def shown(parts: Any, view: str, *args: str) -> list[dict[str, Any]]:
    """Returns the parts of a page: Markdown, or the path of a board and what it shows."""
    return [
        {"picture": reverse(view, args=[*args, number]), "words": part.words(notation())}
        if isinstance(part, Diagram)
        else {"markdown": part}
        for number, part in enumerate(parts)
    ]


@lru_cache(maxsize=4)
def _guide(notation: Notation) -> list[dict[str, Any]]:
    return shown(read(guide_text(notation.language, play_address())), "site:guide-picture")


def _with_robot() -> str:
    robot = Player.objects.robots().first()
    if robot is None:
        return ""
    return mailto(
        gettext("REGISTER Alice"),
        gettext("CHALLENGE %(name)s %(game)s") % {"name": robot.name, "game": "loa"},
    )


@lru_cache(maxsize=4)
def _letter(notation: Notation) -> dict[str, Any]:
    words, still, reply = example(notation)
    mover = still.scene.to_move
    reader = words.side(mover) if mover is not None else CORRESPONDENTS[0]
    other = next(name for name in CORRESPONDENTS if name != reader)
    game = str(words.phrases["name"])
    return {
        "reader": reader,
        "subject": f"[105] {game}: {' - '.join(CORRESPONDENTS)}",
        "last": f"{other} {words.changes(still.scene)}.",
        "alt": capital(" ".join(words.position(still.scene))),
        "reply": reply,
    }


def by_family(language: str) -> list[tuple[str, list[tuple[str, Mapping[str, Any]]]]]:
    """Returns the key and phrases of each game, by family."""
    return [
        (family, [(game.key, game.phrases(language)) for game in members])
        for family, members in families(language).items()
    ]

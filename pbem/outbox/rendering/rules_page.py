"""Renders rules pages and guides: Markdown, with boards as pictures, text and words."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterable
from dataclasses import dataclass
from importlib.resources import files

from django.conf import settings
from django.db.models import Exists, OuterRef, Q

from games.kit.drawing import DEFAULT, Theme
from games.pages import WIDTH, Diagram, brief, parts, read
from games.protocol import Notation
from games.registry import AnyGame, find
from pbem.matches.models import Invitation, Match
from pbem.outbox.rendering.recipient import Reader
from pbem.players.models import Player

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Part:
    """A part of a page: Markdown, or a board as `text`, `words` and a `picture` named `name`."""

    markdown: str = ""
    text: str = ""
    words: str = ""
    picture: bytes = b""
    name: str = ""
    width: int = WIDTH
    letter: str = ""  # Message-ID of the letter that contains it

    @property
    def cid(self) -> str:
        return f"{self.name}.{self.letter}"


def rules_page(game: AnyGame, notation: Notation, theme: Theme = DEFAULT) -> list[Part]:
    """Returns the parts of a rules page. The raw page when a board cannot be drawn (S04)."""
    try:
        return _drawn(parts(game, notation.language), game.key, notation, theme)
    except Exception:
        log.exception("S04: the rules page of %s has a board that cannot be drawn", game.key)
        return [Part(game.rules_page(notation.language))]


def guide(language: str, play_address: str) -> str:
    """Returns the player's guide as Markdown."""
    page = files(__package__).joinpath(f"guide/player.{language}.md").read_text("utf-8")
    return page.replace("play@example.org", play_address)


def robots_page(language: str) -> list[Part]:
    """Returns the page about robots."""
    page = files(__package__).joinpath(f"guide/robots.{language}.md").read_text("utf-8")
    most = {"matches": settings.ROBOT_MATCHES, "thinks": settings.ROBOT_THINKS_PER_DAY}
    return [Part(page.format(**most))]


def guide_page(notation: Notation, play_address: str, theme: Theme = DEFAULT) -> list[Part]:
    """Returns the parts of the player's guide."""
    return _drawn(read(guide(notation.language, play_address)), "guide", notation, theme)


def _drawn(page: Iterable[str | Diagram], name: str, notation: Notation, theme: Theme) -> list[Part]:
    return [
        _board(part, notation, theme, f"{name}-{number}") if isinstance(part, Diagram) else Part(part)
        for number, part in enumerate(page)
    ]


def _board(diagram: Diagram, notation: Notation, theme: Theme, name: str) -> Part:
    return Part(
        text=diagram.text(notation),
        words=diagram.words(notation),
        picture=diagram.picture(notation, theme),
        name=name,
    )


# Rules in brief, for players who are new to a game

_MOST_LINES = 5  # of ten; a turn letter is short


def goal_of(match: Match, reader: Reader) -> str:
    """Returns the aim of a game and the course of a turn on one line. Empty when the reader knows it."""
    aim, _, points = rules_in_brief(match, reader).partition("\n\n")
    told = aim.splitlines()
    for point in re.split(r"^- ", points, flags=re.MULTILINE)[1:]:
        lines = point.splitlines()
        if len(told) + len(lines) > _MOST_LINES:
            break
        told += lines
    return " ".join(" ".join(told).split())


def rules_in_brief(match: Match, reader: Reader) -> str:
    """Returns the ten-line rules. Empty when the reader knows them."""
    if reader.player is None or match.game.key in _known(match, reader.player):
        return ""
    return brief(match.game.rules_page(reader.language))


def _known(match: Match, player: Player) -> set[str]:
    """Returns the games of the player's other matches, and of this one if they were invited to it."""
    invited = Exists(Invitation.objects.filter(match=OuterRef("pk")).exclude(challenger=player))
    begun = Match.objects.of(player).exclude(status=Match.Status.PROPOSED)
    names = begun.filter(~Q(pk=match.pk) | invited).values_list("game_name", flat=True).distinct()
    return {find(name)[0].key for name in names}

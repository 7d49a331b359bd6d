"""Renders rules pages and guides: Markdown, with boards as pictures, text and words; also as text alone."""

from __future__ import annotations

import logging
import re
import textwrap
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from html import escape
from importlib.resources import files
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q
from inscriptis.css_profiles import CSS_PROFILES
from inscriptis.html_engine import Inscriptis
from inscriptis.html_properties import Display, WhiteSpace
from inscriptis.model.config import ParserConfig
from inscriptis.model.html_element import HtmlElement
from inscriptis.model.tag import CustomHtmlTagHandlerMapping
from lxml.html import fromstring
from markdown_it import MarkdownIt

from games.kit.drawing import DEFAULT, Theme
from games.pages import WIDTH, Diagram, brief, parts, read
from games.protocol import Notation
from games.registry import AnyGame, find
from pbem.matches.models import Invitation, Match
from pbem.outbox.rendering.contest_tables import COLUMNS
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


# As text alone

_HARD, _HEADING = "\ue000", "\ue001"  # private use: a blank that stays, and the beginning of a heading
_LEAD = re.compile(r" *(?:• |[0-9]+\. )?")
_RULES: dict[str, Callable[..., str]] = {
    "code_inline": lambda tokens, at, *_: _hard(tokens[at].content),
    "fence": lambda tokens, at, *_: f"<pre>{_hard(tokens[at].content)}</pre>",
    "code_block": lambda tokens, at, *_: f"<pre>{_hard(tokens[at].content)}</pre>",
    "heading_open": lambda *_: f"<p>{_HEADING}",
    "heading_close": lambda *_: "</p>",
    "table_open": lambda *_: "<figure><table>",  # a table has no margins of its own
    "table_close": lambda *_: "</table></figure>",
}
_MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
_MARKDOWN.renderer.rules.update(_RULES)  # type: ignore[attr-defined]
_BLOCK: dict[str, Any] = {"display": Display.block, "margin_before": 1, "margin_after": 1}
_CONFIG = ParserConfig(
    css=CSS_PROFILES["strict"]
    | {
        "ul": HtmlElement(display=Display.block, padding_inline=2),
        "ol": HtmlElement(display=Display.block, padding_inline=3),
        "blockquote": HtmlElement(**_BLOCK, padding_inline=4),
        "pre": HtmlElement(**_BLOCK, padding_inline=4, whitespace=WhiteSpace.pre),
    },
    custom_html_tag_handler_mapping=CustomHtmlTagHandlerMapping(
        {
            "ul": lambda state, _: state.li_counter.append("• "),
            "ol": lambda state, attrs: state.li_counter.append(int(attrs.get("start", 1))),
        },
        {},
    ),
)


def plain(page: str) -> str:
    """Renders Markdown as text in 72 columns: the HTML that it means, as inscriptis reads it."""
    html = fromstring(f"<div>{_MARKDOWN.render(page)}</div>")
    lines = Inscriptis(html, _CONFIG).get_text().strip("\n").split("\n")
    text = "\n".join(map(_filled, lines)).replace(_HARD, " ")
    return re.sub(r"\n{3,}", "\n\n", text)  # below a table


def _hard(code: str) -> str:
    return escape(code.rstrip("\n").replace(" ", _HARD))


def _filled(line: str) -> str:
    """Wraps a line behind its indent and bullet. A heading is in capitals, except for words with digits."""
    if line.startswith(_HEADING):
        words = line.replace(_HEADING, "").split(" ")
        line = " ".join(word if re.search(r"\d", word) else word.upper() for word in words)  # cells
    if len(line) <= COLUMNS:
        return line.rstrip()
    lead = _LEAD.match(line)
    indent = lead[0] if lead else ""
    said = " ".join(line[len(indent) :].split())  # a row of a table that is too wide
    return textwrap.fill(
        said,
        COLUMNS,
        initial_indent=indent,
        subsequent_indent=" " * len(indent),
        break_long_words=False,
        break_on_hyphens=False,
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

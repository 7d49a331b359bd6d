"""A rules page as a letter shows it: Markdown, and boards as pictures, text and words."""

from __future__ import annotations

import logging
from dataclasses import dataclass

from games.kit.themes import DEFAULT, Theme
from games.pages import WIDTH, Diagram, parts
from games.protocol import Notation
from games.registry import AnyGame

log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Part:
    """Some Markdown, or a board: its `text`, its `words`, its `picture`, which is called `name`."""

    markdown: str = ""
    text: str = ""
    words: str = ""
    picture: bytes = b""
    name: str = ""
    width: int = WIDTH
    letter: str = ""  # the Message-ID of the one that it stands in

    @property
    def cid(self) -> str:
        return f"{self.name}.{self.letter}"


def rules_page(game: AnyGame, notation: Notation, theme: Theme = DEFAULT) -> list[Part]:
    """The parts in order. A page whose boards cannot be drawn comes as its author wrote it (S04)."""
    try:
        return [
            _board(part, notation, theme, f"{game.key}-{number}") if isinstance(part, Diagram) else Part(part)
            for number, part in enumerate(parts(game, notation.language))
        ]
    except Exception:
        log.exception("S04: the rules page of %s has a board that cannot be drawn", game.key)
        return [Part(game.rules_page(notation.language))]


def _board(diagram: Diagram, notation: Notation, theme: Theme, name: str) -> Part:
    return Part(
        text=diagram.text(notation),
        words=diagram.words(notation),
        picture=diagram.picture(notation, theme),
        name=name,
    )

"""Reads a page of rules or a guide: Markdown with boards, which the renderers draw.

A board is a fenced block with the info string `board` and the variant, if it is not the default. Each line of
it is optional: `position` (as `str()` writes it) or `setup`, and the `moves` played from there.

    ```board zertz:blitz
    position ..../...../... pool=5,7,9 first=0,0,0 second=0,0,0 move=first
    moves Wd4,a1 Gd6,a2
    ```
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from games.kit.drawing import DEFAULT, Theme
from games.kit.image import render_png
from games.kit.layout import Caption
from games.kit.scene import Scene
from games.kit.text import board
from games.kit.words import Speech, speech
from games.protocol import IllegalMove, Notation, Position
from games.registry import AnyGame, find

WIDTH = 400  # pixels
_BLOCK = re.compile(r"^```board *(\S*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"(position|setup|moves) (\S.*)")


@dataclass(frozen=True)
class Diagram:
    """A board on a page: the position, and the move that led to it, if any."""

    game: AnyGame
    rules: Any
    before: Position | None
    move: Any
    after: Position
    composed: bool = False

    @property
    def scene(self) -> Scene:
        """Returns the scene; a composed position has no trays of lost pieces."""
        scene = self.game.scene(self.before, self.move, self.after)
        trays = tuple(tray for tray in scene.trays if not (self.composed and tray.held == "lost"))
        return replace(scene, trays=trays)

    def text(self, notation: Notation) -> str:
        """Draws the board in characters, at most 72 columns wide."""
        return board(self.scene, self._speech(notation))

    def picture(self, notation: Notation, theme: Theme = DEFAULT) -> bytes:
        """Draws the board as PNG, WIDTH pixels wide."""
        return render_png(self.scene, self._speech(notation), Caption(title=""), theme, WIDTH)

    def words(self, notation: Notation) -> str:
        return " ".join(self._speech(notation).position(self.scene))

    def _speech(self, notation: Notation) -> Speech:
        return speech(self.game, self.after.rules, notation)


def parts(game: AnyGame, language: str) -> Iterator[str | Diagram]:
    """Yields the parts of the game's rules page, in order. Raises ValueError for a bad board or an illegal
    move.
    """
    return read(game.rules_page(language), game.key)


def brief(page: str) -> str:
    """Returns the summary of a page: the text between its title and the first heading."""
    return page.partition("\n")[2].partition("\n## ")[0].strip()


def read(page: str, default: str = "") -> Iterator[str | Diagram]:
    """Yields the parts of a page, in order; boards without a name are of the `default` game."""
    text, *blocks = _BLOCK.split(page)
    yield text
    for name, body, after in zip(blocks[::3], blocks[1::3], blocks[2::3], strict=True):
        yield _diagram(name or default, body)
        yield after


def _diagram(name: str, body: str) -> Diagram:
    game, rules = find(name)
    said = dict(map(_said, body.splitlines()))
    before, move = None, None
    starts = "position" not in said
    after = game.start(rules, said.get("setup", "")) if starts else game.position(rules, said["position"])
    for text in said.get("moves", "").split():
        before, move = after, game.move(text)
        if objection := before.objection(move):
            raise IllegalMove(text, objection)
        after = before.play(move)
    return Diagram(game, rules, before, move, after, composed="position" in said)


def _said(line: str) -> tuple[str, str]:
    found = _LINE.fullmatch(line)
    if not found:
        raise ValueError(f"{line!r} says neither position, setup nor moves")
    return found[1], found[2]

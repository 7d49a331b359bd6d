"""Reads a page of rules or a guide: Markdown, and between it the boards that our own renderers draw.

A board is a fenced block whose info string is `board`, with the name of a variant if it is not the
default. Each line of it may be left out: where it starts, and the moves played from there.

    ```board zertz:blitz
    position ..../...../... pool=5,7,9 first=0,0,0 second=0,0,0 move=first
    moves Wd4,a1 Gd6,a2
    ```

Instead of a position, one line as `str()` writes it, there may be a `setup`; without either the game
starts as it does without a set-up.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from games.kit.image import png
from games.kit.layout import Caption
from games.kit.scene import Scene
from games.kit.text import board
from games.kit.themes import DEFAULT, Theme
from games.kit.words import Speech, speech
from games.protocol import IllegalMove, Notation, Position
from games.registry import AnyGame, find

WIDTH = 400  # pixels of a picture between paragraphs
_BLOCK = re.compile(r"^```board *(\S*)\n(.*?)^```\n", re.MULTILINE | re.DOTALL)
_LINE = re.compile(r"(position|setup|moves) (\S.*)")


@dataclass(frozen=True)
class Diagram:
    """A board on a page: the position, and the move that led to it if one was played."""

    game: AnyGame
    rules: Any
    before: Position | None
    move: Any
    after: Position
    composed: bool = False

    @property
    def scene(self) -> Scene:
        """In a composed position nobody has lost what does not stand there."""
        scene = self.game.scene(self.before, self.move, self.after)
        trays = tuple(tray for tray in scene.trays if not (self.composed and tray.held == "lost"))
        return replace(scene, trays=trays)

    def text(self, notation: Notation) -> str:
        """The board in characters, at most 72 columns wide."""
        return board(self.scene, self._speech(notation))

    def picture(self, notation: Notation, theme: Theme = DEFAULT) -> bytes:
        """The board as PNG, WIDTH pixels wide."""
        return png(self.scene, self._speech(notation), Caption(title=""), theme, WIDTH)

    def words(self, notation: Notation) -> str:
        return " ".join(self._speech(notation).position(self.scene))

    def _speech(self, notation: Notation) -> Speech:
        return speech(self.game, self.after.rules, notation)


def parts(game: AnyGame, language: str) -> Iterator[str | Diagram]:
    """The rules page of `game`, in order. ValueError for a board that is none, or an illegal move."""
    return read(game.rules_page(language), game.key)


def brief(page: str) -> str:
    """What stands between the title and the first heading: the game in a few lines."""
    return page.partition("\n")[2].partition("\n## ")[0].strip()


def read(page: str, default: str = "") -> Iterator[str | Diagram]:
    """The parts of any page, in order; a board that names no game is of the `default` one."""
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

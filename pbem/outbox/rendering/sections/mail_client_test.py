"""Builds the test letter for mail programs, and the result of its answer."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Any

from games.kit.image import render_png
from games.kit.layout import Caption
from games.kit.text import board as text_board
from games.kit.words import speech
from games.registry import find
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.rules_page import Part
from pbem.outbox.rendering.sections.context import Builder, Context

log = logging.getLogger(__name__)
GAME = "loa"
RULER = "|....:....|....:....|....:....|....:....|"
BARS = ("i" * 20 + "|", "W" * 20 + "|", "." * 20 + "|")
SIGNS = "è ì ò ü ß × → ✓"
QUESTIONS = (1, 2, 3, 4)  # bars, signs, picture, colours


def _test(section: Mapping[str, Any], reader: Reader) -> Context:
    return {
        "ruler": RULER,
        "bars": BARS,
        "signs": SIGNS,
        "page": [] if reader.text_only else _picture(reader),
        "theme": reader.look.theme,
    }


def _picture(reader: Reader) -> list[Part]:
    """Draws a board in the reader's theme and size. Empty when it cannot be drawn (S04)."""
    try:
        game, rules = find(GAME)
        position = game.start(rules, "")
        scene, spoken = (
            game.scene(None, None, position),
            speech(game, rules, reader.notation, ("Alice", "Bruno")),
        )
        drawn = render_png(
            scene, spoken, Caption(spoken.phrases["name"]), reader.look.palette, reader.look.width
        )
    except Exception:
        log.exception("S04: the picture of a test letter cannot be drawn")
        return []
    return [
        Part(
            text=text_board(scene, spoken), words=" ".join(spoken.position(scene)), picture=drawn, name="test"
        )
    ]


def _tested(section: Mapping[str, Any], reader: Reader) -> Context:
    """Combines the reader's answers with our own findings."""
    return dict(section) | {"theme": reader.look.theme, "text_only": reader.text_only}


BUILDERS: Mapping[str, Builder] = {"test": _test, "tested": _tested}

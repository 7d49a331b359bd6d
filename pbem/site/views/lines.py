"""A line of moves that a visitor chooses by clicks, from a board of a match: nothing of it is kept."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from urllib.parse import urlencode

from games.clicks import choose
from games.kit.drawing import CSS
from games.kit.layout import WIDTH, Caption
from games.kit.scene import Mark
from games.kit.svg import svg
from games.kit.words import capital
from games.move_numbers import numbered
from pbem.published.match_page import MatchPage
from pbem.site.pictures import notation

LONGEST = 120  # clicks


def line_from(found: MatchPage, at: int, row: str) -> dict[str, Any]:
    """Returns the board after the moves that the clicks of `row` choose. Raises ValueError where one leads nowhere."""
    clicks = tuple(filter(None, row.split(".")))
    if len(clicks) > LONGEST:
        raise ValueError("too long")
    game, words = found.game, found.words(at, notation())
    choice = choose(found.course(at), clicks, at)
    step = choice.steps[-1] if choice.steps else None
    scene = game.scene(step.before, step.move, step.after) if step else found.scene(at)
    cells = {cell.name for cell in scene.cells}
    if chosen := tuple(Mark("hint", name) for name in choice.path if name in cells):
        scene = replace(scene, marks=chosen, arrows=())
    links = {click: _query(*clicks, click) for click in choice.following}
    on_board = {click: to for click, to in links.items() if click in cells}
    return {
        "svg": svg(scene, words, Caption(""), CSS, WIDTH, links=on_board),
        "words": [(capital(words.word(click)), to) for click, to in links.items() if click not in cells],
        "moves": [
            numbered(each.ply, game.write(each.before, each.move, notation())) for each in choice.steps
        ],
        "said": capital(words.changes(game.scene(step.before, step.move, step.after))) if step else "",
        "back": _query(*clicks[:-1]) if clicks else "",
    }


def _query(*clicks: str) -> str:
    return f"?{urlencode({'line': '.'.join(clicks)})}"

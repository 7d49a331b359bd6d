"""Every game and variant in every theme, to be judged by eye: single pictures and one contact sheet."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from random import Random

from PIL import Image

from games.film import watched
from games.kit.image import packed, painted, png
from games.kit.layout import Still, lay_out
from games.kit.themes import THEMES
from games.kit.words import Speech
from games.protocol import CANONICAL, Notation
from games.record import Course, Record
from games.registry import find, names

SMALL = 320  # pixels of width on the sheet: as on a telephone
EARLIEST, LATEST = 8, 40  # turns into a random game
STRIKING = {"captured", "removed"}  # marks that a picture should show, where the game has them


def gallery(folder: Path, notation: Notation = CANONICAL) -> Iterator[Path]:
    """Writes into `folder`, which is made if it is missing, and tells what."""
    folder.mkdir(parents=True, exist_ok=True)
    exhibits = {name: _exhibit(name, notation) for name in names()}
    for name, (words, still) in exhibits.items():
        for theme in THEMES:
            path = folder / f"{re.sub(r'[^a-z0-9]+', '-', name)}.{theme}.png"
            path.write_bytes(png(still.scene, words, still.caption, THEMES[theme]))
            yield path
    sheet = folder / "sheet.png"
    sheet.write_bytes(packed(_sheet(list(exhibits.values()))))
    yield sheet


def _exhibit(name: str, notation: Notation) -> tuple[Speech, Still]:
    """The first striking moment of a random game that is always the same; its last if there is none."""
    words, stills = watched(_random_game(name), notation)
    still = next((s for s in stills[EARLIEST:] if STRIKING & {m.kind for m in s.scene.marks}), stills[-1])
    return words, Still(still.scene, replace(still.caption, subtitle=name))


def _random_game(name: str) -> Record:
    game, rules = find(name)
    rng = Random(name)
    setup = game.draw_setup(rules, rng) if game.draw_setup else ""
    course, moves = Course(game, game.start(rules, setup)), list[str]()
    while len(moves) < LATEST and not course.outcome():
        move = course.position.sample(rng)
        moves.append(str(move))
        course.play(move)
    return Record(name, game.version, tuple(moves), setup)


def _sheet(exhibits: list[tuple[Speech, Still]]) -> Image.Image:
    """A row for each game, a column for each theme."""
    rows = [
        [painted(lay_out(still.scene, words, still.caption, SMALL), theme) for theme in THEMES.values()]
        for words, still in exhibits
    ]
    sheet = Image.new("RGB", (SMALL * len(THEMES), sum(row[0].height for row in rows)))
    top = 0
    for row in rows:
        for column, picture in enumerate(row):
            sheet.paste(picture, (column * SMALL, top))
        top += row[0].height
    return sheet

"""A picture of each game or variant from a fixed random game, as the gallery and the web show it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from games.film import watched
from games.kit.layout import Still
from games.kit.words import Speech
from games.protocol import Notation
from games.record import Course, Record
from games.registry import find

EARLIEST, LATEST = 8, 40  # turns played before a picture is taken
STRIKING = {"captured", "removed"}  # marks preferred in a picture


def exhibit(name: str, notation: Notation) -> tuple[Speech, Still]:
    """Returns the first capture or removal in the game's fixed random game, else its last position."""
    words, stills = watched(random_game(name), notation)
    still = stills[striking(stills)]
    return words, Still(still.scene, replace(still.caption, subtitle=name))


def striking(stills: Sequence[Still]) -> int:
    """Returns the index of the first capture or removal after the opening, else the last one."""
    marked = (at for at, still in enumerate(stills) if STRIKING & {mark.kind for mark in still.scene.marks})
    return next((at for at in marked if at >= EARLIEST), len(stills) - 1)


def random_game(name: str, players: tuple[str, str] = ("", "")) -> Record:
    """Returns the fixed random game of a variant, up to LATEST turns."""
    game, rules = find(name)
    rng = Random(name)
    setup = game.draw_setup(rules, rng) if game.draw_setup else ""
    course, moves = Course(game, game.start(rules, setup)), list[str]()
    while len(moves) < LATEST and not course.outcome():
        move = course.position.sample(rng)
        moves.append(str(move))
        course.play(move)
    return Record(name, game.version, tuple(moves), setup, players=players)

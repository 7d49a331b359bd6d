"""Positions to measure on: the twelfth turn of a random game of each, with its last move shown."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Any

from games.kit.layout import Caption
from games.kit.scene import Scene
from games.kit.words import Speech, speech
from games.protocol import Notation, Position
from games.registry import AnyGame, find, games

GAMES = tuple(games())
TURNS = 12


@dataclass(frozen=True)
class Sample:
    """A position, and the move that led to it from the one before."""

    game: AnyGame
    rules: Any
    before: Position
    move: Any
    after: Position

    @property
    def scene(self) -> Scene:
        return self.game.scene(self.before, self.move, self.after)

    @property
    def speech(self) -> Speech:
        return speech(self.game, self.rules, Notation(), ("Alice", "Bruno"))

    @property
    def caption(self) -> Caption:
        written = self.game.write(self.before, self.move, Notation())
        return Caption(
            self.speech.phrases["name"], "match 105 · turn 12 · Bruno to move", f"Alice: {written}"
        )

    @property
    def written(self) -> str:
        """A legal move of `after`, as an English player writes it."""
        return self.game.write(self.after, self.after.sample(Random(1)), Notation())


def samples(count: int) -> Iterator[Sample]:
    """Alternately of each game, all different, so that nothing drawn before can be handed out again."""
    for seed in range(count):
        yield sample(GAMES[seed % len(GAMES)], seed)


def start(name: str, rng: Random) -> Position:
    """The first position, with a set-up drawn where the game has one."""
    game, rules = find(name)
    position: Position = game.start(rules, game.draw_setup(rules, rng) if game.draw_setup else "")
    return position


def sample(name: str, seed: int) -> Sample:
    game, rules = find(name)
    rng = Random(seed)
    while True:
        before = after = start(name, rng)
        for _ in range(TURNS):
            if after.outcome() is not None:
                break
            before, move = after, after.sample(rng)
            after = before.play(move)
        else:
            return Sample(game, rules, before, move, after)

"""Nim with one heap, as somebody else would package it: take some, and the last one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from random import Random

from games.kit.scene import Cell, Piece, Scene
from games.protocol import (
    Game,
    IllegalMove,
    Notation,
    Objection,
    Outcome,
    Remark,
    Side,
    Switch,
    UnreadableMove,
)


@dataclass(frozen=True)
class Rules:
    """Anyone who takes the last stone wins, or loses the misère game."""

    most: int = 3
    misere: bool = False


@dataclass(frozen=True)
class Position:
    """So many stones are left."""

    rules: Rules
    stones: int
    to_move: Side = Side.FIRST

    def moves(self) -> Iterator[int]:
        return iter(range(1, min(self.rules.most, self.stones) + 1))

    def count(self) -> int:
        return min(self.rules.most, self.stones)

    def sample(self, rng: Random) -> int:
        return rng.randint(1, self.count())

    def objection(self, move: int) -> Objection | None:
        return None if 1 <= move <= self.count() else Objection("too_many", numbers=(self.count(),))

    def play(self, move: int) -> Position:
        return replace(self, stones=self.stones - move, to_move=self.to_move.other)

    def outcome(self) -> Outcome | None:
        if self.stones:
            return None
        return Outcome(self.to_move if self.rules.misere else self.to_move.other, "last_stone")

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return f"{self.stones} {self.to_move.value}"


def start(rules: Rules, setup: str) -> Position:
    if not setup.isdecimal() or not 0 < int(setup) < 30:
        raise ValueError(f"{setup!r} is not a heap of 1 to 29 stones")
    return Position(rules, int(setup))


def position(rules: Rules, text: str) -> Position:
    stones, side = map(int, text.split())
    return Position(rules, stones, Side(side))


def read(position: Position, text: str, notation: Notation) -> int:
    if not text.isdecimal():
        raise UnreadableMove(text)
    if objection := position.objection(int(text)):
        raise IllegalMove(text, objection)
    return int(text)


def scene(before: Position | None, move: int | None, after: Position) -> Scene:
    places = [f"a{place + 1}" for place in range(max(after.stones, 1))]
    return Scene(
        shape="square",
        cells=tuple(Cell(name, x, 0) for x, name in enumerate(places)),
        pieces={place: (Piece("stone", "dark"),) for place in places[: after.stones]},
        edges=(),
        to_move=None if after.outcome() else after.to_move,
        changes=(Remark("takes", numbers=(move,)),) if move else (),
    )


GAME = Game(
    key="nim",
    package=__name__,
    version=1,
    sides=("first", "second"),
    presets={"": Rules(), "misere": Rules(misere=True), "tall": Rules(most=5)},
    switches={
        "most": Switch(
            values=("3", "4", "5"),
            apply=lambda rules, value: replace(rules, most=int(value)),
            value=lambda rules: str(rules.most),
        ),
    },
    repetition=None,
    draw_setup=lambda rules, rng: str(rng.randint(10, 20)),
    start=start,
    position=position,
    move=int,
    forced_pass=None,
    read=read,
    write=lambda position, move, notation: str(move),
    scene=scene,
)

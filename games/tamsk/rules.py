"""The rules of TAMSK (Kris Burm, 1998) without sand: a glass moves to a space beside it and leaves a ring there."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Self

from games.protocol import Objection, Outcome, Side
from games.tamsk.board import BESIDE, CAPACITY, GLASSES, LINES, PASS, RINGS, SPACES, Move

NAMES = ("red", "black")
LETTERS = "rb"

_INDEX = {name: index for index, name in enumerate(SPACES)}


@dataclass(frozen=True)
class Rules:
    """There are no variants."""


Glasses = tuple[str, ...]  # the spaces on which a side has one, in order


@dataclass(frozen=True, slots=True)
class Position:
    """The rings that each space still takes, in the order of `SPACES`, and each side's glasses and rings left."""

    rules: Rules
    free: tuple[int, ...]
    glasses: tuple[Glasses, Glasses]
    rings: tuple[int, int]
    to_move: Side

    def takes(self, name: str) -> int:
        """Returns how many rings a space still takes."""
        return self.free[_INDEX[name]]

    def owner(self, name: str) -> Side | None:
        """Returns the side that has a glass on a space."""
        return next((side for side in Side if name in self.glasses[side]), None)

    def targets(self, origin: str) -> tuple[str, ...]:
        """Returns the spaces to which a glass on `origin` can go."""
        taken = self.glasses[0] + self.glasses[1]
        return tuple(name for name in BESIDE[origin] if self.takes(name) and name not in taken)

    def moves(self) -> Iterator[Move]:
        if self.outcome():
            return
        if not self._moves(self.to_move):
            yield PASS
        for origin in self.glasses[self.to_move]:
            yield from (Move(origin, target) for target in self.targets(origin))

    def count(self) -> int:
        if self.outcome():
            return 0
        return sum(len(self.targets(origin)) for origin in self.glasses[self.to_move]) or 1

    def sample(self, rng: Random) -> Move:
        return rng.choice(list(self.moves()))

    def objection(self, move: Move) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        return next(self._objections(move), None)

    def play(self, move: Move) -> Self:
        other, (red, black), (reds, blacks) = self.to_move.other, self.glasses, self.rings
        if move == PASS:
            return type(self)(self.rules, self.free, self.glasses, self.rings, other)
        there = _INDEX[move.target]
        free = (*self.free[:there], self.free[there] - 1, *self.free[there + 1 :])
        if self.to_move == Side.FIRST:
            red, reds = _moved(red, move), reds - 1
        else:
            black, blacks = _moved(black, move), blacks - 1
        return type(self)(self.rules, free, (red, black), (reds, blacks), other)

    def outcome(self) -> Outcome | None:
        # A pass never ends the game, so the side not to move was the last to move a glass.
        last = self.to_move.other
        if not self.rings[last]:
            return Outcome(last, "last_ring")
        if self._moves(Side.FIRST) or self._moves(Side.SECOND):
            return None
        red, black = self.rings
        if red == black:
            return Outcome(last, "last_move")
        return Outcome(Side.FIRST if red < black else Side.SECOND, "fewer_rings")

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        lines = ("".join(f"{self._letter(name)}{self.takes(name)}" for name in line) for line in LINES)
        return f"{'/'.join(lines)} {self.rings[0]},{self.rings[1]} {NAMES[self.to_move]}"

    def _letter(self, name: str) -> str:
        side = self.owner(name)
        return "" if side is None else LETTERS[side]

    def _moves(self, side: Side) -> bool:
        """Tells whether a side can move a glass."""
        return any(map(self.targets, self.glasses[side]))

    def _objections(self, move: Move) -> Iterator[Objection]:
        # only the first is consumed, so each check may rely on those before it
        movable = tuple(name for name in self.glasses[self.to_move] if self.targets(name))
        if move == PASS:
            if movable:
                yield Objection("no_pass", movable)
            return
        for name in (move.origin, move.target):
            if name not in _INDEX:
                yield Objection("no_space", (name,))
        owner = self.owner(move.origin)
        if owner is None:
            yield Objection("no_glass", (move.origin,))
        if owner != self.to_move:
            yield Objection("not_yours", (move.origin,))
        if move.target not in BESIDE[move.origin]:
            yield Objection("not_beside", (move.origin, move.target))
        if self.owner(move.target) is not None:
            yield Objection("occupied", (move.target,))
        if not self.takes(move.target):
            yield Objection("full", (move.target,))


def _moved(glasses: Glasses, move: Move) -> Glasses:
    return tuple(sorted(move.target if name == move.origin else name for name in glasses))


def start(rules: Rules, setup: str = "") -> Position:
    """Returns the glasses on the corners; Red is to move. Raises ValueError for a set-up: there is none to choose."""
    if setup:
        raise ValueError(f"there is no set-up to choose, not even {setup!r}")
    red, black = GLASSES
    return Position(rules, tuple(CAPACITY.values()), (red, black), (RINGS, RINGS), Side.FIRST)


_TEXT = re.compile(r"([rb0-4/]+) ([0-9]{1,2}),([0-9]{1,2}) (red|black)")


def position(rules: Rules, text: str) -> Position:
    """Parses the text of `str(position)`. Raises ValueError for any other text."""
    found = _TEXT.fullmatch(text)
    written = re.findall("([rb]?)([0-4])", found[1]) if found else []
    if not found or len(written) != len(SPACES):
        raise ValueError(f"{text!r} is not a position of TAMSK")
    free = tuple(int(left) for _, left in written)
    red, black = (
        tuple(name for name, (letter, _) in zip(SPACES, written, strict=True) if letter == side)
        for side in LETTERS
    )
    rings = int(found[2]), int(found[3])
    made = Position(rules, free, (red, black), rings, Side(NAMES.index(found[4])))
    if str(made) != text or any(left > takes for left, takes in zip(free, CAPACITY.values(), strict=True)):
        raise ValueError(f"{text!r} has spaces that take more rings than there is room for")
    if max(len(red), len(black)) > len(GLASSES[0]) or max(rings) > RINGS:
        raise ValueError(f"{text!r} has more glasses or rings than there are")
    return made

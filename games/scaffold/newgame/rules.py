"""The rules of Newgame: put a stone on an empty cell; three in a row win."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random

from games.kit.scene import SquareBoard
from games.protocol import Objection, Outcome, Side

LETTERS = "ox"  # black and white stones in the text of a position


@dataclass(frozen=True)
class Rules:
    """The options of a variant."""

    size: int = 3

    @cached_property
    def board(self) -> SquareBoard:
        return SquareBoard(self.size)

    @cached_property
    def threes(self) -> tuple[int, ...]:
        """Returns every three adjacent cells in a row, a column or a diagonal."""
        lines = self.board.lines
        return tuple(sum(line[first : first + 3]) for line in lines for first in range(len(line) - 2))


@dataclass(frozen=True, slots=True)
class Move:
    """A stone put on `cell`."""

    cell: str

    def __str__(self) -> str:
        return self.cell


@dataclass(frozen=True, slots=True)
class Position:
    """The stones as bitboards: `mine` of the side to move, `theirs` of the side that moved last."""

    rules: Rules
    mine: int
    theirs: int
    to_move: Side = Side.FIRST

    @property
    def stones(self) -> tuple[int, int]:
        """Returns Black's stones and White's."""
        return (self.theirs, self.mine) if self.to_move else (self.mine, self.theirs)

    @property
    def empty(self) -> int:
        return self.rules.board.full & ~(self.mine | self.theirs)

    def moves(self) -> Iterator[Move]:
        if not self.outcome():
            yield from map(Move, self.rules.board.cells(self.empty))

    def count(self) -> int:
        return 0 if self.outcome() else self.empty.bit_count()

    def sample(self, rng: Random) -> Move:
        return rng.choice(list(self.moves()))

    def objection(self, move: Move) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        cell = self.rules.board.bits.get(move.cell)
        if cell is None:
            return Objection("off_board", (move.cell,))
        return None if cell & self.empty else Objection("occupied", (move.cell,))

    def play(self, move: Move) -> Position:
        put = self.mine | self.rules.board.bits[move.cell]
        return Position(self.rules, self.theirs, put, self.to_move.other)

    def outcome(self) -> Outcome | None:
        if any(self.theirs & three == three for three in self.rules.threes):
            return Outcome(self.to_move.other, "three")
        return None if self.empty else Outcome(None, "full")

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        board = self.rules.board.write(dict(zip(LETTERS, self.stones, strict=True)))
        return f"{board} {LETTERS[self.to_move]}"


def start(rules: Rules, setup: str) -> Position:
    """Returns the empty board. Raises ValueError for a set-up: there is none to choose."""
    if setup:
        raise ValueError(f"there is no set-up to choose, not even {setup!r}")
    return Position(rules, 0, 0)


def position(rules: Rules, text: str) -> Position:
    """Parses a position such as `o2/1x1/3 o`. Raises ValueError for any other text."""
    board, _, letter = text.partition(" ")
    black, white = rules.board.read(board, LETTERS)
    if letter not in ("o", "x"):
        raise ValueError(f"{text!r} lacks a side to move")
    if letter == "o":
        return Position(rules, black, white, Side.FIRST)
    return Position(rules, white, black, Side.SECOND)

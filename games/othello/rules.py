"""The rules of Othello (Goro Hasegawa, 1971) and of Reversi (John Mollett and Lewis Waterman, 1883)."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, Self

from games.othello.board import Board, board
from games.protocol import Objection, Outcome, Side

Opening = Literal["othello", "reversi"]
Aim = Literal["most", "fewest"]

LETTERS = "xo"  # black and white discs

_NEXT = (Side.SECOND, Side.FIRST)  # Side.other without building an enum, for speed in playouts


@dataclass(frozen=True)
class Rules:
    """The options of a variant; `size` must be even. In `reversi` the players fill the centre themselves."""

    size: int = 8
    opening: Opening = "othello"
    aim: Aim = "most"

    @property
    def board(self) -> Board:
        """Returns the board of this size."""
        return board(self.size)


@dataclass(frozen=True, slots=True)
class Move:
    """A disc placed on `square`, or the pass."""

    square: str

    def __str__(self) -> str:
        return self.square


PASS = Move("pass")


@dataclass(frozen=True, slots=True)
class Position:
    """The discs as bitboards: `mine` of the side to move, `theirs` of the opponent."""

    rules: Rules
    mine: int
    theirs: int
    to_move: Side = Side.FIRST

    @property
    def discs(self) -> tuple[int, int]:
        """Returns Black's discs and White's."""
        return (self.theirs, self.mine) if self.to_move else (self.mine, self.theirs)

    @property
    def squares(self) -> int:
        """Returns the squares where the side to move may place a disc."""
        return self.opening or self.rules.board.outflanking(self.mine, self.theirs)

    @property
    def opening(self) -> int:
        """Returns the squares of the centre that Reversi has filled first. None (0) once they are."""
        return self.rules.board.centre & ~(self.mine | self.theirs) if self.rules.opening == "reversi" else 0

    def moves(self) -> Iterator[Move]:
        squares = self.squares
        if squares:
            yield from map(Move, self.rules.board.cells(squares))
        elif self._passes():
            yield PASS

    def count(self) -> int:
        return self.squares.bit_count() or int(self._passes())

    def sample(self, rng: Random) -> Move:
        squares = self.squares
        if not squares:
            return PASS
        for _ in range(int(rng.random() * squares.bit_count())):
            squares &= squares - 1
        return Move(self.rules.board.names[squares & -squares])

    def objection(self, move: Move) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        squares = self.squares
        if move == PASS:
            return Objection("no_pass", tuple(self.rules.board.cells(squares))) if squares else None
        if not squares:
            return Objection("must_pass")
        square = self.rules.board.bits.get(move.square, 0)
        return None if square & squares else self._misplaced(move, square)

    def _misplaced(self, move: Move, square: int) -> Objection:
        """Returns why a disc may not be placed on a square, though another may."""
        grid = self.rules.board
        if not square:
            return Objection("off_board", (move.square,))
        if square & (self.mine | self.theirs):
            return Objection("occupied", (move.square,))
        if self.opening:
            return Objection("centre_first", tuple(grid.cells(self.opening)))
        touches = grid.beside(square) & self.theirs
        return Objection("outflanks_nothing" if touches else "touches_nothing", (move.square,))

    def turned(self, move: Move) -> int:
        """Returns the discs that a legal move turns over."""
        if self.opening:
            return 0
        grid = self.rules.board
        return grid.outflanked(grid.bits.get(move.square, 0), self.mine, self.theirs)

    def play(self, move: Move) -> Self:
        turned = self.turned(move)
        placed = self.rules.board.bits.get(move.square, 0)
        mine, theirs = self.mine | placed | turned, self.theirs ^ turned
        return type(self)(self.rules, theirs, mine, _NEXT[self.to_move])

    def outcome(self) -> Outcome | None:
        if self.squares or self._passes():
            return None
        black, white = (discs.bit_count() for discs in self.discs)
        if black == white:
            return Outcome(None, "equal")
        ahead = Side.FIRST if black > white else Side.SECOND
        return Outcome(ahead if self.rules.aim == "most" else ahead.other, self.rules.aim)

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        discs = self.rules.board.write(dict(zip(LETTERS, self.discs, strict=True)))
        return f"{discs} {LETTERS[self.to_move]}"

    def _passes(self) -> bool:
        """Tells whether the opponent could place a disc; a side without a square then passes."""
        return bool(self.rules.board.outflanking(self.theirs, self.mine))


def start(rules: Rules, setup: str) -> Position:
    """Returns the four discs in the centre, or the empty board of Reversi; Black is to move.

    Raises ValueError for a set-up: there is none to choose.
    """
    if setup:
        raise ValueError(f"there is no set-up to choose, not even {setup!r}")
    grid, low = rules.board, rules.size // 2 - 1
    if rules.opening == "reversi":
        return Position(rules, 0, 0)
    (upper_left, upper_right), (lower_left, lower_right) = (
        row[low : low + 2] for row in grid.rows[low : low + 2]
    )
    return Position(rules, upper_right | lower_left, upper_left | lower_right)


def position(rules: Rules, text: str) -> Position:
    """Parses a position such as `8/8/8/3ox3/3xo3/8/8/8 x`, row 1 first. Raises ValueError for any other text."""
    discs, _, letter = text.partition(" ")
    black, white = rules.board.read(discs, LETTERS)
    if letter == LETTERS[Side.FIRST]:
        return Position(rules, black, white, Side.FIRST)
    if letter == LETTERS[Side.SECOND]:
        return Position(rules, white, black, Side.SECOND)
    raise ValueError(f"{text!r} does not say who is to move")

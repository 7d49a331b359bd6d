"""The rules of Insert (Bruno Cathala, 2021), after PerGioco newsletter 49."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Self

from games.insert.board import ALL, BOARD, SINGLE, TILES, Layout, Tile, captured, five, largest_group, layout
from games.protocol import Objection, Outcome, Side

RINGS = 15  # of each side
LETTERS = "ox"  # white and black rings

# The codes of marks in remarks and objections.
LINES = {"-": "row", "|": "column", "\\": "falling", "/": "rising", "+": "cross", "x": "saltire"}

_SIDES = tuple(Side)
_TYPED = str.maketrans("‐‑‒–—−×", "------x")


@dataclass(frozen=True)
class Rules:
    """The options of a variant: the tiles of the board, and the marks allowed on it."""

    tiles: tuple[Tile, ...] = TILES
    marks: str = SINGLE


@dataclass(frozen=True, slots=True)
class Move:
    """A ring placed on `cell`."""

    cell: str

    def __str__(self) -> str:
        return self.cell


_MOVES = {bit: Move(cell) for cell, bit in BOARD.bits.items()}


@dataclass(frozen=True, slots=True)
class Position:
    """The rings as bitboards: `mine` of the side to move, `theirs` of the opponent, `last` the last one
    placed (0 at the start).
    """

    rules: Rules
    layout: Layout
    mine: int
    theirs: int
    last: int

    @property
    def placed(self) -> int:
        """Counts the rings placed; rings never leave the board."""
        return (self.mine | self.theirs).bit_count()

    @property
    def to_move(self) -> Side:
        return _SIDES[self.placed & 1]

    @property
    def rings(self) -> tuple[int, int]:
        """Returns White's rings and Black's."""
        return (self.theirs, self.mine) if self.to_move else (self.mine, self.theirs)

    @property
    def empty(self) -> int:
        return ALL & ~(self.mine | self.theirs)

    @property
    def forced(self) -> int:
        """Returns the empty cells on the line under the last ring; one of them must be played."""
        return self.layout.lines[self.last] & self.empty

    def moves(self) -> Iterator[Move]:
        if not self.outcome():
            yield from map(Move, BOARD.cells(self.forced or self.empty))

    def count(self) -> int:
        return 0 if self.outcome() else (self.forced or self.empty).bit_count()

    def sample(self, rng: Random) -> Move:
        # Inlined from `moves`, for speed in playouts.
        cells = ALL & ~(self.mine | self.theirs)
        cells = self.layout.lines[self.last] & cells or cells
        for _ in range(int(rng.random() * cells.bit_count())):
            cells &= cells - 1
        return _MOVES[cells & -cells]

    def objection(self, move: Move) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        cell = BOARD.bits.get(move.cell)
        if cell is None:
            return Objection("no_such_cell", (move.cell,))
        if not cell & self.empty:
            return Objection("occupied", (move.cell,))
        if self.forced and not cell & self.forced:
            return Objection(self.line, tuple(BOARD.cells(self.forced)))
        return None

    @property
    def line(self) -> str:
        """Returns the code of the mark under the last ring. There must be one."""
        return LINES[self.layout.at[BOARD.names[self.last]]]

    def captured(self, move: Move) -> int:
        """Returns the rings captured by a legal move."""
        return captured(BOARD.bits[move.cell], self.mine, self.theirs)

    def play(self, move: Move) -> Self:
        cell, mine, theirs = BOARD.bits[move.cell], self.mine, self.theirs
        taken = captured(cell, mine, theirs)
        return type(self)(self.rules, self.layout, theirs ^ taken, mine | cell | taken, cell)

    def outcome(self) -> Outcome | None:
        # Only the side that has just played can have made a five, with its ring or a captured one.
        if five(self.theirs):
            return Outcome(self.to_move.other, "five")
        if self.placed < 2 * RINGS:
            return None
        white, black = map(largest_group, self.rings)
        if white == black:
            return Outcome(None, "equal_groups")  # not defined by newsletter 49
        return Outcome(Side.FIRST if white > black else Side.SECOND, "larger_group")

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        rings = BOARD.write(dict(zip(LETTERS, self.rings, strict=True)))
        return f"{self.layout.marks} {rings} {BOARD.names.get(self.last, '-')}"


def start(rules: Rules, setup: str) -> Position:
    """Returns the empty board with this layout: 36 marks, row 6 first, blanks ignored. Raises ValueError for
    bad marks.
    """
    marks = "".join(setup.translate(_TYPED).split()).lower()
    return Position(rules, _layout(rules, marks, setup), 0, 0, 0)


def position(rules: Rules, text: str) -> Position:
    """Parses a position: layout, rings, the last ring placed. Raises ValueError for any other text."""
    parts = text.split(" ")
    if len(parts) != 3:
        raise ValueError(f"{text!r} is not a layout, a board and the last ring")
    marks, board, last = parts
    white, black = BOARD.read(board, LETTERS)
    second = (white | black).bit_count() & 1
    mine, theirs = (black, white) if second else (white, black)
    ring = BOARD.bits.get(last, 0)
    if not (ring & theirs if theirs | mine else last == "-"):
        raise ValueError(f"{last!r} is not a ring of the side that played last")
    if (white | black).bit_count() > 2 * RINGS or five(mine):
        raise ValueError(f"{text!r} goes on after the end of the game")
    return Position(rules, _layout(rules, marks, marks), mine, theirs, ring)


def _layout(rules: Rules, marks: str, written: str) -> Layout:
    """Returns the layout of these marks. Raises ValueError, quoting `written`."""
    kinds = " ".join(rules.marks)
    if not marks:
        raise ValueError(f"Insert needs a layout: {len(BOARD.bits)} marks, row 6 first, of the kinds {kinds}")
    if strange := set(marks) - set(rules.marks):
        raise ValueError(f"{min(strange)!r} in {written!r} is no mark: they are {kinds}")
    if len(marks) != len(BOARD.bits):
        raise ValueError(f"{written!r} has {len(marks)} marks, and the board has {len(BOARD.bits)} cells")
    return layout(marks)

"""The rules of Lines of Action (Claude Soucie, 1960), after Fogliaccio degli Astratti 6."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from random import Random
from typing import Literal, Self

from games.kit.scene import Line, SquareBoard
from games.lines_of_action.board import PASS, Move, Slides, slides
from games.protocol import Objection, Outcome, Side

# Objections to slides


def slide_objection(board: SquareBoard, mine: int, theirs: int, move: Move) -> Objection | None:
    """Returns why the side with the men `mine` may not make `move`. None when it may."""
    for cell in (move.origin, move.target):
        if cell not in board.bits:
            return Objection("off_board", (cell,))
    origin, target = board.bits[move.origin], board.bits[move.target]
    if not origin & mine:
        return Objection("not_yours" if origin & theirs else "empty", (move.origin,))
    line = next((line for line in board.lines if origin in line and target in line), None)
    if line is None or origin == target:
        return Objection("off_line", (move.origin, move.target))
    return _on_line(board, mine, theirs, move, line)


def _on_line(board: SquareBoard, mine: int, theirs: int, move: Move, line: Line) -> Objection | None:
    start, end = (line.index(board.bits[cell]) for cell in (move.origin, move.target))
    distance = ((mine | theirs) & sum(line)).bit_count()
    if abs(end - start) != distance:
        return Objection("distance", (move.origin, move.target), numbers=(distance, abs(end - start)))
    crossed = sum(line[min(start, end) + 1 : max(start, end)])
    if crossed & theirs:
        return Objection("blocked", (move.origin, *board.cells(crossed & theirs)))
    if line[end] & mine:
        return Objection("own_man", (move.target,))
    if move.capture and not line[end] & theirs:
        return Objection("no_capture", (move.target,))
    if not move.capture and line[end] & theirs:
        return Objection("unmarked_capture", (move.target,))
    return None


Double = Literal["mover", "draw"]
Stuck = Literal["pass", "loss"]

LETTERS = (
    "ox"  # black and white men in positions, as in Fogliaccio 6; on text boards O is White, as in Insert
)

_NEXT = (Side.SECOND, Side.FIRST)  # Side.other without building an enum, for speed in playouts


@dataclass(frozen=True)
class Rules:
    """The options of a variant; `size` must be even for a scrambled set-up."""

    size: int = 8  # 6 is the Pergolazione; Fogliaccio 6 gives only its size
    scrambled: bool = False
    double: Double = (
        "mover"  # both sides connected: the mover wins in Fogliaccio 6, a draw at the Mind Sports Olympiad
    )
    stuck: Stuck = "pass"  # without a move: passes at the Mind Sports Olympiad, undefined in Fogliaccio 6

    @cached_property
    def slides(self) -> Slides:
        """Returns the moves along every line of the board."""
        return slides(self.size)

    @property
    def board(self) -> SquareBoard:
        """Returns the board of this size."""
        return self.slides.board


@dataclass(frozen=True, slots=True)
class Position:
    """The men as bitboards: `mine` of the side to move, `theirs` of the side that moved last."""

    rules: Rules
    mine: int
    theirs: int
    to_move: Side = Side.FIRST

    @property
    def men(self) -> tuple[int, int]:
        """Returns Black's men and White's."""
        return (self.theirs, self.mine) if self.to_move else (self.mine, self.theirs)

    def moves(self) -> Iterator[Move]:
        if not self.joined():
            yield from self.slides() or self._passes()

    def count(self) -> int:
        if self.joined():
            return 0
        return self.rules.slides.count(self.mine, self.theirs) or len(self._passes())

    def sample(self, rng: Random) -> Move:
        return self.rules.slides.sample(self.mine, self.theirs, rng) or PASS

    def slides(self) -> list[Move]:
        """Returns the slides of the side to move, even when the game is over."""
        return self.rules.slides.all(self.mine, self.theirs)

    def objection(self, move: Move) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        if self._passes():
            return None if move == PASS else Objection("must_pass")
        if move == PASS:
            return Objection("no_pass")
        return slide_objection(self.rules.board, self.mine, self.theirs, move)

    def play(self, move: Move) -> Self:
        follows = _NEXT[self.to_move]
        if not move.origin:
            return type(self)(self.rules, self.theirs, self.mine, follows)
        bits = self.rules.slides.board.bits
        origin, target = bits[move.origin], bits[move.target]
        return type(self)(self.rules, self.theirs & ~target, self.mine ^ origin ^ target, follows)

    def outcome(self) -> Outcome | None:
        return self.joined() or self._standstill()

    def joined(self) -> Outcome | None:
        """Returns the outcome when a side is connected; a capture may connect the opponent. None otherwise."""
        connected = self.rules.slides.board.connected
        moved, waits = connected(self.theirs), connected(self.mine)
        if not moved and not waits:
            return None
        mover = self.to_move.other
        if moved and waits:
            return Outcome(None if self.rules.double == "draw" else mover, f"both_{self.rules.double}")
        return Outcome(mover, "joined") if moved else Outcome(self.to_move, "joined_by_loser")

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        men = self.rules.board.write(dict(zip(LETTERS, self.men, strict=True)))
        return f"{men} {LETTERS[self.to_move]}"

    def _standstill(self) -> Outcome | None:
        if self.rules.slides.any(self.mine, self.theirs):
            return None
        if self.rules.stuck == "loss":
            return Outcome(self.to_move.other, "stuck")
        return None if self.rules.slides.any(self.theirs, self.mine) else Outcome(None, "deadlock")

    def _passes(self) -> tuple[Move, ...]:
        """Returns the forced pass. Empty when a move can be played or the game is over."""
        return () if self.slides() or self.outcome() else (PASS,)


def start(rules: Rules, setup: str) -> Position:
    """Returns the first position: Black on the first and last row, White on the outer columns, or mixed.

    Raises ValueError for a set-up: there is none to choose.
    """
    if setup:
        raise ValueError(f"there is no set-up to choose, not even {setup!r}")
    inner = rules.size - 2
    along, across = ("ox", "xo") if rules.scrambled else ("oo", "xx")
    last, first = _alternate(along, inner), _alternate(along[::-1], inner)
    left, right = _alternate(across, inner), _alternate(across[::-1], inner)
    between = (f"{a}{inner}{h}" for a, h in zip(left, right, strict=True))
    return position(rules, f"{'/'.join((f'1{last}1', *between, f'1{first}1'))} o")


def position(rules: Rules, text: str) -> Position:
    """Parses a position such as `1oooooo1/x6x/.../1oooooo1 o`. Raises ValueError for any other text."""
    board, _, letter = text.partition(" ")
    black, white = rules.board.read(board, LETTERS)
    if letter not in ("o", "x") or not black or not white:
        raise ValueError(f"{text!r} lacks a side to move, or the men of one side")
    if letter == "o":
        return Position(rules, black, white, Side.FIRST)
    return Position(rules, white, black, Side.SECOND)


def _alternate(men: str, length: int) -> str:
    return "".join(men[place % 2] for place in range(length))

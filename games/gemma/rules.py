"""The rules of Gemma (John McCallion), after Fogliaccio degli Astratti 6, as changes to Lines of Action."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Self

from games.lines_of_action import rules as lines_of_action
from games.lines_of_action.board import PASS, Move
from games.lines_of_action.rules import LETTERS, Rules, slide_objection
from games.protocol import Objection, Outcome

VANISHED = "#"


class Removal(Move):
    """The removal of a man that cannot move, from `origin`."""

    __slots__ = ()

    def __init__(self, origin: str) -> None:
        super().__init__(origin, target="")

    def __str__(self) -> str:
        return f"x{self.origin}"


@dataclass(frozen=True, slots=True)
class Position(lines_of_action.Position):
    """The men as in Lines of Action, and the vanished squares, `gone`."""

    gone: int = 0

    def moves(self) -> Iterator[Move]:
        if not self.joined():
            yield from self.turns()

    def count(self) -> int:
        return 0 if self.joined() else len(self.turns())

    def sample(self, rng: Random) -> Move:
        return rng.choice(self.turns())

    def turns(self) -> list[Move]:
        """Returns the slides, and the removals of men without a slide. Not empty while the side has a man."""
        board, slides = self.rules.slides.board, self.slides()
        still = self.mine
        for slide in slides:
            still &= ~board.bits[slide.origin]
        return [*slides, *map(Removal, board.cells(still))]

    def slides(self) -> list[Move]:
        """Returns the slides of Lines of Action, except those that end on a vanished square."""
        bits, gone = self.rules.slides.board.bits, self.gone
        slides = self.rules.slides.all(self.mine, self.theirs)
        return [slide for slide in slides if not bits[slide.target] & gone]

    def objection(self, move: Move) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        if move == PASS:
            return Objection("no_pass")
        if isinstance(move, Removal):
            return self._removal_objection(move.origin)
        objection = slide_objection(self.rules.board, self.mine, self.theirs, move)
        if not objection and self.rules.board.bits[move.target] & self.gone:
            return Objection("vanished", (move.target,))
        return objection

    def play(self, move: Move) -> Self:
        bits = self.rules.slides.board.bits
        origin, target = bits[move.origin], bits.get(move.target, 0)
        men, enemies = self.mine ^ origin ^ target, self.theirs & ~target
        return type(self)(self.rules, enemies, men, self.to_move.other, self.gone | origin)

    def outcome(self) -> Outcome | None:
        return self.joined()

    def __str__(self) -> str:
        layers = dict(zip(LETTERS + VANISHED, (*self.men, self.gone), strict=True))
        return f"{self.rules.board.write(layers)} {LETTERS[self.to_move]}"

    def _removal_objection(self, cell: str) -> Objection | None:
        bit = self.rules.board.bits.get(cell)
        if bit is None:
            return Objection("off_board", (cell,))
        if not bit & self.mine:
            return Objection("not_yours" if bit & self.theirs else "empty", (cell,))
        slide = next((slide for slide in self.slides() if slide.origin == cell), None)
        return Objection("can_move", (cell, slide.target)) if slide else None


def start(rules: Rules, setup: str) -> Position:
    """Returns the first position, as in Lines of Action."""
    return position(rules, str(lines_of_action.start(rules, setup)))


def position(rules: Rules, text: str) -> Position:
    """Parses a position such as `1#ooooo1/x6x/1o6/.../1oooooo1 x`. Raises ValueError for any other text."""
    board, _, letter = text.partition(" ")
    *men, gone = rules.board.read(board, LETTERS + VANISHED)
    whole = rules.board.write(dict(zip(LETTERS, men, strict=True)))
    lines = lines_of_action.position(rules, f"{whole} {letter}")
    return Position(rules, lines.mine, lines.theirs, lines.to_move, gone)

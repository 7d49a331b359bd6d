"""Evaluates Lines of Action by concentration and centralisation of the men (after Winands' MIA)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from games.engine.evaluation import DRAWN, LOST, WON, Action, Children, Node
from games.kit.scene import SquareBoard
from games.lines_of_action.board import PASS, LineTable, Slides, slides

CENTRE, SPREAD, TEMPO = (
    72,
    20,
    15,
)  # per ring nearer to the centre; per unit of squared distance; for the side to move
JOINED = 100_000  # added when the men form one group

_REMEMBERED = 200_000  # evaluated sets of men, kept for reuse


class Worth(dict[int, int]):
    """A table of the evaluation of one side's men, computed once for each set."""

    def __init__(self, board: SquareBoard) -> None:
        super().__init__()
        self._board = board
        size = board.size
        self._places = {
            bit: (x, y, min(x, y, size - 1 - x, size - 1 - y))
            for y, row in enumerate(board.rows)
            for x, bit in enumerate(row)
        }

    def __missing__(self, men: int) -> int:
        if len(self) > _REMEMBERED:
            self.clear()
        number = men.bit_count()
        if not number:
            return JOINED
        across = up = squared = inward = 0
        rest = men
        while rest:
            bit = rest & -rest
            rest ^= bit
            x, y, ring = self._places[bit]
            across += x
            up += y
            squared += x * x + y * y
            inward += ring
        distance = number * squared - across * across - up * up
        worth = CENTRE * inward // number - SPREAD * distance // (number * number)
        self[men] = worth = worth + JOINED if self._board.connected(men) else worth
        return worth


class Flips(dict[int, tuple[tuple[int, int], ...]]):
    """The moves along a line, by the men on it as in `LineTable`: the mask of both squares that change, and
    the target.
    """

    def __init__(self, board: SquareBoard, table: LineTable) -> None:
        super().__init__()
        self._bits, self._table = board.bits, table

    def __missing__(self, men: int) -> tuple[tuple[int, int], ...]:
        bits = self._bits
        found = tuple((bits[move.origin] | bits[move.target], bits[move.target]) for move in self._table[men])
        self[men] = found
        return found


@cache
def worth(size: int) -> Worth:
    return Worth(slides(size).board)


@cache
def flips(size: int) -> tuple[tuple[int, Flips], ...]:
    """Returns each line's mask and moves."""
    known: Slides = slides(size)
    return tuple((mask, Flips(known.board, table)) for mask, table in known.lines)


class LinesOfActionEvaluator:
    """Searches Lines of Action.

    A node has the men of the side to move, those of the opponent, and the side; an action is the mask of both
    squares that change, 0 for a pass.
    """

    man: ClassVar[int] = 40
    scale: ClassVar[int] = 220
    budgets: ClassVar[Mapping[int, int]] = {}
    repeats: ClassVar[bool] = True
    selective: ClassVar[bool] = False
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        rules = position.rules
        self._both = DRAWN if rules.double == "draw" else LOST
        self._stuck = rules.stuck
        self._worth, self._flips, self._reach = worth(rules.size), flips(rules.size), rules.slides.reach

    def node(self, position: Any) -> Node:
        return position.mine, position.theirs, int(position.to_move)

    def result(self, node: Node) -> int | None:
        moved, waits = self._worth[node[1]] > JOINED // 2, self._worth[node[0]] > JOINED // 2
        if not moved and not waits:
            return None
        if moved:
            return self._both if waits else LOST
        return WON

    def stuck(self, node: Node) -> int:
        return LOST if self._stuck == "loss" else DRAWN

    def forced(self, node: Node) -> bool:
        return False

    def children(self, node: Node, depth: int, ply: int) -> Children:
        mine, theirs, side = node
        found = self._slides(mine, theirs, 1 - side)
        if found or self._stuck == "loss" or not self._slides(theirs, mine, side):
            return found
        return [(0, (theirs, mine, 1 - side))]

    def value(self, node: Node) -> int:
        return self._worth[node[0]] - self._worth[node[1]] + TEMPO

    def move(self, position: Any, action: Action) -> Any:
        bits = position.rules.board.bits
        moves = (move for move in position.slides() if bits[move.origin] | bits[move.target] == action)
        return next(moves, PASS)

    def _slides(self, mine: int, theirs: int, follows: int) -> list[tuple[Action, Node]]:
        men = mine | theirs << self._reach
        return [
            (flip, (theirs & ~target, mine ^ flip, follows))
            for mask, table in self._flips
            for flip, target in table[men & mask]
        ]


EVALUATOR = LinesOfActionEvaluator

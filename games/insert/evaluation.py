"""Evaluates Insert by open windows of five, and by groups near the end."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any, ClassVar

from games.engine.evaluation import DRAWN, LOST, WON, Action, Children, Node
from games.insert.board import ALL, BOARD, captured, five, largest_group
from games.insert.rules import RINGS, Move
from games.kit.scene import Line

OPEN = (0, 1, 4, 14, 40, 0)  # for each number of rings of one side alone in a window of five
CONTESTED = 6  # for four of them and an enemy ring, which can be captured
FREE = 8  # for a free choice of cell
ENDING = 14  # groups count when fewer rings than this are left

_LONG = 5
_REACH = BOARD.full.bit_length()


class Windows(dict[int, int]):
    """The values of a line's windows for the side to move, by its rings: `mine | theirs << _REACH`."""

    def __init__(self, line: Line) -> None:
        super().__init__()
        self._windows = [sum(line[first : first + _LONG]) for first in range(len(line) - _LONG + 1)]

    def __missing__(self, rings: int) -> int:
        mine, theirs = rings & (1 << _REACH) - 1, rings >> _REACH
        counts = [((mine & window).bit_count(), (theirs & window).bit_count()) for window in self._windows]
        self[rings] = worth = sum(_window(own, enemy) - _window(enemy, own) for own, enemy in counts)
        return worth


@cache
def windows() -> tuple[tuple[int, Windows], ...]:
    lines = [line for line in BOARD.lines if len(line) >= _LONG]
    return tuple((sum(line) | sum(line) << _REACH, Windows(line)) for line in lines)


class InsertEvaluator:
    """Searches Insert.

    A node has the rings of the side to move, those of the opponent, and the last ring; an action is a cell.
    """

    man: ClassVar[int] = 14
    scale: ClassVar[int] = 40
    budgets: ClassVar[Mapping[int, int]] = {}
    repeats: ClassVar[bool] = False
    selective: ClassVar[bool] = False
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        self._lines: dict[int, int] = position.layout.lines
        self._windows = windows()

    def node(self, position: Any) -> Node:
        return position.mine, position.theirs, position.last

    def result(self, node: Node) -> int | None:
        mine, theirs, _ = node
        if five(theirs):
            return LOST
        if (mine | theirs).bit_count() < 2 * RINGS:
            return None
        own, enemy = largest_group(mine), largest_group(theirs)
        return WON if own > enemy else LOST if own < enemy else DRAWN

    def stuck(self, node: Node) -> int:
        return DRAWN

    def forced(self, node: Node) -> bool:
        return False

    def children(self, node: Node, depth: int, ply: int) -> Children:
        mine, theirs, last = node
        cells = ALL & ~(mine | theirs)
        cells = self._lines[last] & cells or cells
        found: list[tuple[Action, Node]] = []
        while cells:
            cell = cells & -cells
            cells ^= cell
            taken = captured(cell, mine, theirs)
            found.append((cell, (theirs ^ taken, mine | cell | taken, cell)))
        return found

    def value(self, node: Node) -> int:
        mine, theirs, last = node
        rings = mine | theirs << _REACH
        worth = 0
        for mask, table in self._windows:
            worth += table[rings & mask]
        occupied = mine | theirs
        if not self._lines[last] & ~occupied:
            worth += FREE
        left = 2 * RINGS - occupied.bit_count()
        if left < ENDING:
            worth += (largest_group(mine) - largest_group(theirs)) * (ENDING - left)
        return worth

    def move(self, position: Any, action: Action) -> Any:
        return next(Move(cell) for cell, bit in BOARD.bits.items() if bit == action)


def _window(own: int, enemy: int) -> int:
    if enemy:
        return CONTESTED if (own, enemy) == (_LONG - 1, 1) else 0
    return OPEN[own]


EVALUATOR = InsertEvaluator

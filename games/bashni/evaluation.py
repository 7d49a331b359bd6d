"""Evaluates Bashni by the pieces that lead columns, those of their side below them, and the advance of men."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import ClassVar

from games.bashni.board import KINGS, PIECES, SQUARES, Columns, Move, Path, names
from games.bashni.rules import Position, begun, captures, columns_of, jumps, stepped, steps
from games.engine.evaluation import LOST, Children
from games.protocol import Side

MAN, KING = 100, 280  # on top of a column
BELOW, CROWNED = 85, 40  # a man below it of the same side, and what a king there is worth more
ADVANCE = 4  # for each row that a leading man has come forward

Stand = tuple[Columns, Side]  # a node


class BashniEvaluator:
    """Searches Bashni. A node has the columns and the side to move; an action is the path of its squares.

    Quiet turns are not counted: no node would recur.
    """

    man: ClassVar[int] = MAN
    scale: ClassVar[int] = 250
    budgets: ClassVar[Mapping[int, int]] = {3: 8_000, 4: 80_000}
    repeats: ClassVar[bool] = True
    selective: ClassVar[bool] = False
    rests: ClassVar[bool] = False

    def __init__(self, position: Position) -> None:
        self._stacking = position.rules.stacking

    def node(self, position: Position) -> Stand:
        return position.columns, position.to_move

    def result(self, node: Stand) -> int | None:
        return None if columns_of(*node) else LOST

    def stuck(self, node: Stand) -> int:
        return LOST

    def forced(self, node: Stand) -> bool:
        columns, side = node
        return any(any(jumps(begun(columns, at), self._stacking)) for at in columns_of(columns, side))

    def children(self, node: Stand, depth: int, ply: int) -> Children:
        columns, side = node
        if taken := captures(columns, side, self._stacking):
            return [(path, (after, side.other)) for after, path in taken.items()]
        return [
            ((here, there), (stepped(columns, here, there), side.other))
            for here, there in steps(columns, side)
        ]

    def value(self, node: Stand) -> int:
        columns, side = node
        lead = sum(map(_worth, columns, range(len(SQUARES))))
        return -lead if side else lead

    def move(self, position: Position, action: Path) -> Move:
        return Move(names(action), capture=bool(position.captures()))


@lru_cache(maxsize=100_000)
def _worth(column: str, square: int) -> int:
    """Returns the value of a column on a square, negative when it is Black's."""
    if not column:
        return 0
    top, white = column[-1], column[-1] in PIECES[0]
    row = int(SQUARES[square][1])
    worth = KING if top in KINGS else MAN + ADVANCE * (row - 1 if white else 8 - row)
    # prisoners count as what their side has lost: to hold them is no more than a risk
    for piece in column[:-1]:
        if (piece in PIECES[0]) == white:
            worth += BELOW + (CROWNED if piece in KINGS else 0)
    return worth if white else -worth


EVALUATOR = BashniEvaluator

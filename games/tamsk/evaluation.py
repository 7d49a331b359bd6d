"""Evaluates TAMSK by rings left, by the free places that each side reaches first, and by moves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from games.engine.evaluation import LOST, WON, Action, Children, Node
from games.tamsk.board import BIT, LATTICE, NAME, PASS, SPACES, Move, bits

RING, PLACE, MOVE = 30, 12, 4  # a ring that is gone, a free place reached first, a move
STUCK = 45  # a glass that cannot move any more


class TamskEvaluator:
    """Searches TAMSK.

    A node has the glasses of the side to move and of the other, the spaces with at least one, two, three and four free
    places, and the rings left of both; an action is an origin and a target, 0 and 0 for the pass.
    """

    man: ClassVar[int] = 30
    scale: ClassVar[int] = 150
    budgets: ClassVar[Mapping[int, int]] = {}
    repeats: ClassVar[bool] = False
    selective: ClassVar[bool] = False
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        self._values: dict[Node, int] = {}

    def node(self, position: Any) -> Node:
        mine, theirs = position.to_move, position.to_move.other
        glasses = [sum(map(BIT.__getitem__, position.glasses[side])) for side in (mine, theirs)]
        free = tuple(sum(BIT[name] for name in SPACES if position.takes(name) >= n) for n in (1, 2, 3, 4))
        return *glasses, free, position.rings[mine], position.rings[theirs]

    def result(self, node: Node) -> int | None:
        return None if node[4] else LOST

    def stuck(self, node: Node) -> int:
        return WON if node[3] < node[4] else LOST  # with as many rings the other side wins, which moved last

    def forced(self, node: Node) -> bool:
        return False

    def children(self, node: Node, depth: int, ply: int) -> Children:
        mine, theirs, free, rings, others = node
        open_ = free[0] & ~(mine | theirs)
        found: list[tuple[Action, Node]] = []
        for origin in bits(mine):
            for target in bits(LATTICE.around(origin) & open_):
                lowered, left = [], target
                for level in reversed(free):
                    lowered.append(level & ~left)
                    left &= ~level
                found.append(
                    (
                        (origin, target),
                        (theirs, mine ^ origin ^ target, tuple(reversed(lowered)), others, rings - 1),
                    )
                )
        if not found and LATTICE.around(theirs) & open_:
            return [((0, 0), (theirs, mine, free, others, rings))]
        return found

    def value(self, node: Node) -> int:
        known = self._values.get(node)
        if known is None:
            known = self._values[node] = _value(*node)
        return known

    def move(self, position: Any, action: Any) -> Any:
        origin, target = action
        return Move(NAME[origin], NAME[target]) if target else PASS


def _value(mine: int, theirs: int, free: tuple[int, ...], rings: int, others: int) -> int:
    open_ = free[0] & ~(mine | theirs)
    first, second = _reached(mine, theirs, open_)
    value = RING * (others - rings)
    value += PLACE * sum((level & first).bit_count() - (level & second).bit_count() for level in free)
    for glasses, sign in ((mine, 1), (theirs, -1)):
        for glass in bits(glasses):
            moves = (LATTICE.around(glass) & open_).bit_count()
            value += sign * (MOVE * moves if moves else -STUCK)
    return value


def _reached(mine: int, theirs: int, open_: int) -> tuple[int, int]:
    """Returns the open spaces that each side reaches first; where both come at once, the side to move is there."""
    first, second, left = mine, theirs, open_
    while True:
        near = LATTICE.around(first) & left
        left &= ~near
        far = LATTICE.around(second) & left
        left &= ~far
        if not near | far:
            return first, second
        first, second = first | near, second | far


EVALUATOR = TamskEvaluator

"""Evaluates DVONN by stacks that can move, their moves, and the pieces in them; before, by pieces beside red ones."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from games.dvonn.board import BOARD, PASS, REDS, TARGETS, Move
from games.dvonn.rules import LETTERS
from games.engine.evaluation import DRAWN, LOST, WON, Action, Children, Node

MOVABLE, STEP, HELD = 40, 6, 12  # for a stack that can move, for each of its moves, for a piece in a stack
# While pieces are placed: for one beside a red piece, and for one a step further away.
BESIDE, NEAR = 40, 25

_AT = {bit: bit.bit_length() - 1 for bit in BOARD.name}  # the place of a point in the heights
_TARGETS = {
    (BOARD.bit[name], height): sum(map(BOARD.bit.__getitem__, there))
    for (name, height), there in TARGETS.items()
}

Points = Iterator[int]


class DvonnEvaluator:
    """Searches DVONN.

    A node has the stacks of the side to move and of the other, those with a red piece, the height of each, and
    whether pieces are being placed; an action is the origin (0 when a piece is placed) and the target, 0 and 0 a pass.
    """

    man: ClassVar[int] = 60
    scale: ClassVar[int] = 200
    budgets: ClassVar[Mapping[int, int]] = {3: 8_000, 4: 80_000}
    repeats: ClassVar[bool] = False
    selective: ClassVar[bool] = False
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        self._values: dict[Node, int] = {}

    def node(self, position: Any) -> Node:
        stood = {BOARD.bit[name]: stack for name, stack in position.stood().items()}
        heights = bytearray(max(_AT.values()) + 1)
        for bit, stack in stood.items():
            heights[_AT[bit]] = len(stack)
        sides = [sum(bit for bit, stack in stood.items() if stack[-1] == letter) for letter in LETTERS]
        reds = sum(bit for bit, stack in stood.items() if "r" in stack)
        return sides[position.to_move], sides[position.to_move.other], reds, bytes(heights), position.placing

    def result(self, node: Node) -> int | None:
        return None

    def stuck(self, node: Node) -> int:
        mine, theirs, _, heights, _ = node
        ahead = _pieces(mine, heights) - _pieces(theirs, heights)
        return WON if ahead > 0 else LOST if ahead else DRAWN

    def forced(self, node: Node) -> bool:
        return False

    def children(self, node: Node, depth: int, ply: int) -> Children:
        mine, theirs, reds, heights, placing = node
        occupied = mine | theirs | reds
        if placing and occupied != BOARD.full:
            return list(_placings(node))
        if placing:
            return [((0, 0), (theirs, mine, reds, heights, False))]
        found = [
            ((origin, target), _moved(node, origin, target))
            for origin in _bits(mine & ~BOARD.enclosed(occupied))
            for target in _bits(_TARGETS.get((origin, heights[_AT[origin]]), 0) & occupied)
        ]
        if not found and any(_moves(theirs, occupied, heights)):
            return [((0, 0), (theirs, mine, reds, heights, False))]
        return found

    def value(self, node: Node) -> int:
        known = self._values.get(node)
        if known is None:
            mine, theirs, reds, heights, placing = node
            if placing:
                beside = BOARD.around(reds)
                near = BOARD.around(beside) & ~beside
                known = BESIDE * ((mine & beside).bit_count() - (theirs & beside).bit_count())
                known += NEAR * ((mine & near).bit_count() - (theirs & near).bit_count())
            else:
                occupied = mine | theirs | reds
                known = _worth(mine, occupied, heights) - _worth(theirs, occupied, heights)
            self._values[node] = known
        return known

    def move(self, position: Any, action: Any) -> Any:
        origin, target = action
        if not target:
            return PASS
        return Move(BOARD.name[origin] if origin else "", BOARD.name[target])


def _bits(points: int) -> Points:
    while points:
        bit = points & -points
        yield bit
        points ^= bit


def _placings(node: Node) -> Iterator[tuple[Action, Node]]:
    mine, theirs, reds, heights, _ = node
    occupied = mine | theirs | reds
    for point in _bits(BOARD.full ^ occupied):
        after = bytearray(heights)
        after[_AT[point]] = 1
        if occupied.bit_count() < REDS:
            yield (0, point), (theirs, mine, reds | point, bytes(after), True)
        else:
            yield (0, point), (theirs, mine | point, reds, bytes(after), True)


def _moved(node: Node, origin: int, target: int) -> Node:
    mine, theirs, reds, heights, _ = node
    after = bytearray(heights)
    after[_AT[target]] += after[_AT[origin]]
    after[_AT[origin]] = 0
    if reds & origin:
        reds = reds & ~origin | target
    mine, theirs = mine ^ origin | target, theirs & ~target
    occupied = mine | theirs | reds
    left = BOARD.connected(reds, occupied)
    for gone in _bits(occupied ^ left):
        after[_AT[gone]] = 0
    return theirs & left, mine & left, reds, bytes(after), False


def _pieces(stacks: int, heights: bytes) -> int:
    return sum(heights[_AT[bit]] for bit in _bits(stacks))


def _moves(stacks: int, occupied: int, heights: bytes) -> Iterator[int]:
    """Yields how many moves each stack has that can move."""
    for origin in _bits(stacks & ~BOARD.enclosed(occupied)):
        if there := _TARGETS.get((origin, heights[_AT[origin]]), 0) & occupied:
            yield there.bit_count()


def _worth(stacks: int, occupied: int, heights: bytes) -> int:
    moves = list(_moves(stacks, occupied, heights))
    return MOVABLE * len(moves) + STEP * sum(moves) + HELD * _pieces(stacks, heights)


EVALUATOR = DvonnEvaluator

"""Evaluates TZAAR by how few stacks of a type are left, and by heights; only the likeliest turns are searched."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import accumulate, pairwise
from typing import Any, ClassVar

from games.engine.evaluation import LOST, WON, Action, Children, Node
from games.tzaar.board import EACH, POINTS, RAYS, TYPES, Move
from games.tzaar.rules import CASES, height

LAST = 3_000  # for the last stack of a type
RISES = (0, 0, 60, 110, 140, *(155,) * 26)  # for a stack of this height; more than five add nothing
WIDTHS = (16, 16, 20, 24)  # turns searched, by depth
AT_ROOT, FIRSTS = 60, 6  # turns at the root; captures that are continued elsewhere
POOL = 3  # times as many are compared by what they leave to the opponent

# What stacks of a type are worth together, by their number: each the more, the fewer there are.
_WORTH = {
    kind: (0, *accumulate((LAST, *(400 * 6 // (each * (left + 1)) for left in range(1, each)))))
    for kind, each in EACH.items()
}

# A stack is a byte, 0 for none: its type and side, and its height times `_KINDS`.
_KINDS = 8
_BLACK = 4  # in the numbers of Black's types alone
_CODES = {
    case(kind): number + 1 + 3 * side for side, case in enumerate(CASES) for number, kind in enumerate(TYPES)
}
_PRICES = tuple(_WORTH[kind] for _ in CASES for kind in TYPES)
# What a side loses with one of its last stacks of a type, by their number.
_LOSSES = tuple((0, *(more - less for less, more in pairwise(price))) for price in _PRICES)

Pair = tuple[int, int]
Counts = tuple[int, ...]


class TzaarEvaluator:
    """Searches TZAAR.

    A node has the stacks, the side to move, the number of stacks of each type and side, the lead of the side to move,
    and whether pieces are being placed. An action is one or two pairs of origin and target, or a type and a point.
    """

    man: ClassVar[int] = 100
    scale: ClassVar[int] = 300
    budgets: ClassVar[Mapping[int, int]] = {3: 2_500, 4: 25_000}
    repeats: ClassVar[bool] = False
    selective: ClassVar[bool] = True
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        self._values: dict[Node, int] = {}

    def node(self, position: Any) -> Node:
        board = bytes(
            _CODES[stack[0]] + _KINDS * (height(stack) - 1) if stack else 0 for stack in position.board
        )
        counts = tuple(sum(1 for stack in board if stack % _KINDS == code) for code in _CODES.values())
        ahead = sum(price[n] for price, n in zip(_PRICES[:3], counts[:3], strict=True))
        ahead -= sum(price[n] for price, n in zip(_PRICES[3:], counts[3:], strict=True))
        for stack in filter(None, board):
            ahead += RISES[stack // _KINDS + 1] * (-1 if stack % _KINDS > 3 else 1)
        return board, int(position.to_move), counts, -ahead if position.to_move else ahead, position.placing

    def result(self, node: Node) -> int | None:
        _, side, counts, _, placing = node
        if placing:
            return None
        mine, theirs = (counts[3:], counts[:3]) if side else (counts[:3], counts[3:])
        return LOST if 0 in mine else WON if 0 in theirs else None

    def stuck(self, node: Node) -> int:
        return LOST

    def forced(self, node: Node) -> bool:
        return False

    def children(self, node: Node, depth: int, ply: int) -> Children:
        board, side, _, _, placing = node
        if placing:
            return list(_placings(node))
        firsts = [(action, _acted(node, *action)) for action in _actions(board, side, stacking=False)]
        if 0 not in board:
            return [((action,), _turned(after)) for action, after in firsts]
        firsts.sort(key=lambda one: -one[1][3])
        # the lead and the turn; its positions are played out only for the likeliest
        found: list[tuple[int, tuple[Pair, ...], Node]] = [
            (after[3], (action,), after) for action, after in firsts
        ]
        for action, after in firsts if not ply else firsts[:FIRSTS]:
            if 0 not in (after[2][:3] if side else after[2][3:]):
                found += (
                    (after[3] + _gain(after, *second), (action, second), after)
                    for second in _actions(after[0], side, stacking=True)
                )
        width = WIDTHS[min(depth, len(WIDTHS) - 1)] if ply else AT_ROOT
        found.sort(key=lambda one: -one[0])
        likely: list[tuple[Action, Node]] = [
            (turn, _turned(_acted(after, *turn[1]) if len(turn) > 1 else after))
            for _, turn, after in found[: POOL * width]
        ]
        likely.sort(key=lambda one: self.value(one[1]))
        return likely[:width]

    def value(self, node: Node) -> int:
        known = self._values.get(node)
        if known is None:
            known = self._values[node] = node[3] + (0 if node[4] else _threat(node))
        return known

    def move(self, position: Any, action: Any) -> Any:
        if isinstance(action[0], str):
            return Move(placed=action[0], point=POINTS[action[1]])
        return position.named(action)


def _actions(board: bytes, side: int, stacking: bool) -> list[Pair]:
    """Returns captures, and stackings, too, as the rules do."""
    found: list[Pair] = []
    own = _BLACK * side
    for origin, stack in enumerate(board):
        if stack and stack & _BLACK == own:
            highest = stack | _KINDS - 1
            for ray in RAYS[origin]:
                for point in ray:
                    if there := board[point]:
                        if stacking if there & _BLACK == own else there <= highest:
                            found.append((origin, point))
                        break
    return found


def _threat(node: Node) -> int:
    """Returns half of what the best two captures of the side to move gain, as the other side answers them."""
    board, side, counts, _, _ = node
    targets = {target for _, target in _actions(board, side, stacking=False)}
    if not targets:
        return -LAST
    gains = sorted(_capture(board[target], counts) for target in targets)
    return sum(gains[-2:]) // 2


def _capture(stack: int, counts: Counts) -> int:
    """Returns the gain of the side that captures a stack."""
    kind = stack % _KINDS - 1
    return _LOSSES[kind][counts[kind]] + RISES[stack // _KINDS + 1]


def _gain(node: Node, origin: int, target: int) -> int:
    """Returns the gain of the side to move by an action."""
    board, side, counts, _, _ = node
    stack, there = board[origin], board[target]
    kind = there % _KINDS - 1
    if (kind > 2) != side:
        return _capture(there, counts)
    tall, low = stack // _KINDS + 1, there // _KINDS + 1
    gain: int = RISES[tall + low] - RISES[tall] - RISES[low] - _LOSSES[kind][counts[kind]]
    return gain


def _acted(node: Node, origin: int, target: int) -> Node:
    """Returns the node after an action, with the same side to move."""
    board, side, counts, ahead, placing = node
    stack, there = board[origin], board[target]
    after = bytearray(board)
    after[origin] = 0
    kind = there % _KINDS - 1
    after[target] = stack + _KINDS * (there // _KINDS + 1) if (kind > 2) == side else stack
    fewer = (*counts[:kind], counts[kind] - 1, *counts[kind + 1 :])
    return bytes(after), side, fewer, ahead + _gain(node, origin, target), placing


def _turned(node: Node) -> Node:
    """Returns the node with the other side to move."""
    board, side, counts, ahead, placing = node
    return board, 1 - side, counts, -ahead, placing


def _placings(node: Node) -> Iterator[tuple[Action, Node]]:
    """Yields the places for a piece of the most numerous type in hand."""
    board, side, counts, ahead, _ = node
    mine = counts[3 * side : 3 * side + 3]
    number = max(range(3), key=lambda number: EACH[TYPES[number]] - mine[number])
    kind = number + 3 * side
    placed = (*counts[:kind], counts[kind] + 1, *counts[kind + 1 :])
    worth = _PRICES[kind][placed[kind]] - _PRICES[kind][counts[kind]]
    for point, stack in enumerate(board):
        if not stack:
            after = bytearray(board)
            after[point] = kind + 1
            yield (TYPES[number], point), (bytes(after), 1 - side, placed, -ahead - worth, board.count(0) > 1)


EVALUATOR = TzaarEvaluator

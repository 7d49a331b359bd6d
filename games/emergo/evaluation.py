"""Evaluates Emergo by caps, prisoners and mobility."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from games.emergo.board import ALL, CENTRE, SQUARES, WAYS, exposed, indices, walkers
from games.emergo.rules import Chain, longest
from games.engine.evaluation import DRAWN, LOST, Action, Children, Node

CAP, PRISONER, STEP = 100, 30, 3  # for a cap or a man in hand; for a prisoner held; for a possible step


class EmergoEvaluator:
    """Searches Emergo.

    A node has the squares of both sides, the columns, the men in hand, the side to move, and its lead in
    material; an action is the path of squares.
    """

    man: ClassVar[int] = CAP
    scale: ClassVar[int] = 250
    budgets: ClassVar[Mapping[int, int]] = {3: 8_000, 4: 80_000}
    repeats: ClassVar[bool] = True
    selective: ClassVar[bool] = False
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        self._blocked = LOST if position.rules.blocked == "loss" else DRAWN

    def node(self, position: Any) -> Node:
        columns, mine, theirs = position.columns, position.mine, position.theirs
        ahead = CAP * (position.hand - position.their_hand) + _men(columns, mine) - _men(columns, theirs)
        return mine, theirs, columns, position.hand, position.their_hand, int(position.to_move), ahead

    def result(self, node: Node) -> int | None:
        return None if node[0] or node[3] else LOST

    def stuck(self, node: Node) -> int:
        return DRAWN if node[3] else self._blocked

    def forced(self, node: Node) -> bool:
        return bool(exposed(node[1], node[0], ALL ^ (node[0] | node[1])))

    def children(self, node: Node, depth: int, ply: int) -> Children:
        mine, theirs, columns, hand, _, _, _ = node
        empty = ALL ^ (mine | theirs)
        if prey := exposed(theirs, mine, empty):
            return [_capture(node, chain) for chain in longest(mine, prey, theirs, empty, columns)]
        if hand:
            return [_entry(node, square) for square in indices(_entries(mine, theirs, empty))]
        found = []
        for way, men in zip(WAYS, walkers(mine, empty), strict=True):
            found += [_step(node, here, here + way) for here in indices(men)]
        return found

    def value(self, node: Node) -> int:
        mine, theirs, *_, ahead = node
        empty = ALL ^ (mine | theirs)
        room = sum(map(int.bit_count, walkers(mine, empty))) - sum(map(int.bit_count, walkers(theirs, empty)))
        worth: int = ahead + STEP * room
        return worth

    def move(self, position: Any, action: Any) -> Any:
        path = tuple(SQUARES[square] for square in action)
        return next(move for move in position.moves() if move.path == path)


def _men(columns: bytes, squares: int) -> int:
    """Returns the material of a side's columns: caps and their prisoners."""
    return sum(CAP * (columns[at] >> 4) + PRISONER * (columns[at] & 15) for at in indices(squares))


def _entries(mine: int, theirs: int, empty: int) -> int:
    """Returns the squares where a man may enter, as `Situation.entries` does."""
    if not mine | theirs:
        return ALL ^ CENTRE
    return empty if exposed(mine, theirs, empty) else empty & ~exposed(empty, theirs, empty)


def _entry(node: Node, square: int) -> tuple[Action, Node]:
    mine, theirs, columns, hand, their_hand, side, ahead = node
    men = 1 if their_hand else hand
    after = bytearray(columns)
    after[square] = men << 4
    return (square,), (theirs, mine | 1 << square, bytes(after), their_hand, hand - men, 1 - side, -ahead)


def _step(node: Node, here: int, there: int) -> tuple[Action, Node]:
    mine, theirs, columns, hand, their_hand, side, ahead = node
    after = bytearray(columns)
    after[there], after[here] = after[here], 0
    moved = mine ^ (1 << here | 1 << there)
    return (here, there), (theirs, moved, bytes(after), their_hand, hand, 1 - side, -ahead)


def _capture(node: Node, chain: Chain) -> tuple[Action, Node]:
    mine, theirs, columns, hand, their_hand, side, ahead = node
    path, jumped, _ = chain
    after = bytearray(columns)
    moving, after[path[0]] = after[path[0]], 0
    mine ^= 1 << path[0]
    for over in jumped:
        after[over] -= 1 << 4
        ahead += CAP + PRISONER
        if after[over] < 1 << 4:  # its prisoners are freed and become caps
            theirs ^= 1 << over
            ahead += (CAP + PRISONER) * after[over]
            mine |= 1 << over if after[over] else 0
            after[over] <<= 4
    after[path[-1]] = moving + len(jumped)
    return path, (theirs, mine | 1 << path[-1], bytes(after), their_hand, hand, 1 - side, -ahead)


EVALUATOR = EmergoEvaluator

"""Evaluates Newgame for robots. Without this file, robots play it by trying out continuations."""

from __future__ import annotations

from typing import ClassVar

from games.engine.evaluation import Node, Plain


class OpenThrees(Plain):
    """Counts the open threes that only the side to move has begun, less those of the opponent."""

    repeats: ClassVar[bool] = False

    def value(self, node: Node) -> int:
        mine = sum(not node.theirs & three and bool(node.mine & three) for three in node.rules.threes)
        theirs = sum(not node.mine & three and bool(node.theirs & three) for three in node.rules.threes)
        return 10 * (mine - theirs)


EVALUATOR = OpenThrees

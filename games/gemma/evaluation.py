"""Evaluates Gemma like Lines of Action, with vanished squares."""

from __future__ import annotations

from typing import Any, ClassVar

from games.engine.evaluation import Action, Children, Node
from games.gemma.rules import Removal
from games.lines_of_action.evaluation import LinesOfActionEvaluator


class GemmaEvaluator(LinesOfActionEvaluator):
    """Searches Gemma.

    A node has both sides' men and the vanished squares; the action of a removal is the square of the man.
    """

    repeats: ClassVar[bool] = False

    def node(self, position: Any) -> Node:
        return position.mine, position.theirs, position.gone

    def children(self, node: Node, depth: int, ply: int) -> Children:
        mine, theirs, gone = node
        men, still = mine | theirs << self._reach, mine
        found: list[tuple[Action, Node]] = []
        for mask, table in self._flips:
            for flip, target in table[men & mask]:
                if not target & gone:
                    origin = flip ^ target
                    still &= ~origin
                    found.append((flip, (theirs & ~target, mine ^ flip, gone | origin)))
        while still:
            origin = still & -still
            still ^= origin
            found.append((origin, (theirs, mine ^ origin, gone | origin)))
        return found

    def move(self, position: Any, action: Action) -> Any:
        bits = position.rules.board.bits
        removed = next((cell for cell, bit in bits.items() if bit == action), None)
        return Removal(removed) if removed else super().move(position, action)


EVALUATOR = GemmaEvaluator

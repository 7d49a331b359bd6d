"""A plain opponent at trapdoor chess: alpha-beta by the values of the men alone, the trap where the lot has it."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, ClassVar, cast

from games.engine.evaluation import Action, Children
from games.engine.search import Search
from games.kit.chess.board import squares
from games.kit.chess.men import Kind
from games.protocol import Position
from games.registry import AnyGame
from games.trapdoor_chess.evaluation import OTHER, VALUES, Stand, TrapdoorEvaluator, follows
from games.trapdoor_chess.objections import after, steps
from games.trapdoor_chess.position import Situation, trap_squares

TRAPS, TRAPS_AT_ROOT = 1, 5  # squares for the trap after each step, as many as the robot looks at


class PlainChess(TrapdoorEvaluator):
    """No squares where men stand well, no squares where the trap does, and no captures to their end."""

    rests: ClassVar[bool] = False

    def __init__(self, position: Any, rng: Random) -> None:
        super().__init__(position)
        self._rng = rng

    def value(self, node: Stand) -> int:
        mine, theirs = node.men.of(node.to_move), node.men.of(OTHER[node.to_move])
        return sum(
            VALUES[kind] * ((node.men[kind] & mine).bit_count() - (node.men[kind] & theirs).bit_count())
            for kind in Kind
        )

    def children(self, node: Stand, depth: int, ply: int) -> Children:
        still = not self._rules.trap or (self._rules.incheck == "before" and node.checked)
        found: list[tuple[Action, Stand]] = []
        for step in steps(cast(Situation, node)):
            men = after(cast(Situation, node), step)
            if men.attackers(men.king(node.to_move), node.to_move, node.trap):
                continue
            free = list(squares(trap_squares(men, node.to_move, node.trap)))
            most = TRAPS if ply else TRAPS_AT_ROOT
            traps = [0] if still else self._rng.sample(free, min(most, len(free)))
            found += [
                ((*step, trap), follows(node, step, men, node.trap if still else trap, 0)) for trap in traps
            ]
        return found


def plain_chess(nodes: int) -> Any:
    """A player of the ladder."""

    def moves(game: AnyGame, position: Position, seed: str, earlier: Sequence[Position]) -> Any:
        evaluator = PlainChess(position, Random(f"{seed} {position}"))
        search = Search(evaluator, nodes, [evaluator.node(one) for one in earlier])
        found = search.run(evaluator.node(position), 64)
        return evaluator.move(position, found.scores[0][0])

    return moves

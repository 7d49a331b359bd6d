"""Compares the best turn of a position with the one played, both searched to the same depth."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from math import exp, log
from typing import Any

from games.robots.evaluation import Action, Evaluator, Node
from games.robots.search import PROVEN, WIN, Search, Spent

# Scores as chances to win, from 0 to 1

_STEEPEST = 20.0  # limits the exponent: the outcome is certain by then


def chance(score: int, scale: int) -> float:
    """Returns the chance of the side to move; `scale` points are odds of e to 1, proven scores give 0 or 1."""
    if abs(score) > PROVEN:
        return float(score > 0)
    return 1 / (1 + exp(-max(-_STEEPEST, min(_STEEPEST, score / scale))))


def score_of(wanted: float, scale: int) -> int:
    """Returns the score with the chance `wanted`, between 0 and 1 (exclusive)."""
    return round(scale * log(wanted / (1 - wanted)))


DEEPEST = 40
_INFINITE = sys.maxsize


# Different depths would find fault with any turn: the deeper search also sees the answer.
class Comparison(Search):
    """A search of one position. `played` is the node after the played turn, None when no turn is compared."""

    def __init__(
        self, evaluator: Evaluator, root: Node, played: Node | None, earlier: Iterable[Node] = ()
    ) -> None:
        super().__init__(evaluator, 0, earlier)
        self._path.add(root)
        self._played = played
        self._sure = not evaluator.selective or evaluator.forced(root)  # whether `children` has all turns
        self.children: list[tuple[Action, Node]] = list(evaluator.children(root, DEEPEST, 0))
        self.scores: list[tuple[int, int]] = []  # of the best turn and the played one, at each depth

    @property
    def depth(self) -> int:
        return len(self.scores)

    @property
    def best(self) -> tuple[Action, Node]:
        return self.children[0]

    @property
    def found(self) -> bool:
        """Tells whether the played turn is the best one found."""
        return self._played is not None and self.best[1] == self._played

    def until(self, nodes: int) -> None:
        """Searches deeper and deeper until `nodes` in all are spent; depth 1 is always finished."""
        for depth in range(self.depth + 1, DEEPEST + 1):
            self._limit = nodes if self.scores else _INFINITE
            if self._settled:
                return
            try:
                self._look(depth)
            except Spent:
                return

    @property
    def best_chance(self) -> float:
        return self._mean(0)

    @property
    def played_chance(self) -> float:
        return self._mean(1)

    def leads_to(self, position: Any) -> Iterator[Node]:
        """Yields the nodes after all legal turns of the root's position."""
        return (self._evaluator.node(position.play(move)) for move in position.moves())

    def others_below(self, limit: float, nodes: int, others: Iterable[Node] | None = None) -> bool:
        """Tells whether all turns but the best leave a chance of at most `limit`, at the depth reached.

        False when `nodes` more do not suffice. `others` replaces the nodes of the searched turns.
        """
        score, best = score_of(limit, self._evaluator.scale), self.best[1]
        self._limit = self.nodes + nodes
        nodes_of = others if others is not None else (child for _, child in self.children)
        try:
            return all(
                -self._score(child, self.depth - 1, -score - 1, -score, 1) <= score
                for child in nodes_of
                if child != best
            )
        except Spent:
            return False

    @property
    def _settled(self) -> bool:
        """Tells whether a deeper search cannot change the result: the scores of both turns are proven."""
        if not self.scores:
            return False
        best, played = self.scores[-1]
        if self._played is None or self.found:
            return abs(best) > PROVEN
        return abs(best) > PROVEN and abs(played) > PROVEN

    def _look(self, depth: int) -> None:
        best, chosen = -_INFINITE, 0
        for index, (_, child) in enumerate(self.children):
            if index:
                score = -self._score(child, depth - 1, -best - 1, -best, 1)
            if not index or score > best:
                score = -self._score(child, depth - 1, -_INFINITE, -best, 1)
            if score > best:
                best, chosen = score, index
        first = self.children[chosen]
        if self._played is None or first[1] == self._played:
            played = best
        else:
            played = -self._score(self._played, depth - 1, -_INFINITE, _INFINITE, 1)
        if not self._sure and best < -PROVEN:
            best = max(played, best + WIN - PROVEN)  # a turn not searched may avoid the loss
        self.children = [first, *self.children[:chosen], *self.children[chosen + 1 :]]
        self.scores.append((max(best, played), played))

    def _mean(self, which: int) -> float:
        """Returns the mean chance of the last two depths."""
        # in one of them the mover has the last turn, in the other the opponent
        last = [scores[which] for scores in self.scores[-2:]]
        if abs(last[-1]) > PROVEN:
            last = last[-1:]
        return sum(chance(score, self._evaluator.scale) for score in last) / len(last)

"""The best turn of a position beside the one that was played, each looked at equally deep.

A search that ends at one depth for the one and at another for the other would find fault with everybody: anyone who
looks a ply further sees the answer to what they praise.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from math import exp, log
from typing import Any

from games.robots.mind import Action, Mind, Node
from games.robots.search import PROVEN, WIN, Search, Spent

# Scores as chances to win, from 0 to 1.

_STEEPEST = 20.0  # beyond it the odds are beyond all doubt


def chance(score: int, scale: int) -> float:
    """Of the side that the score is for, `scale` points being odds of e to 1; what is proved is 0 or 1."""
    if abs(score) > PROVEN:
        return float(score > 0)
    return 1 / (1 + exp(-max(-_STEEPEST, min(_STEEPEST, score / scale))))


def score_of(wanted: float, scale: int) -> int:
    """The score with that chance, which is between 0 and 1."""
    return round(scale * log(wanted / (1 - wanted)))


DEEPEST = 40
_INFINITE = sys.maxsize


class Comparison(Search):
    """A search of one position from one table. `played` is the node that the played turn led to, None for nothing."""

    def __init__(self, mind: Mind, root: Node, played: Node | None, earlier: Iterable[Node] = ()) -> None:
        super().__init__(mind, 0, earlier)
        self._path.add(root)
        self._played = played
        self._sure = not mind.selective or mind.forced(root)  # that there are no other turns
        self.children: list[tuple[Action, Node]] = list(mind.children(root, DEEPEST, 0))
        self.scores: list[tuple[int, int]] = []  # of the best turn and the played one, at each depth

    @property
    def depth(self) -> int:
        return len(self.scores)

    @property
    def best(self) -> tuple[Action, Node]:
        return self.children[0]

    @property
    def found(self) -> bool:
        """Whether nothing better than the played turn was found."""
        return self._played is not None and self.best[1] == self._played

    def until(self, nodes: int) -> None:
        """Depth by depth, until so many nodes in all are spent; depth 1 is finished whatever it costs."""
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
        """Whatever any turn of the rules leads to in the position of the root."""
        return (self._mind.node(position.play(move)) for move in position.moves())

    def others_below(self, limit: float, nodes: int, others: Iterable[Node] | None = None) -> bool:
        """Whether all turns but the best leave a chance of `limit` at most, as deep as was looked; False if so many
        more nodes do not tell. `others` are more nodes than the search has looked at."""
        score, best = score_of(limit, self._mind.scale), self.best[1]
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
        """Nothing that is found deeper would change anything: the best is proved, and so is the played turn."""
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
            best = max(played, best + WIN - PROVEN)  # what was not looked at may avoid the loss
        self.children = [first, *self.children[:chosen], *self.children[chosen + 1 :]]
        self.scores.append((max(best, played), played))

    def _mean(self, which: int) -> float:
        """Of the last two depths: at the one the side to move has had the last word, at the other the opponent."""
        last = [scores[which] for scores in self.scores[-2:]]
        if abs(last[-1]) > PROVEN:
            last = last[-1:]
        return sum(chance(score, self._mind.scale) for score in last) / len(last)

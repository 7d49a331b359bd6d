"""Alpha-beta search by iterative deepening, and the comparison of two turns; an `Evaluator` describes the game.

It is a principal variation search with a transposition table, two killer moves per ply, and late move
reductions. Repetitions are draws; earlier wins score higher.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from math import exp, log
from typing import NamedTuple

from games.engine.evaluation import Action, Children, Evaluator, Node

# Transposition table

ENTRIES = 400_000  # some 200 MB


class Entry(NamedTuple):
    """An entry of the table. `bound` is negative when `score` is an upper bound, positive when a lower one, 0
    when exact.
    """

    depth: int
    score: int
    bound: int
    action: Action


class Table:
    """A table with two generations of entries: the younger replaces the older when it has half of the
    capacity.
    """

    def __init__(self, entries: int = ENTRIES) -> None:
        self._half = max(1, entries // 2)
        self._young: dict[Node, Entry] = {}
        self._old: dict[Node, Entry] = {}

    def __len__(self) -> int:
        return len(self._young) + len(self._old)

    def get(self, node: Node) -> Entry | None:
        return self._young.get(node) or self._old.get(node)

    def put(self, node: Node, entry: Entry) -> None:
        if len(self._young) >= self._half and node not in self._young:
            self._old, self._young = self._young, {}
        self._young[node] = entry


WIN = 1_000_000  # less the plies to the win
PROVEN = WIN - 10_000
LONGEST = 80  # plies of a line, including those that cost no depth
CALMING = 4  # plies of captures below depth 0

_INFINITE = 2 * WIN
_LATE, _LATER = 4, 14  # children after which the depth is reduced by 1 and by 2


class Spent(Exception):
    """The budget of nodes is spent."""


@dataclass(frozen=True)
class Found:
    """The scores of the root's actions, the best first.

    All are exact at depth 1 only, else the first. `depth` is the last one finished.
    """

    scores: tuple[tuple[Action, int], ...]
    depth: int
    nodes: int


class Search:
    """A search of one position, with its own table."""

    def __init__(
        self, evaluator: Evaluator, nodes: int, earlier: Iterable[Node] = (), entries: int = ENTRIES
    ) -> None:
        self._evaluator, self._budget, self._limit = evaluator, nodes, sys.maxsize
        self._path = set(earlier)
        self.table = Table(entries)
        self._killers: list[tuple[Action, Action]] = [(None, None)] * (LONGEST + 1)
        self.nodes = 0

    def run(self, root: Node, deepest: int, noise: Callable[[], int] = int) -> Found:
        """Searches deeper and deeper within the budget; depth 1 is always finished.

        `noise` is drawn once for each child of the root and added to its score while that is not proven.
        """
        children = list(self._evaluator.children(root, deepest, 0))
        self._path.add(root)
        self._noise = {action: noise() for action, _ in children}
        scores, reached = self._first(children, exact=deepest == 1), 1
        nodes = dict(children)
        self._limit = self._budget
        for depth in range(2, deepest + 1):
            if len(scores) < 2 or abs(scores[0][1]) > PROVEN:
                break
            scores, finished = self._deeper([(action, nodes[action]) for action, _ in scores], scores, depth)
            if not finished:
                break
            reached = depth
        plain = [(action, self._plain(action, score)) for action, score in scores]
        if plain[0][1] < -PROVEN and self._evaluator.selective and not self._evaluator.forced(root):
            plain = [(action, _unproved(score)) for action, score in plain]
        return Found(tuple(plain), reached, self.nodes)

    def _plain(self, action: Action, score: int) -> int:
        return score if abs(score) > PROVEN else score - self._noise[action]

    def _first(self, children: Children, exact: bool) -> list[tuple[Action, int]]:
        """Searches all turns at depth 1, the best first; unless `exact`, scores a man below the best are
        upper bounds.
        """
        scores: list[tuple[Action, int]] = []
        least = -_INFINITE
        for action, child in children:
            score = self._root_move(action, child, 1, least, _INFINITE)
            scores.append((action, score))
            if not exact:
                least = max(least, score - self._evaluator.man)
        return sorted(scores, key=lambda scored: -scored[1])

    def _deeper(
        self, children: Children, before: list[tuple[Action, int]], depth: int
    ) -> tuple[list[tuple[Action, int]], bool]:
        """Returns the scores with the best action first, and whether the depth was finished.

        A partial result counts if the first child is part of it.
        """
        best, chosen = -_INFINITE, 0
        try:
            for index, (action, child) in enumerate(children):
                score = self._widening(action, child, depth, best, first=not index)
                if score > best:
                    best, chosen = score, index
                if best > PROVEN:
                    break
        except Spent:
            finished = False
        else:
            finished = True
        if best == -_INFINITE:
            return before, False
        first = (before[chosen][0], best)
        return [first, *before[:chosen], *before[chosen + 1 :]], finished

    def _widening(self, action: Action, child: Node, depth: int, best: int, first: bool) -> int:
        if first:
            return self._root_move(action, child, depth, -_INFINITE, _INFINITE)
        score = self._root_move(action, child, depth, best, best + 1)
        return score if score <= best else self._root_move(action, child, depth, best, _INFINITE)

    def _root_move(self, action: Action, child: Node, depth: int, alpha: int, beta: int) -> int:
        noise = self._noise[action]
        score = -self._score(child, depth - 1, noise - beta, noise - alpha, 1)
        return score if abs(score) > PROVEN else score + noise

    def _score(self, node: Node, depth: int, alpha: int, beta: int, ply: int) -> int:
        if self.nodes >= self._limit:
            raise Spent
        self.nodes += 1
        evaluator = self._evaluator
        result = evaluator.result(node)
        if result is not None:
            return result * (WIN - ply)
        if evaluator.repeats and node in self._path:
            return 0
        if ply >= LONGEST:
            return evaluator.value(node)
        forced = evaluator.forced(node) and (depth >= 0 or not evaluator.rests)
        if forced:
            depth = max(depth, 0) + 1
        if depth <= 0:
            return self._calm(node, depth, alpha, beta, ply) if evaluator.rests else evaluator.value(node)
        entry = self.table.get(node)
        if entry is not None and entry.depth >= depth:
            score = _seen_from(entry.score, ply)
            if not entry.bound or (score >= beta if entry.bound > 0 else score <= alpha):
                return score
        children = list(evaluator.children(node, depth, ply))
        if not children:
            return evaluator.stuck(node) * (WIN - ply)
        if len(children) > 1:
            self._sort(children, entry, depth, ply)
        elif not forced:
            depth += 1
        selected = evaluator.selective and not forced
        if not evaluator.repeats:
            return self._best(node, children, depth, alpha, beta, ply, selected)
        self._path.add(node)
        try:
            return self._best(node, children, depth, alpha, beta, ply, selected)
        finally:
            self._path.discard(node)

    def _best(
        self,
        node: Node,
        children: list[tuple[Action, Node]],
        depth: int,
        alpha: int,
        beta: int,
        ply: int,
        selected: bool,
    ) -> int:
        search, best, chosen, low = self._score, -_INFINITE, children[0][0], alpha
        for index, (action, child) in enumerate(children):
            if not index:
                score = -search(child, depth - 1, -beta, -alpha, ply + 1)
            else:
                less = 0 if depth < 3 or index <= _LATE else 2 if depth > 3 and index > _LATER else 1
                score = -search(child, depth - 1 - less, -alpha - 1, -alpha, ply + 1)
                if less and score > alpha:
                    score = -search(child, depth - 1, -alpha - 1, -alpha, ply + 1)
                if alpha < score < beta:
                    score = -search(child, depth - 1, -beta, -alpha, ply + 1)
            if score > best:
                best, chosen = score, action
                if score > alpha:
                    alpha = score
                    if score >= beta:
                        self._remember_killer(action, ply)
                        break
        if selected and best < -PROVEN:
            best = _unproved(best)
        bound = 1 if best >= beta else -1 if best <= low else 0
        self.table.put(node, Entry(depth, _seen_from(best, -ply), bound, chosen))
        return best

    def _calm(self, node: Node, depth: int, alpha: int, beta: int, ply: int) -> int:
        """Returns the score after captures; a side may stand pat instead of capturing."""
        value = self._evaluator.value
        best = value(node)
        if best >= beta or depth <= -CALMING:
            return best
        for worth, child in sorted(
            ((value(child), child) for _, child in self._evaluator.children(node, 0, ply)),
            key=lambda one: one[0],
        ):
            if -worth <= max(alpha, best):
                break  # the opponent may stand pat
            score = -self._score(child, depth - 1, -beta, -max(alpha, best), ply + 1)
            if score > best:
                best = score
                if best >= beta:
                    break
        return best

    def _sort(self, children: list[tuple[Action, Node]], entry: Entry | None, depth: int, ply: int) -> None:
        """Sorts children: the best action of the table, then killers, then by value; ties keep the evaluator's
        order.
        """
        if depth > 1:
            value = self._evaluator.value
            children.sort(key=lambda child: value(child[1]))
        first, second = self._killers[ply]
        known = entry.action if entry is not None else None
        for wanted in (second, first, known):
            if wanted is not None:
                for index, child in enumerate(children):
                    if child[0] == wanted:
                        children.insert(0, children.pop(index))
                        break

    def _remember_killer(self, action: Action, ply: int) -> None:
        first, _ = self._killers[ply]
        if action != first:
            self._killers[ply] = (action, first)


def _unproved(score: int) -> int:
    """Returns a score that is not proven: a turn not searched may avoid the loss."""
    return score + WIN - PROVEN


def _seen_from(score: int, ply: int) -> int:
    """Converts a score that counts plies from a node to one that counts from `ply` plies before it."""
    if score > PROVEN:
        return score - ply
    return score + ply if score < -PROVEN else score


# The best turn of a position compared with the one played, both searched to the same depth

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
_INFINITE_COMPARISON = sys.maxsize


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
            self._limit = nodes if self.scores else _INFINITE_COMPARISON
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
        best, chosen = -_INFINITE_COMPARISON, 0
        for index, (_, child) in enumerate(self.children):
            if index:
                score = -self._score(child, depth - 1, -best - 1, -best, 1)
            if not index or score > best:
                score = -self._score(child, depth - 1, -_INFINITE_COMPARISON, -best, 1)
            if score > best:
                best, chosen = score, index
        first = self.children[chosen]
        if self._played is None or first[1] == self._played:
            played = best
        else:
            played = -self._score(self._played, depth - 1, -_INFINITE_COMPARISON, _INFINITE_COMPARISON, 1)
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

"""Chooses a robot's move at its level: by search with the game's evaluator, or by playouts without one."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from math import log, log10, sqrt
from random import Random
from typing import Any

from games.engine import evaluation as evaluators
from games.engine.evaluation import DRAWN, LOST, WON, Action, Plain
from games.engine.search import PROVEN, WIN, Found, Search
from games.protocol import Outcome, Position, Side
from games.registry import AnyGame

# Levels


@dataclass(frozen=True)
class Level:
    """The strength of a robot, in nodes, not seconds: its moves are the same on every machine.

    Each move is misjudged by at most `noise` men; one of `careless` moves is the third best. `playouts`
    replaces `nodes` for a game without an evaluator.
    """

    nodes: int
    playouts: int
    noise: float = 0.0
    deepest: int = 64
    careless: int = 0


LEVELS: Mapping[int, Level] = {
    1: Level(nodes=1, playouts=1_500, noise=0.25, deepest=1, careless=6),
    2: Level(nodes=300, playouts=15_000, noise=0.05),
    3: Level(nodes=20_000, playouts=150_000, noise=0.02),
    4: Level(nodes=200_000, playouts=1_500_000, noise=0.01),
}


# Measured strength, from the results of `make ladder`


@dataclass(frozen=True)
class Result:
    """The results of a pairing, seen by its first player: `2-1` is level 2 against level 1."""

    name: str
    pairing: str
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Returns the first player's share of the points; a draw is half a point."""
        return (self.won + self.drawn / 2) / self.games

    @property
    def ahead(self) -> float:
        """Returns the first player's lead in rating points."""
        # half a game is added to each side, which keeps the rating finite
        share = (self.won + self.drawn / 2 + 0.5) / (self.games + 1)
        return 400 * log10(share / (1 - share))


@cache
def results() -> tuple[Result, ...]:
    lines = files(__package__).joinpath("ladder.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return tuple(
        Result(name, pairing, int(won), int(drawn), int(lost)) for name, pairing, won, drawn, lost in rows
    )


def above_first(name: str) -> Mapping[int, float]:
    """Returns the lead of each level over the first in rating points, as far as measured. Empty when not
    measured.
    """
    known = {result.pairing: result.ahead for result in results() if result.name == name}
    found = {1: 0.0}
    while (step := f"{len(found) + 1}-{len(found)}") in known:
        found[len(found) + 1] = found[len(found)] + known[step]
    return found if len(found) > 1 else {}


def above_lot(name: str) -> float | None:
    """Returns the first level's lead over random moves in rating points. None when not measured."""
    return next((each.ahead for each in results() if (each.name, each.pairing) == (name, "1-lot")), None)


HEADINGS: Mapping[str, str] = {
    "en": "| game | Robot-1, random moves | Robot-2, Robot-1 | Robot-3, Robot-2 |",
    "it": "| gioco | Robot-1, mosse a caso | Robot-2, Robot-1 | Robot-3, Robot-2 |",
}
PAIRINGS = ("1-lot", "2-1", "3-2")


def table(language: str) -> str:
    """Returns the Markdown table of the measurements: games won, drawn and lost by the first, and the interval of
    its share.
    """
    known = {(result.name, result.pairing): result for result in results()}
    rows = [HEADINGS[language], "| --- | --- | --- | --- |"]
    for name in dict.fromkeys(result.name for result in results()):
        cells = (_cell(known.get((name, pairing))) for pairing in PAIRINGS)
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _cell(result: Result | None) -> str:
    if result is None:
        return ""
    low, high = interval(result.share, result.games)
    return f"{result.won}-{result.drawn}-{result.lost} ({100 * low:.0f}–{100 * high:.0f}%)"


def interval(share: float, games: int) -> tuple[float, float]:
    """Returns the 95% confidence interval of a share measured in so many games (Wilson, 1927)."""
    spread = 1.96**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half = sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)


# Playouts for games without an evaluator: UCT with a solver (Winands, Björnsson and Saito 2008) and progressive
# widening.

SCALE = 100  # points by which the odds grow e-fold
LONGEST = 400  # plies of a playout; a longer one is a draw

_CURIOSITY = 0.7
_WIDTH = 2.0  # children per square root of visits


@dataclass(frozen=True)
class Tried:
    """The result of the playouts; `score` is as in `games.engine.search`, in points of `SCALE`."""

    move: Any
    score: int
    nodes: int


@dataclass(slots=True, eq=False)
class _Branch:
    """A position of the tree. `points` are the first side's, 2 for each win; `proof` is for the side to move."""

    position: Position
    move: Any = None
    visits: int = 0
    points: int = 0
    proof: int | None = None
    left: list[Any] | None = None  # moves not tried yet
    children: list[_Branch] = field(default_factory=list)


def best(position: Position, nodes: int, rng: Random) -> Tried:
    """Returns the most visited move after `nodes` positions."""
    # All turns of the root are tried once, whatever it costs, so that an immediate win is found.
    tree = _Tree(rng)
    root = _Branch(position)
    tree.widen(root)
    while root.left:
        tree.add(root)
    tree.prove(root)
    while tree.nodes < nodes and root.proof is None and len(root.children) > 1:
        tree.grow(root)
    return _chosen_playouts(root, tree.nodes)


class _Tree:
    """The tree search, and its nodes spent."""

    def __init__(self, rng: Random) -> None:
        self._rng = rng
        self.nodes = 0

    def grow(self, root: _Branch) -> None:
        """Adds a playout: down the tree, to a new position, and on with random moves."""
        way = [root]
        while (branch := way[-1]).proof is None and branch.visits:
            self.widen(branch)
            if branch.left and len(branch.children) < _WIDTH * sqrt(branch.visits):
                way.append(self.add(branch))
                break
            if (next_one := _most_promising(branch)) is None:
                break
            way.append(next_one)
        points = self._outcome(way[-1])
        for branch in reversed(way):
            branch.visits += 1
            branch.points += points
            if branch.children:
                self.prove(branch)

    def widen(self, branch: _Branch) -> None:
        if branch.left is None:
            branch.left = list(branch.position.moves())
            self._rng.shuffle(branch.left)

    def add(self, branch: _Branch) -> _Branch:
        """Adds an untried turn and the position after it."""
        assert branch.left
        move = branch.left.pop()
        after = branch.position.play(move)
        child = _Branch(after, move, proof=_proof(after, after.outcome()))
        branch.children.append(child)
        self.nodes += 1
        return child

    def prove(self, branch: _Branch) -> None:
        """Derives the proof of a branch from those of its children."""
        proofs = [child.proof for child in branch.children]
        if LOST in proofs:
            branch.proof = WON
        elif not branch.left and None not in proofs:
            branch.proof = DRAWN if DRAWN in proofs else LOST

    def _outcome(self, branch: _Branch) -> int:
        """Returns the first side's points in a random game from here."""
        position, rng = branch.position, self._rng
        outcome = position.outcome()
        for _ in range(LONGEST):
            if outcome is not None:
                return _points(outcome)
            position = position.play(position.sample(rng))
            self.nodes += 1
            outcome = position.outcome()
        return 1


def _most_promising(branch: _Branch) -> _Branch | None:
    """Returns the child with the highest upper bound, among those not proven. None when all are."""
    first = branch.position.to_move == Side.FIRST
    share = branch.visits.bit_length()  # a logarithm would differ between machines
    chosen, highest = None, -1.0
    for child in branch.children:
        if child.proof is None:
            if not child.visits:
                return child
            points = child.points if first else 2 * child.visits - child.points
            promise = points / (2 * child.visits) + _CURIOSITY * sqrt(share / child.visits)
            if promise > highest:
                chosen, highest = child, promise
    return chosen


def _chosen_playouts(root: _Branch, nodes: int) -> Tried:
    first = root.position.to_move == Side.FIRST

    def merit(child: _Branch) -> tuple[int, int]:
        return -(child.proof or 0), child.visits

    child = max(root.children, key=merit)
    if child.proof is not None:
        return Tried(child.move, -child.proof * (WIN - 1), nodes)
    points = child.points if first else 2 * child.visits - child.points
    odds = (points + 1) / (2 * child.visits - points + 1)
    return Tried(child.move, round(SCALE * log(odds)), nodes)


def _proof(position: Position, outcome: Outcome | None) -> int | None:
    if outcome is None:
        return None
    if outcome.winner is None:
        return DRAWN
    return WON if outcome.winner == position.to_move else LOST


def _points(outcome: Outcome) -> int:
    return {Side.FIRST: 2, Side.SECOND: 0, None: 1}[outcome.winner]


@dataclass(frozen=True)
class EngineMove:
    """A robot's move and its evaluation.

    `score` is in points for the side to move; `scale` points are odds of e to 1. Within 10,000 of `WIN` or
    `-WIN`, the result is proven, and the difference is the number of plies to it. `depth` is in plies, 0 for
    a game without an evaluator.
    """

    move: Any
    score: int
    scale: int
    depth: int
    nodes: int


def think(
    game: AnyGame, position: Position, level: int, seed: int | str, earlier: Iterable[Position] = ()
) -> EngineMove:
    """Returns the move of a robot of this level; the same seed gives the same move on every machine.

    `earlier` are the previous positions, for repetitions. Raises ValueError when the game is over.
    """
    if position.outcome() is not None:
        raise ValueError(f"the game is over: {position}")
    strength, rng = LEVELS[level], Random(f"{seed} {position}")
    makes = evaluators.find(game)
    if makes is None:
        return _tried(game, position, strength, rng)
    evaluator = makes(position)
    root = evaluator.node(position)
    before = [evaluator.node(one) for one in earlier] if evaluator.repeats else ()
    search = Search(evaluator, evaluator.budgets.get(level, strength.nodes), before)
    most = round(strength.noise * evaluator.man)
    found = search.run(root, strength.deepest, lambda: int(rng.random() * (2 * most + 1)) - most)
    action, score = _chosen(found, strength, rng)
    return EngineMove(evaluator.move(position, action), score, evaluator.scale, found.depth, found.nodes)


def by_rules(position: Position, seed: int | str) -> Any:
    """Returns an immediately winning move if there is one, else a random move."""
    rng, evaluator = Random(f"{seed} {position}"), Plain(position)
    found = Search(evaluator, nodes=1).run(position, 1, lambda: rng.randrange(1000))
    return found.scores[0][0]


def _chosen(found: Found, strength: Level, rng: Random) -> tuple[Action, int]:
    """Returns the best move, or by carelessness the third best, unless a proven win is missed or a proven
    loss chosen.
    """
    careless = strength.careless and rng.random() * strength.careless < 1
    if (
        careless
        and len(found.scores) > 2
        and abs(found.scores[0][1]) <= PROVEN
        and found.scores[2][1] >= -PROVEN
    ):
        return found.scores[2]
    return found.scores[0]


def _tried(game: AnyGame, position: Position, strength: Level, rng: Random) -> EngineMove:
    tried = best(position, strength.playouts, rng)
    return EngineMove(tried.move, tried.score, SCALE, 0, tried.nodes)

"""What a robot plays: by its game's mind, or by trying out what may come where there is none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from random import Random
from typing import Any

from games.protocol import Position
from games.registry import AnyGame
from games.robots import minds, playouts
from games.robots.levels import LEVELS, Level
from games.robots.mind import Action, Plain
from games.robots.search import PROVEN, Found, Search


@dataclass(frozen=True)
class Thought:
    """`score` is in points for the side to move, `scale` of them being odds of e to 1; within 10,000 of `WIN` above
    or below, the game is won or lost by proof, so many plies from now as are missing. `depth` is in plies,
    for a game without a mind 0."""

    move: Any
    score: int
    scale: int
    depth: int
    nodes: int


def think(
    game: AnyGame, position: Position, level: int, seed: int | str, earlier: Iterable[Position] = ()
) -> Thought:
    """The move of a robot of this level, the same wherever and whenever it is asked for with the same seed.

    `earlier` are the positions before, where the game knows repetition. Raises ValueError if the game is over.
    """
    if position.outcome() is not None:
        raise ValueError(f"the game is over: {position}")
    strength, rng = LEVELS[level], Random(f"{seed} {position}")
    makes = minds.find(game)
    if makes is None:
        return _tried(game, position, strength, rng)
    mind = makes(position)
    root = mind.node(position)
    before = [mind.node(one) for one in earlier] if mind.repeats else ()
    search = Search(mind, mind.budgets.get(level, strength.nodes), before)
    most = round(strength.noise * mind.man)
    found = search.run(root, strength.deepest, lambda: int(rng.random() * (2 * most + 1)) - most)
    action, score = _chosen(found, strength, rng)
    return Thought(mind.move(position, action), score, mind.scale, found.depth, found.nodes)


def by_rules(position: Position, seed: int | str) -> Any:
    """What anybody plays who knows no more than the rules: a win in one if there is one, else by lot."""
    rng, mind = Random(f"{seed} {position}"), Plain(position)
    found = Search(mind, nodes=1).run(position, 1, lambda: rng.randrange(1000))
    return found.scores[0][0]


def _chosen(found: Found, strength: Level, rng: Random) -> tuple[Action, int]:
    """The best, or by carelessness the third best, but for a win that it sees or a loss."""
    careless = strength.careless and rng.random() * strength.careless < 1
    if (
        careless
        and len(found.scores) > 2
        and abs(found.scores[0][1]) <= PROVEN
        and found.scores[2][1] >= -PROVEN
    ):
        return found.scores[2]
    return found.scores[0]


def _tried(game: AnyGame, position: Position, strength: Level, rng: Random) -> Thought:
    tried = playouts.best(position, strength.playouts, rng)
    return Thought(tried.move, tried.score, playouts.SCALE, 0, tried.nodes)

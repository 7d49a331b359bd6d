"""Playouts, counting and reading of each game, Lines of Action beside OpenSpiel."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pyspiel

from games.__main__ import perft
from games.protocol import Notation
from games.registry import find
from tests.bench.clock import Effort, cpu_ms, per_second
from tests.bench.figures import Peer, Row
from tests.bench.samples import GAMES, sample

# What other programs do on a machine like the one the targets were set on; OpenSpiel runs here.
PLAYOUTS = {"loa": 50, "zertz": 230}
LEAVES = {"loa": 100_000, "zertz": 1_100_000}
DEPTHS = {"loa": 3, "zertz": 2}
LARGER = {"zertz:+11": 35, "zertz:+24": 16}  # playouts


def rules(effort: Effort) -> Iterator[Row]:
    for name in GAMES:
        effort.say(f"playing {name} at random")
        rate = per_second(lambda number, name=name: _playout(name, number), effort)
        if name == "loa":
            peer = Peer("OpenSpiel from Python", per_second(_openspiel, effort))
            yield Row("loa, random games", rate, "per s CPU", peer, ratio_bound=0.5)
        else:
            yield Row(f"{name}, random games", rate, "per s CPU", bound=PLAYOUTS[name])
        effort.say(f"counting {name}")
        depth = 1 if effort.quick else DEPTHS[name]
        leaves = per_second(lambda _, name=name, depth=depth: _count(name, depth), effort)
        yield Row(f"{name}, perft {depth}", leaves, "leaves per s CPU", bound=LEAVES[name])
        effort.say(f"reading {name}")
        yield Row(f"{name}, read()", _read(name, effort), "ms CPU", bound=0.2)
    for name, bound in LARGER.items():
        effort.say(f"playing {name} at random")
        rate = per_second(lambda number, name=name: _playout(name, number), effort)
        yield Row(f"{name}, random games", rate, "per s CPU", bound=bound)


def _playout(name: str, seed: int) -> int:
    game, rules = find(name)
    rng, position = Random(seed), game.start(rules, "")
    while position.outcome() is None:
        position = position.play(position.sample(rng))
    return 1


def _openspiel(seed: int) -> int:
    rng, state = Random(seed), pyspiel.load_game("lines_of_action").new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return 1


def _count(name: str, depth: int) -> int:
    game, rules = find(name)
    return perft(game.start(rules, ""), depth)


def _read(name: str, effort: Effort) -> float:
    """Twenty at a time: one alone is shorter than the clock is fine."""
    texts = [(it.game, it.after, it.written) for it in (sample(name, seed) for seed in range(20))]

    def read(_: int) -> None:
        for game, position, text in texts:
            game.read(position, text, Notation())

    return cpu_ms(read, effort) / len(texts)

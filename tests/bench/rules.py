"""Playouts, counting and reading of each game, Lines of Action beside OpenSpiel."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import chess
import pyspiel

from games import trapdoor_chess
from games.__main__ import perft
from games.protocol import Notation
from games.trapdoor_chess.position import Rules
from tests.bench.clock import Effort, cpu_ms, per_second
from tests.bench.figures import Peer, Row
from tests.bench.reference import loops
from tests.bench.samples import GAMES, sample, start

# What other programs do on a machine like the one the targets were set on; OpenSpiel runs here.
PLAYOUTS = {
    "emergo": 258,
    "gemma": 193,
    "insert": 1_980,
    "trapdoor": 20,
    "zertz": 230,
}
LARGER = {"zertz:+11": 35, "zertz:+24": 16}  # playouts on more rings
LEAVES = {"emergo": 550_000, "loa": 100_000, "zertz": 1_100_000}
DEPTHS = {"emergo": 4, "gemma": 3, "insert": 4, "loa": 3, "trapdoor": 2, "zertz": 2}
ORTHODOX = 3  # the depth to which trapdoor chess without its trap is counted beside python-chess


def rules(effort: Effort) -> Iterator[Row]:
    yield from loops("before")
    for name in GAMES:
        effort.say(f"playing {name} at random")
        rate = per_second(lambda number, name=name: playout(name, number), effort)
        if name == "loa":
            peer = Peer("OpenSpiel from Python", per_second(_openspiel, effort))
            yield Row("loa, random games", rate, "per s CPU", peer, ratio_bound=0.5)
        else:
            yield Row(f"{name}, random games", rate, "per s CPU", bound=PLAYOUTS.get(name))
        effort.say(f"counting {name}")
        depth = 1 if effort.quick else DEPTHS.get(name, 1)
        leaves = per_second(lambda _, name=name, depth=depth: _count(name, depth), effort)
        yield Row(f"{name}, perft {depth}", leaves, "leaves per s CPU", bound=LEAVES.get(name))
        effort.say(f"reading {name}")
        yield Row(f"{name}, read()", _read(name, effort), "ms CPU", bound=0.2)
    for name, bound in LARGER.items():
        effort.say(f"playing {name} at random")
        rate = per_second(lambda number, name=name: playout(name, number), effort)
        yield Row(f"{name}, random games", rate, "per s CPU", bound=bound)
    effort.say("counting chess")
    depth = 1 if effort.quick else ORTHODOX
    peer = Peer("python-chess, one by one", per_second(lambda _: _chess(chess.Board(), depth), effort))
    leaves = per_second(lambda _: perft(trapdoor_chess.GAME.start(Rules(trap=False), ""), depth), effort)
    yield Row(f"trapdoor without its trap, perft {depth}", leaves, "leaves per s CPU", peer, ratio_bound=0.3)
    yield from loops("after")


def playout(name: str, seed: int) -> int:
    """One game by lot, as robots play it out where a game has no evaluator."""
    rng = Random(seed)
    position = start(name, rng)
    while position.outcome() is None:
        position = position.play(position.sample(rng))
    return 1


def _openspiel(seed: int) -> int:
    rng, state = Random(seed), pyspiel.load_game("lines_of_action").new_initial_state()
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    return 1


def _count(name: str, depth: int) -> int:
    return perft(start(name, Random(1)), depth)


def _chess(board: chess.Board, depth: int) -> int:
    if depth == 0:
        return 1
    count = 0
    for move in board.legal_moves:
        board.push(move)
        count += _chess(board, depth - 1)
        board.pop()
    return count


def _read(name: str, effort: Effort) -> float:
    """Twenty at a time: one alone is shorter than the clock is fine."""
    texts = [(it.game, it.after, it.written) for it in (sample(name, seed) for seed in range(20))]

    def read(_: int) -> None:
        for game, position, text in texts:
            game.read(position, text, Notation())

    return cpu_ms(read, effort) / len(texts)

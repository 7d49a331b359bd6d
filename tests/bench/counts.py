"""Perft to depths too long for the tests, against what independent programs count."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from time import process_time

import chess

from games.__main__ import perft
from games.registry import find
from games.trapdoor_chess import GAME
from games.trapdoor_chess.position import Rules
from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.games.trapdoor_chess.oracle import agreed, uci

COUNTS = {
    ("emergo", 5): 59_056_880,
    ("gemma", 4): 1_419_964,
    ("gemma:scrambled", 4): 919_584,
    ("loa", 4): 1_563_208,
    ("loa", 5): 55_963_132,
    ("loa:scrambled", 4): 1_002_260,
    ("loa:6x6", 5): 4_853_792,
    ("loa:6x6-scrambled", 5): 2_872_088,
}


GAMES, PLIES = 2_000, 60  # random games of chess that we and python-chess must agree on


def counts(effort: Effort) -> Iterator[Row]:
    """`--quick` leaves out what takes more than a few seconds. Raises ArithmeticError where a count is wrong."""
    for (name, depth), known in COUNTS.items():
        if effort.quick and known > 2_000_000:
            continue
        effort.say(f"counting {name} to depth {depth}")
        game, rules = find(name)
        begin = process_time()
        counted = perft(game.start(rules, ""), depth)
        if counted != known:
            raise ArithmeticError(f"perft {name} {depth} is {counted:,}, others count {known:,}")
        rate = counted / (process_time() - begin)
        yield Row(f"{name} {depth}: {counted:,} as others count", rate, "leaves per s CPU")
    effort.say("playing chess beside python-chess")
    games = 20 if effort.quick else GAMES
    begin = process_time()
    plies = sum(_agreed(seed) for seed in range(games))
    rate = plies / (process_time() - begin)
    yield Row(f"trapdoor without its trap: {games:,} games as python-chess has them", rate, "plies per s CPU")


def _agreed(seed: int) -> int:
    """How many plies a random game had; AssertionError where the two programs differ."""
    rng, ours, theirs = Random(seed), GAME.start(Rules(trap=False), ""), chess.Board()
    for ply in range(PLIES):
        if ours.outcome():
            return ply
        move = rng.choice(agreed(ours, theirs))
        ours = ours.play(GAME.move(move))
        theirs.push(chess.Move.from_uci(uci(move)))
    return PLIES

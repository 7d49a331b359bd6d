"""How fast robots think: nodes of the search and games played out by lot, beside OpenSpiel's tree search."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from time import process_time
from typing import Any

import pyspiel

from games.engine import evaluation as evaluators
from games.engine.analysis import analyse
from games.engine.robot import think
from games.engine.search import Search
from games.protocol import Position
from games.registry import games
from tests.bench.clock import Effort, cpu_ms, per_second
from tests.bench.figures import Peer, Row
from tests.bench.rules import playout
from tests.bench.samples import GAMES, start

PLIES = 10  # by lot, then it is thought about
NODES = 5_000
PLAYOUTS = 1_000  # of OpenSpiel
A_MOVE = 2_000  # ms that level 3 may take
MATCHES = 3  # that are looked through
LOOKED_AT = 40  # plies of a match at most, of two robots of level 1, which is looked through
A_PLY = {"loa": 250}  # ms that a ply may take then: 60 in 15 seconds


def robots(effort: Effort) -> Iterator[Row]:
    for name in GAMES:
        effort.say(f"searching in {name}")
        rate = per_second(lambda number, name=name: _searched(name, number), effort)
        yield Row(f"{name}, nodes", rate, "per s CPU")
        effort.say(f"playing {name} out")
        rate = per_second(lambda number, name=name: playout(name, number), effort)
        yield Row(
            f"{name}, playouts", rate, "per s CPU", _rate_of_openspiel(effort) if name == "loa" else None
        )
        effort.say(f"a move of Robot-3 in {name}")
        level = 1 if effort.quick else 3
        spent = cpu_ms(lambda number, name=name, level=level: _thought(name, number, level), effort)
        peer = Peer("OpenSpiel's MCTS-1000", cpu_ms(_openspiel, effort)) if name == "loa" else None
        yield Row(f"{name}, a move of Robot-3", spent, "ms CPU", peer, bound=A_MOVE)
        effort.say(f"an analysis in {name}")
        yield Row(f"{name}, a ply of an analysis", _analysed(name, effort), "ms CPU", bound=A_PLY.get(name))


def _rate_of_openspiel(effort: Effort) -> Peer:
    return Peer("OpenSpiel's MCTS", per_second(_openspiel, effort))


def _position(name: str, number: int) -> Position:
    """One of a few from the middle of a game."""
    rng = Random(number % 5)
    while True:
        position = start(name, rng)
        for _ in range(PLIES):
            if position.outcome() is None:
                position = position.play(position.sample(rng))
        if position.outcome() is None:
            return position


def _searched(name: str, number: int) -> int:
    position = _position(name, number)
    makes = evaluators.find(games()[name])
    assert makes
    evaluator = makes(position)
    return Search(evaluator, NODES).run(evaluator.node(position), 64).nodes


def _openspiel(number: int) -> int:
    game = pyspiel.load_game("lines_of_action")
    state, rng = game.new_initial_state(), Random(number % 5)
    for _ in range(PLIES):
        state.apply_action(rng.choice(state.legal_actions()))
    judge = pyspiel.RandomRolloutEvaluator(1, number)
    pyspiel.MCTSBot(game, judge, 2.0, PLAYOUTS, 1_000, True, number, False).step(state)
    return PLAYOUTS


def _analysed(name: str, effort: Effort) -> float:
    """Of a few matches, each looked through as a whole: blunders cost ten times a quiet turn."""
    most = effort.few(LOOKED_AT)
    matches = [_match(name, seed, most) for seed in range(effort.few(MATCHES, quick=1))]
    begin = process_time()
    for begun, moves in matches:
        analyse(games()[name], begun, moves)
    plies = sum(len(moves) for _, moves in matches)
    return 1000 * (process_time() - begin) / plies


def _match(name: str, seed: int, most: int) -> tuple[Position, Sequence[Any]]:
    position = begun = start(name, Random(seed))
    moves: list[Any] = []
    while position.outcome() is None and len(moves) < most:
        moves.append(think(games()[name], position, 1, seed).move)
        position = position.play(moves[-1])
    return begun, moves


def _thought(name: str, number: int, level: int) -> None:
    think(games()[name], _position(name, number), level, number)

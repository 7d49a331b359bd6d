"""The evaluator of each game: found by its name, and of one opinion with the rules."""

from random import Random
from types import SimpleNamespace

import pytest

from games.engine import evaluation as evaluators
from games.engine.evaluation import Plain
from games.protocol import Side
from games.registry import find, names

PLIES = 40
WITH_MIND = [name for name in names() if evaluators.find(find(name)[0])]
SWITCHED = ["loa:double=draw", "loa:6x6,stuck=loss", "zertz:blitz,islands=any", "emergo:blocked=loss"]
SWITCHED += ["trapdoor:incheck=after", "cheshire:kingcheck=step"]


def test_every_game_that_is_here_has_a_mind():
    assert set(names()) == set(WITH_MIND)


@pytest.mark.usefixtures("nim")
def test_a_game_from_elsewhere_needs_none():
    assert evaluators.find(find("nim")[0]) is None


def test_a_game_that_is_one_module_has_none():
    assert evaluators.find(SimpleNamespace(package="keyword")) is None


@pytest.mark.parametrize("name", [*WITH_MIND, *SWITCHED])
def test_a_mind_knows_the_moves_and_the_results_of_its_game(name):
    game, rules = find(name)
    rng = Random(name)
    position = game.start(rules, game.draw_setup(rules, rng) if game.draw_setup else "")
    evaluator = evaluators.find(game)(position)
    for ply in range(PLIES):
        node, outcome = evaluator.node(position), position.outcome()
        result = evaluator.result(node)
        if outcome is not None:
            assert (evaluator.stuck(node) if result is None else result) == _result(outcome, position.to_move)
            break
        assert result is None
        children = evaluator.children(node, 2, ply % 3)
        actions = [action for action, _ in children]
        assert len(actions) == len(set(actions)) > 0
        for action, child in rng.sample(list(children), min(6, len(children))):
            move = evaluator.move(position, action)
            assert position.objection(move) is None
            assert evaluator.node(position.play(move)) == child
        position = position.play(position.sample(rng))


@pytest.mark.parametrize(
    "name",
    [
        *("loa", "loa:6x6-scrambled", "gemma", "insert", "insert:x+", "emergo"),
        *("bashni", "cheshire", "othello", "othello:reversi", "dvonn", "dvonn:random", "tamsk", "yinsh"),
    ],
)
def test_where_all_turns_are_looked_at_none_is_missing(name):
    game, rules = find(name)
    rng = Random(name)
    position = game.start(rules, game.draw_setup(rules, rng) if game.draw_setup else "")
    while position.outcome() is None:
        evaluator = evaluators.find(game)(position)
        assert len(evaluator.children(evaluator.node(position), 1, 5)) == position.count()
        for _ in range(3):
            if position.outcome() is None:
                position = position.play(position.sample(rng))


def test_a_value_alone_makes_a_mind():
    class Greedy(Plain):
        def value(self, node):
            return node.theirs.bit_count() - node.mine.bit_count()

    position = find("loa")[0].start(find("loa")[1], "")
    evaluator = Greedy(position)
    assert evaluator.result(evaluator.node(position)) is None
    assert {evaluator.move(position, action) for action, _ in evaluator.children(position, 1, 0)} == set(
        position.moves()
    )


def _result(outcome, to_move: Side) -> int:
    if outcome.winner is None:
        return 0
    return 1 if outcome.winner == to_move else -1

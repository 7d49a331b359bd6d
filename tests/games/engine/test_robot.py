"""What robots play: wins that are there, the same move for the same seed, games without an evaluator too."""

from collections import defaultdict
from pathlib import Path
from random import Random

import pytest

from games.engine import evaluation
from games.engine import robot as playouts
from games.engine.evaluation import Plain
from games.engine.matches import by_lot, games_between, robot
from games.engine.robot import LEVELS, think
from games.engine.search import PROVEN, WIN
from games.registry import find, names

WINS = defaultdict(list)  # of finished games: plies until the win, and game -> positions
for line in Path(__file__).with_name("wins.tsv").read_text("utf-8").splitlines():
    _plies, _name, _text = line.split("\t")
    WINS[int(_plies), _name].append(_text)


@pytest.mark.parametrize("name", [name for plies, name in WINS if plies == 1])
def test_every_level_wins_where_one_move_does(name):
    game, rules = find(name)
    for text in WINS[1, name]:
        for level in (min(LEVELS), max(LEVELS)):
            position = game.position(rules, text)
            thought = think(game, position, level, seed=level)
            assert thought.score == WIN - 1
            assert position.play(thought.move).outcome().winner == position.to_move


@pytest.mark.parametrize("name", [name for plies, name in WINS if plies == 3])
def test_level_three_proves_a_win_in_three_plies(name):
    game, rules = find(name)
    for text in WINS[3, name]:
        position = game.position(rules, text)
        thought = think(game, position, 3, seed=1)
        assert thought.score == WIN - 3
        after = position.play(thought.move)
        for end in map(after.play, after.moves()):
            winner = end.outcome() or end.play(think(game, end, 1, seed=1).move).outcome()
            assert winner.winner == position.to_move


@pytest.mark.parametrize("name", names())
def test_the_same_seed_makes_the_same_move_and_another_may_not(name):
    game, rules = find(name)
    rng = Random(name)
    position = game.start(rules, game.draw_setup(rules, rng) if game.draw_setup else "")
    others = 0
    for _ in range(3):
        first, again = (think(game, position, 1, seed=5) for _ in range(2))
        assert first == again
        assert position.objection(first.move) is None
        others += len({str(think(game, position, 1, seed).move) for seed in range(5)}) - 1
        position = position.play(position.sample(rng))
    assert others > 0


def test_a_game_that_is_over_has_no_move():
    game, rules = find("loa")
    with pytest.raises(ValueError, match="the game is over"):
        think(game, game.position(rules, "8/8/8/2ooo3/8/x6x/8/8 x"), 1, seed=1)


@pytest.mark.usefixtures("nim")
def test_a_game_without_a_mind_is_played_as_well():
    game, rules = find("nim")
    for stones in range(1, 14):
        thought = think(game, game.start(rules, str(stones)), 3, seed=1)
        if stones % 4:
            assert (thought.move, thought.score > PROVEN) == (stones % 4, True)
        else:
            assert thought.score < -PROVEN
    assert think(game, game.start(rules, "20"), 1, seed=1) == think(game, game.start(rules, "20"), 1, seed=1)
    wins = [played.points for played in games_between(game, rules, (robot(2), by_lot), range(6), seed=1)]
    assert sum(wins) >= 10


def test_without_a_mind_too_no_win_at_once_is_missed_and_nodes_are_kept(monkeypatch):
    monkeypatch.setattr(evaluation, "find", lambda game: None)
    for name in ("loa", "zertz", "insert", "gemma"):
        game, rules = find(name)
        for text in WINS[1, name]:
            position = game.position(rules, text)
            thought = think(game, position, 1, seed=1)
            assert position.play(thought.move).outcome().winner == position.to_move
    game, rules = find("loa")
    thought = think(game, game.start(rules, ""), 1, seed=1)
    assert LEVELS[1].playouts <= thought.nodes <= LEVELS[1].playouts + playouts.LONGEST + 1


@pytest.mark.usefixtures("nim")
def test_a_mind_from_elsewhere_is_used(monkeypatch):
    class Counts(Plain):
        def value(self, node):
            return 100 if node.stones % 4 else -100

    monkeypatch.setattr(evaluation, "find", lambda game: Counts)
    game, rules = find("nim")
    thought = think(game, game.start(rules, "29"), 2, seed=1)
    assert (thought.move, thought.depth > 1) == (1, True)

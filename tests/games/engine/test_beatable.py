"""What the rules pages say of the weakest robot: it is beaten by looking at one's own moves and at its answers."""

from random import Random

import pytest

from games.engine import evaluation as evaluators
from games.engine.matches import games_between, robot
from games.engine.search import Search
from games.registry import games

SAID = {
    "bashni": 17,
    "cheshire": 17,
    "dvonn": 15,
    "emergo": 20,
    "gemma": 19,
    "gipf": 20,
    "insert": 19,
    "loa": 17,
    "lyngk": 20,
    "othello": 19,
    "punct": 14,
    "tamsk": 13,
    "trapdoor": 15,
    "tzaar": 15,
    "yinsh": 20,
    "zertz": 19,
}  # of 20 with seed 5, as the pages have it
FEW = 8  # games; 20 take minutes
SLOW = {"punct": 4, "trapdoor": 4}
pytestmark = pytest.mark.prove


def looks_twice(game, position, seed, earlier):
    """Two plies deep, whatever that costs; of moves that are nearly alike one by lot."""
    evaluator, rng = evaluators.find(game)(position), Random(f"{seed} {position}")
    before = [evaluator.node(one) for one in earlier] if evaluator.repeats else ()
    found = Search(evaluator, 10**9, before).run(evaluator.node(position), 2, lambda: rng.randrange(3))
    return evaluator.move(position, found.scores[0][0])


@pytest.mark.parametrize("name", games())
def test_whoever_looks_at_its_answers_beats_it(name):
    game, many = games()[name], SLOW.get(name, FEW)
    played = list(games_between(game, game.presets[""], (looks_twice, robot(1)), range(many), seed=5))
    assert sum(each.points for each in played) > many
    for language, said in (("en", f"won {SAID[name]} of 20"), ("it", f"ha vinto {SAID[name]} partite su 20")):
        assert said in " ".join(game.rules_page(language).split())

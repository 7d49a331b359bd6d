"""OpenSpiel as an independent referee over random games.

It differs in two rules: it draws when a board returns, no matter who is to move, and a side without a
move loses.
"""

from random import Random

import pyspiel
import pytest

from games.lines_of_action import GAME
from games.lines_of_action.rules import Rules
from games.protocol import Side

RETURNS = {Side.FIRST: [1.0, -1.0], Side.SECOND: [-1.0, 1.0], None: [0.0, 0.0]}


@pytest.mark.parametrize("seed", range(40))
def test_openspiel_knows_the_same_moves_and_the_same_winner(seed):
    rng = Random(seed)
    referee = pyspiel.load_game("lines_of_action").new_initial_state()
    position = GAME.start(Rules(stuck="loss"), "")
    boards = set()
    while not (outcome := position.outcome()) and position.men not in boards:
        boards.add(position.men)
        actions = {referee.action_to_string(action): action for action in referee.legal_actions()}
        assert actions.keys() == {str(move) for move in position.moves()}
        assert position.count() == len(actions)
        move = position.sample(rng)
        referee.apply_action(actions[str(move)])
        position = position.play(move)
    assert referee.is_terminal()
    assert referee.returns() == RETURNS[outcome.winner if outcome else None]

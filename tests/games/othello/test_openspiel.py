"""OpenSpiel as an independent referee over random games of 8x8, and one that goes square by square for all sizes."""

from itertools import product
from random import Random

import pyspiel
import pytest

from games.othello import GAME
from games.othello.rules import Rules
from games.protocol import Side

RETURNS = {Side.FIRST: [1.0, -1.0], Side.SECOND: [-1.0, 1.0], None: [0.0, 0.0]}
WAYS = [way for way in product((-1, 0, 1), repeat=2) if way != (0, 0)]


@pytest.mark.parametrize("seed", range(60))
def test_openspiel_knows_the_same_moves_and_the_same_winner(seed):
    rng, referee = Random(seed), pyspiel.load_game("othello").new_initial_state()
    position = GAME.start(Rules(), "")
    while not (outcome := position.outcome()):
        assert not referee.is_terminal()
        assert referee.current_player() == position.to_move
        actions = {referee.action_to_string(action): action for action in referee.legal_actions()}
        assert actions.keys() == {str(move) for move in position.moves()}
        assert position.count() == len(actions)
        move = position.sample(rng)
        referee.apply_action(actions[str(move)])
        position = position.play(move)
    assert referee.is_terminal()
    assert referee.returns() == RETURNS[outcome.winner]


class Plain:
    """Discs by square, (column, row) from the upper left; `mover` is "x" or "o"."""

    def __init__(self, size, discs, mover="x"):
        self.size, self.discs, self.mover = size, discs, mover

    @property
    def other(self):
        return {"x": "o", "o": "x"}[self.mover]

    def row(self, at, way):
        """The enemy discs from a square to an own one."""
        (x, y), found = at, []
        while True:
            x, y = x + way[0], y + way[1]
            disc = self.discs.get((x, y))
            if disc != self.other:
                return found if disc == self.mover else []
            found.append((x, y))

    def turned(self, at):
        return [there for way in WAYS for there in self.row(at, way)]

    def moves(self):
        board = product(range(self.size), repeat=2)
        return {at for at in board if at not in self.discs and self.turned(at)}

    def play(self, at):
        discs = self.discs | dict.fromkeys([at, *self.turned(at)], self.mover) if at else self.discs
        return Plain(self.size, discs, self.other)


def named(at):
    return f"{'abcdefghij'[at[0]]}{at[1] + 1}"


@pytest.mark.parametrize("preset", ["6", "10"])
def test_going_square_by_square_has_the_same_moves(preset):
    rules, rng = GAME.presets[preset], Random(preset)
    for _ in range(12):
        position, low = GAME.start(rules, ""), rules.size // 2 - 1
        centre = {(low, low): "o", (low + 1, low + 1): "o", (low + 1, low): "x", (low, low + 1): "x"}
        plain = Plain(rules.size, centre)
        while not position.outcome():
            squares = {named(at): at for at in plain.moves()} or {"pass": None}
            assert squares.keys() == {str(move) for move in position.moves()}
            move = position.sample(rng)
            position, plain = position.play(move), plain.play(squares[str(move)])
            black, white = map(rules.board.cells, position.discs)
            discs = {named(at): disc for at, disc in plain.discs.items()}
            assert discs == dict.fromkeys(black, "x") | dict.fromkeys(white, "o")
        assert not plain.moves()
        assert not Plain(plain.size, plain.discs, plain.other).moves()

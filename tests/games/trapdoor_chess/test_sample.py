"""Sampling: each turn equally likely, whatever comes of drawing blindly."""

from collections import Counter
from random import Random

import pytest

from games.trapdoor_chess import GAME, rules
from games.trapdoor_chess.position import Rules


@pytest.fixture
def shielded(board):
    """The trap shields the king from the rook: the pawn leaves it three squares, the king nearly all."""
    return board("""
        k . . . r
        . . . . .
        . . . . .
        P . . . @
        . . . . .
        . . . . K
    """)


@pytest.mark.prove
@pytest.mark.parametrize("patience", [400, 0])
def test_every_turn_is_equally_likely(shielded, patience, monkeypatch):
    monkeypatch.setattr(rules, "_PATIENCE", patience)
    turns, draws, rng = list(shielded.moves()), 30, Random(5)
    seen = Counter(shielded.sample(rng) for _ in range(draws * len(turns)))
    assert set(seen) <= set(turns)
    squares = sum((seen[turn] - draws) ** 2 / draws for turn in turns)
    assert abs(squares - len(turns)) < 4 * (2 * len(turns)) ** 0.5  # chi-squared: mean n, variance 2n


def test_in_check_the_men_alone_are_drawn(board):
    position = board("""
        k . . . r
        . . . . .
        . @ . . .
        . . B . K
    """)
    rng = Random(1)
    seen = Counter(str(position.sample(rng)) for _ in range(1_000))
    assert seen.keys() == set(map(str, position.moves()))
    assert min(seen.values()) > 150
    assert GAME.position(Rules(), str(position)) == position

"""Moves as texts, for the tests of every game."""

import pytest


@pytest.fixture
def written():
    """The legal moves, as a set of texts."""
    return lambda position: {str(move) for move in position.moves()}


@pytest.fixture
def played():
    """Plays moves, canonical and parted by blanks."""

    def play(position, moves):
        for text in moves.split():
            position = position.play(next(move for move in position.moves() if str(move) == text))
        return position

    return play

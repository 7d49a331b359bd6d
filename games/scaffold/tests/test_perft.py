"""Compares the number of games of each length with known counts."""

from games.scaffold.newgame import GAME
from games.scaffold.newgame.rules import Position, Rules


def perft(position: Position, depth: int) -> int:
    if depth == 1:
        return position.count()
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


def test_as_many_games_begin_as_others_count() -> None:
    start = GAME.start(Rules(), "")
    assert [perft(start, depth) for depth in range(1, 7)] == [9, 72, 504, 3_024, 15_120, 54_720]

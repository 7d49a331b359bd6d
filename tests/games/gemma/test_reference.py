"""A slow and obvious Gemma as an independent referee over random games.

Its board is a dictionary of squares; a square that has vanished is not in it. It shares no line of code
with the game that it judges.
"""

from itertools import product
from random import Random

import pytest

from games.gemma import GAME
from games.lines_of_action.rules import Rules

WAYS = [(dx, dy) for dx, dy in product((-1, 0, 1), repeat=2) if (dx, dy) != (0, 0)]


def squares(size):
    return {(x, y): "." for x in range(size) for y in range(size)}


def name(square):
    return "abcdefgh"[square[0]] + str(square[1] + 1)


def walk(square, way, size):
    """The places on one side of a square, vanished ones too."""
    x, y = square[0] + way[0], square[1] + way[1]
    while 0 <= x < size and 0 <= y < size:
        yield x, y
        x, y = x + way[0], y + way[1]


def turns(board, me, size):
    """What may be written, and the boards that come of it."""
    found = {}
    for man in [square for square, holder in board.items() if holder == me]:
        stuck = True
        without = {square: holder for square, holder in board.items() if square != man}
        for way in WAYS:
            ahead = list(walk(man, way, size))
            behind = list(walk(man, (-way[0], -way[1]), size))
            steps = 1 + sum(board.get(square) in ("o", "x") for square in ahead + behind)
            if steps > len(ahead):
                continue
            target = ahead[steps - 1]
            over = [board.get(square) for square in ahead[: steps - 1]]
            if target not in board or board[target] == me or any(h not in (None, ".", me) for h in over):
                continue
            stuck = False
            sign = "-" if board[target] == "." else "x"
            found[name(man) + sign + name(target)] = {**without, target: me}
        if stuck:
            found["x" + name(man)] = without
    return found


def joined(board, side):
    men = {square for square, holder in board.items() if holder == side}
    reached, wave = set(), [min(men)]
    while wave:
        square = wave.pop()
        reached.add(square)
        around = {(square[0] + dx, square[1] + dy) for dx, dy in WAYS}
        wave += (around & men) - reached
    return reached == men


def winner(board, mover, other):
    if joined(board, mover):
        return mover
    return other if joined(board, other) else None


@pytest.mark.parametrize(
    "rules", [Rules(), Rules(scrambled=True), Rules(size=6), Rules(size=6, scrambled=True)]
)
def test_the_reference_knows_the_same_turns_and_the_same_winner(rules):
    for seed in range(12):
        rng, position = Random(seed), GAME.start(rules, "")
        board = squares(rules.size)
        places = {name(square): square for square in board}
        for cell, stack in GAME.scene(None, None, position).pieces.items():
            board[places[cell]] = {"black": "o", "white": "x"}[stack[0].kind]
        mover, other, won = "o", "x", None
        while not won:
            assert position.outcome() is None
            reference = turns(board, mover, rules.size)
            moves = {str(move): move for move in position.moves()}
            assert moves.keys() == reference.keys()
            assert position.count() == len(moves)
            text = rng.choice(sorted(moves))
            position, board = position.play(moves[text]), reference[text]
            won = winner(board, mover, other)
            mover, other = other, mover
        assert position.outcome().winner == "ox".index(won)
        assert set(position.rules.board.cells(position.gone)) == places.keys() - set(map(name, board))

"""TZAAR once more, slow and obvious, on coordinates: both must agree on whole random games."""

from random import Random

import pytest

from games.protocol import Side
from games.tzaar import GAME
from games.tzaar.board import POINTS
from tests.examples import first

WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)]


def at(name):
    """The place on the lattice: lines f to i begin higher, and line e jumps over the hole."""
    column, number = "abcdefghi".index(name[0]), int(name[1])
    return column, number + max(0, column - 4) + (column == 4 and number > 4)


PLACES = {at(name): name for name in POINTS}


class Table:
    """Maps each occupied place to a letter and a height; capitals are White's."""

    def __init__(self, stacks):
        self.stacks = stacks

    def turns(self, white, opening):
        """Every turn, and the table after it."""
        for text, table in self.actions(white, "x"):
            yield text, table
            if not opening and not table.lacks(not white):
                yield from ((f"{text},{second}", after) for second, after in table.actions(white, "x+"))

    def actions(self, white, signs):
        for place, (letter, tall) in self.stacks.items():
            if letter.isupper() != white:
                continue
            for way in WAYS:
                there = place[0] + way[0], place[1] + way[1]
                while there in PLACES and there not in self.stacks:
                    there = there[0] + way[0], there[1] + way[1]
                if there not in self.stacks:
                    continue
                other, high = self.stacks[there]
                sign = "+" if other.isupper() == white else "x"
                if sign in signs and (sign == "+" or high <= tall):
                    left = {spot: stack for spot, stack in self.stacks.items() if spot != place}
                    left[there] = letter, tall + high if sign == "+" else tall
                    yield f"{PLACES[place]}{sign}{PLACES[there]}", Table(left)

    def lacks(self, white):
        tops = {letter for letter, _ in self.stacks.values()}
        return not tops >= set("ZAT" if white else "zat")


@pytest.mark.parametrize("seed", first(range(8), 3))
@pytest.mark.parametrize("name", ["", "random"])
def test_both_know_the_same_turns_and_the_same_winner(name, seed):
    rng, rules = Random(seed), GAME.presets[name]
    position = GAME.start(rules, GAME.draw_setup(rules, rng))
    table = Table({at(point): (letter, 1) for point, letter in zip(POINTS, position.board, strict=True)})
    for ply in range(60):
        white = not ply % 2
        turns = dict(table.turns(white, opening=not ply))
        if table.lacks(white) or table.lacks(not white) or not turns:
            won = white if table.lacks(not white) and not table.lacks(white) else not white
            assert position.outcome().winner == (Side.FIRST if won else Side.SECOND)
            return
        assert position.outcome() is None
        assert position.count() == len(turns)
        move = position.sample(rng)
        assert str(move) in turns
        if not ply % 5:
            assert {str(move) for move in position.moves()} == turns.keys()
        position, table = position.play(move), turns[str(move)]
        assert {PLACES[place]: stack for place, stack in table.stacks.items()} == {
            point: (stack[0], int(stack[1:] or 1))
            for point, stack in zip(POINTS, position.board, strict=True)
            if stack
        }
    raise AssertionError("it has no end")

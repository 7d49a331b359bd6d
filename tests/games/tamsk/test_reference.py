"""TAMSK once more, slow and obvious, on coordinates: both must agree on whole random games."""

from random import Random

import pytest

from games.protocol import Side
from games.tamsk.rules import Rules, start

WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)]


def at(name):
    """The place on the lattice, with the middle of the board at (0, 0)."""
    column, number = "abcdefg".index(name[0]) - 3, int(name[1])
    return column, number - 4 + max(0, column)


def far(x, n):
    """The steps from the middle."""
    return max(abs(x), abs(n), abs(x - n))


PLACES = {at(f"{letter}{number}"): f"{letter}{number}" for letter in "abcdefg" for number in range(1, 8)}
PLACES = {place: name for place, name in PLACES.items() if far(*place) <= 3}


class Table:
    """Rings on each place, glasses with their colours, and rings in hand."""

    def __init__(self):
        self.rings = dict.fromkeys(PLACES, 0)
        self.glasses = {
            at(name): colour
            for name, colour in zip(["a1", "a4", "d7", "g4", "g1", "d1"], "rbrbrb", strict=True)
        }
        self.hand = {"r": 32, "b": 32}

    def turns(self, colour):
        for (x, n), owner in self.glasses.items():
            for dx, dn in WAYS:
                there = x + dx, n + dn
                free = there in PLACES and there not in self.glasses
                if owner == colour and free and self.rings[there] < 4 - far(*there):
                    yield (x, n), there

    def move(self, here, there):
        colour = self.glasses.pop(here)
        self.glasses[there] = colour
        self.rings[there] += 1
        self.hand[colour] -= 1


@pytest.mark.parametrize("seed", range(12))
def test_both_know_the_same_turns_and_the_same_winner(seed):
    rng, position, table, last = Random(seed), start(Rules()), Table(), ""
    assert len(PLACES) == 37
    for ply in range(200):
        colour, other = ("rb", "br")[ply % 2]
        turns = {f"{PLACES[here]}-{PLACES[there]}": (here, there) for here, there in table.turns(colour)}
        if not table.hand[other] or not (turns or list(table.turns(other))):
            red, black = table.hand.values()
            won = "r" if red < black else "b" if black < red else last
            assert position.outcome().winner == Side("rb".index(won))
            return
        assert position.outcome() is None
        assert {str(move) for move in position.moves()} == (turns.keys() or {"pass"})
        move = position.sample(rng)
        position = position.play(move)
        if turns:
            table.move(*turns[str(move)])
            last = colour
        assert position.rings == tuple(table.hand.values())
        assert all(
            position.takes(name) == 4 - far(*place) - table.rings[place] for place, name in PLACES.items()
        )
        for side in Side:
            assert {at(name) for name in position.glasses[side]} == {
                place for place, owner in table.glasses.items() if owner == "rb"[side]
            }
    raise AssertionError("it has no end")

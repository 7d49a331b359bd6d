"""DVONN once more, slow and obvious, on coordinates: both must agree on whole random games."""

from random import Random

import pytest

from games.dvonn import GAME
from games.dvonn.board import PASS, POINTS
from games.protocol import Side

WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)]


def at(name):
    return ord(name[0]), int(name[1])


def named(place):
    return f"{chr(place[0])}{place[1]}"


class Table:
    """Maps each occupied place to a word, its pieces from the bottom up."""

    def __init__(self, position):
        self.words = {at(name): word for name, word in position.stood().items()}

    def moves(self, letter):
        for (x, y), word in self.words.items():
            if word[-1] != letter or all((x + dx, y + dy) in self.words for dx, dy in WAYS):
                continue
            for dx, dy in WAYS:
                there = x + dx * len(word), y + dy * len(word)
                if there in self.words:
                    yield f"{named((x, y))}-{named(there)}"

    def play(self, text):
        origin, target = map(at, text.split("-"))
        self.words[target] += self.words.pop(origin)
        safe, new = set(), {place for place, word in self.words.items() if "r" in word}
        while new:
            safe |= new
            new = {(x + dx, y + dy) for x, y in new for dx, dy in WAYS} & self.words.keys() - safe
        self.words = {place: word for place, word in self.words.items() if place in safe}

    def points(self, letter):
        return sum(len(word) for word in self.words.values() if word[-1] == letter)


@pytest.mark.parametrize("seed", range(20))
@pytest.mark.parametrize("name", ["random", "symmetric"])
def test_both_know_the_same_moves_and_the_same_winner(name, seed):
    rng, rules = Random(seed), GAME.presets[name]
    position = GAME.start(rules, GAME.draw_setup(rules, rng))
    table = Table(position)
    while not (outcome := position.outcome()):
        expected = set(table.moves("wb"[position.to_move])) or {str(PASS)}
        assert {str(move) for move in position.moves()} == expected
        assert position.count() == len(expected)
        move = position.sample(rng)
        if move != PASS:
            table.play(str(move))
        position = position.play(move)
        assert {named(place): word for place, word in table.words.items()} == position.stood()
    assert not [*table.moves("w"), *table.moves("b")]
    white, black = table.points("w"), table.points("b")
    assert outcome.winner == (None if white == black else Side.FIRST if white > black else Side.SECOND)


def test_symmetric_set_ups_face_each_other():
    for seed in range(50):
        setup = GAME.draw_setup(GAME.presets["symmetric"], Random(seed))
        pairs = {"".join(sorted(pair)) for pair in zip(setup, reversed(setup), strict=True)}
        assert pairs == {"rr", "bw"}
        assert setup[POINTS.index("f3")] == "r"
        assert sorted(setup).count("r") == 3


def test_random_set_ups_differ_and_come_back_from_their_seed():
    draws = [GAME.draw_setup(GAME.presets["random"], Random(seed)) for seed in range(50)]
    assert len(set(draws)) == 50
    assert draws[7] == GAME.draw_setup(GAME.presets["random"], Random(7))
    reds = {index for setup in draws for index, letter in enumerate(setup) if letter == "r"}
    assert len(reds) > 40, "they stand anywhere"

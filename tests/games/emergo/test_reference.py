"""Emergo once more, slow and obvious, with columns as words: both must agree on random games."""

from random import Random

import pytest

from games.emergo import GAME
from games.emergo.rules import Rules

DARK = [(x, y) for y in range(9) for x in range(9) if (x + y) % 2 == 0]
DIAGONALS = [(-1, -1), (1, -1), (-1, 1), (1, 1)]


def named(square):
    return "abcdefghi"[square[0]] + str(square[1] + 1)


def beyond(square, way, distance=1):
    return square[0] + distance * way[0], square[1] + distance * way[1]


class Table:
    """Each square has a word, its men from the top down: `WWB`; an empty one is no key."""

    def __init__(self):
        self.columns = {}
        self.hands = {"W": 12, "B": 12}
        self.mover, self.other = "W", "B"

    def chains(self, path, columns, last):
        """Every way to go on, with the board at its end; `columns` is without the one that jumps."""
        yield path, columns
        for way in DIAGONALS:
            over, landing = beyond(path[-1], way), beyond(path[-1], way, 2)
            jumpable = columns.get(over, "").startswith(self.other) and over != last
            if jumpable and landing in DARK and landing not in columns:
                left = {square: word for square, word in columns.items() if square != over}
                if columns[over][1:]:
                    left[over] = columns[over][1:]
                yield from self.chains([*path, landing], left, over)

    def captures(self):
        """The longest chains, and the board after each but for the captor."""
        found = {}
        for square, word in self.columns.items():
            if word.startswith(self.mover):
                rest = {other: men for other, men in self.columns.items() if other != square}
                for path, columns in self.chains([square], rest, None):
                    found["x".join(map(named, path))] = (path, columns)
        most = max((len(path) for path, _ in found.values()), default=1)
        return {text: chain for text, chain in found.items() if len(chain[0]) == most > 1}

    def attacked(self, columns):
        """Whether the other side could capture anything."""
        table = Table()
        table.columns, table.mover, table.other = columns, self.other, self.mover
        return bool(table.captures())

    def entries(self):
        empty = [square for square in DARK if square not in self.columns]
        if not self.columns:
            empty.remove((4, 4))
        if self.attacked(self.columns):
            return set(map(named, empty))
        safe = [square for square in empty if not self.attacked({**self.columns, square: self.mover})]
        return set(map(named, safe))

    def steps(self):
        return {
            f"{named(square)}-{named(beyond(square, way))}"
            for square, word in self.columns.items()
            for way in DIAGONALS
            if word.startswith(self.mover)
            and beyond(square, way) in DARK
            and beyond(square, way) not in self.columns
        }

    def moves(self):
        return set(self.captures()) or (self.entries() if self.hands[self.mover] else self.steps())

    def play(self, text):
        square = {named(square): square for square in DARK}
        if "x" in text:
            path, columns = self.captures()[text]
            captives = self.other * (len(path) - 1)
            self.columns = {**columns, path[-1]: self.columns[path[0]] + captives}
        elif "-" in text:
            origin, target = text.split("-")
            self.columns[square[target]] = self.columns.pop(square[origin])
        else:
            men = 1 if self.hands[self.other] else self.hands[self.mover]
            self.columns[square[text]] = self.mover * men
            self.hands[self.mover] -= men
        self.mover, self.other = self.other, self.mover

    def line(self):
        """The position as the game writes it."""
        words = [(named(square), self.columns[square]) for square in DARK if square in self.columns]
        columns = "".join(f"{name}:{short(word)} " for name, word in words)
        mover = {"W": "white", "B": "black"}[self.mover]
        return f"{columns}hands={self.hands['W']},{self.hands['B']} move={mover}"


def short(word):
    """WWB is W2B."""
    runs = [(letter, word.count(letter)) for letter in dict.fromkeys(word)]
    return "".join(f"{letter}{n if n > 1 else ''}" for letter, n in runs)


@pytest.mark.parametrize("seed", range(6))
def test_random_games_are_the_same_to_both(seed):
    rng, table, position = Random(seed), Table(), GAME.start(Rules(), "")
    for _ in range(150):
        assert str(position) == table.line()
        texts = [str(move) for move in position.moves()]
        if position.outcome():
            assert (texts, position.count()) == ([], 0)
            break
        assert set(texts) == table.moves()
        assert len(texts) == len(set(texts)) == position.count()
        move = position.sample(rng)
        table.play(str(move))
        position = position.play(move)

"""Bashni once more, slow and obvious, square by square: both must agree on random games.

Captures are followed one by one, and only then told apart by the boards that they leave.
"""

from random import Random

import pytest

from games.bashni import GAME
from games.bashni.rules import Rules

DARK = [(x, y) for y in range(8) for x in range(8) if (x + y) % 2 == 0]
DIAGONALS = [(1, 1), (-1, 1), (1, -1), (-1, -1)]


def named(square):
    return "abcdefgh"[square[0]] + str(square[1] + 1)


class Table:
    """Each square has a word, its pieces bottom first; an empty one is no key."""

    def __init__(self):
        self.columns = {square: "w" for square in DARK if square[1] < 3}
        self.columns |= {square: "b" for square in DARK if square[1] > 4}
        self.mover, self.other = "w", "b"
        self.quiet = 0

    def leads(self, side):
        return [square for square, word in self.columns.items() if word[-1].lower() == side]

    def crowned(self, word, square):
        last = {"w": 7, "b": 0}[self.mover]
        return word[:-1] + word[-1].upper() if square[1] == last else word

    def jumps(self, square, word, columns, last):
        """Each jump: the way, the square jumped, the landing; those of a king that cannot go on are struck out."""
        for way in self.ways(last):
            seen = self.first(square, way, columns)
            if seen is None or columns[seen][-1].lower() != self.other:
                continue
            king = word[-1].isupper()
            if not king and seen != (square[0] + way[0], square[1] + way[1]):
                continue
            landings = self.free(seen, way, columns)[: None if king else 1]
            going_on = [
                landing for landing in landings if king and self.goes_on(landing, word, columns, seen, way)
            ]
            yield from ((way, seen, landing) for landing in going_on or landings)

    def goes_on(self, square, word, columns, seen, way):
        after = self.without_top(columns, seen)
        for other in self.ways(way):
            over = self.first(square, other, after)
            if over is not None and after[over][-1].lower() == self.other and self.free(over, other, after):
                return True
        return False

    def ways(self, last):
        return [way for way in DIAGONALS if last is None or way != (-last[0], -last[1])]

    def first(self, square, way, columns):
        x, y = square
        while (x := x + way[0], y := y + way[1]) in DARK:
            if (x, y) in columns:
                return x, y
        return None

    def free(self, square, way, columns):
        (x, y), found = square, []
        while (x := x + way[0], y := y + way[1]) in DARK and (x, y) not in columns:
            found.append((x, y))
        return found

    def without_top(self, columns, square):
        left = {other: word for other, word in columns.items() if other != square}
        return {**left, square: columns[square][:-1]} if columns[square][1:] else left

    def chains(self, path, word, columns, last):
        """Every complete way to go on: its path, and the board at its end."""
        going_on = False
        for way, seen, landing in self.jumps(path[-1], word, columns, last):
            going_on = True
            after = self.crowned(columns[seen][-1] + word, landing)
            yield from self.chains([*path, landing], after, self.without_top(columns, seen), way)
        if not going_on and len(path) > 1:
            yield path, {**columns, path[-1]: word}

    def captures(self):
        """The board after each capture, by the first path that leads to it."""
        found = {}
        for square in self.leads(self.mover):
            rest = {other: word for other, word in self.columns.items() if other != square}
            for path, columns in self.chains([square], self.columns[square], rest, None):
                board = frozenset(columns.items())
                found[board] = min(found.get(board, path), path, key=lambda way: [(y, x) for x, y in way])
        return {"x".join(map(named, path)): dict(board) for board, path in found.items()}

    def steps(self):
        found = {}
        for square in self.leads(self.mover):
            word = self.columns[square]
            for way in DIAGONALS:
                ahead = way[1] == {"w": 1, "b": -1}[self.mover]
                if word[-1].isupper() or ahead:
                    for other in self.free(square, way, self.columns)[: None if word[-1].isupper() else 1]:
                        rest = {one: men for one, men in self.columns.items() if one != square}
                        found[f"{named(square)}-{named(other)}"] = {**rest, other: self.crowned(word, other)}
        return found

    def moves(self):
        return self.captures() or self.steps()

    def play(self, text):
        king = next(self.columns[square] for square in DARK if named(square) == text[:2])[-1].isupper()
        self.quiet = self.quiet + 1 if king and "-" in text else 0
        self.columns = self.moves()[text]
        self.mover, self.other = self.other, self.mover

    def line(self):
        """The position as the game writes it."""
        columns = "".join(
            f"{named(square)}={self.columns[square]} " for square in DARK if square in self.columns
        )
        return f"{columns}quiet={self.quiet} move={ {'w': 'white', 'b': 'black'}[self.mover] }"


@pytest.mark.parametrize("seed", range(8))
def test_random_games_are_the_same_to_both(seed):
    rng, table, position = Random(seed), Table(), GAME.start(Rules(), "")
    while True:
        assert str(position) == table.line()
        texts = [str(move) for move in position.moves()]
        if position.outcome():
            assert (texts, position.count()) == ([], 0)
            break
        assert len(texts) == len(set(texts)) == position.count()
        assert set(texts) == set(table.moves())
        move = position.sample(rng)
        table.play(str(move))
        position = position.play(move)

"""Insert once more, slow and obvious, with coordinates and letters: both must agree on random games."""

from random import Random

import pytest

from games.__main__ import perft as quick_perft
from games.insert import GAME
from games.insert.board import BOARD, TILES, assemble
from games.insert.rules import Rules

AXES = [(1, 0), (0, 1), (1, 1), (1, -1)]
LINES = {"-": [(1, 0)], "|": [(0, 1)], "/": [(1, 1)], "\\": [(1, -1)]}
LINES |= {"+": LINES["-"] + LINES["|"], "x": LINES["/"] + LINES["\\"]}
CELLS = [(x, y) for y in range(6) for x in range(6)]


def named(cell):
    return f"{'abcdef'[cell[0]]}{cell[1] + 1}"


class Reference:
    """Rings by cell; `mover` is "o" or "x"."""

    def __init__(self, marks, rings=None, last=None):
        self.marks, self.rings, self.last = marks, rings or {}, last

    @classmethod
    def start(cls, layout):
        return cls({(i % 6, 5 - i // 6): mark for i, mark in enumerate(layout)})

    @property
    def mover(self):
        return "ox"[len(self.rings) % 2]

    def walk(self, cell, direction):
        x, y = cell
        while (x := x + direction[0], y := y + direction[1]) in CELLS:
            yield x, y

    def line(self, cell, direction):
        return {cell, *self.walk(cell, direction), *self.walk(cell, (-direction[0], -direction[1]))}

    def moves(self):
        empty = {cell for cell in CELLS if cell not in self.rings}
        if self.result():
            return set()
        if self.last:
            lines = [self.line(self.last, direction) for direction in LINES[self.marks[self.last]]]
            return set().union(*lines) & empty or empty
        return empty

    def stop(self, cell, direction):
        for there in self.walk(cell, direction):
            if self.rings.get(there) != self.mover:
                return there if there in self.rings else None
        return None

    def play(self, cell):
        mover, taken = self.mover, []
        for x, y in AXES:
            ends = [self.stop(cell, (x, y)), self.stop(cell, (-x, -y))]
            if all(ends):
                taken += ends
        rings = self.rings | {cell: mover} | dict.fromkeys(taken, mover)
        return Reference(self.marks, rings, cell)

    def result(self):
        moved = "xo"[len(self.rings) % 2]
        for x, y in CELLS:
            for dx, dy in AXES:
                if all(self.rings.get((x + i * dx, y + i * dy)) == moved for i in range(5)):
                    return moved
        if len(self.rings) < 30:
            return None
        white, black = max(self.groups("o")), max(self.groups("x"))
        return "draw" if white == black else "o" if white > black else "x"

    def groups(self, side):
        left = {cell for cell, ring in self.rings.items() if ring == side}
        yield 0
        while left:
            group = [left.pop()]
            for x, y in group:
                beside = {(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)} & left
                left -= beside
                group += beside
            yield len(group)


def perft(position, depth):
    if depth == 0:
        return 1
    return sum(perft(position.play(move), depth - 1) for move in position.moves())


@pytest.mark.parametrize("preset", ["", "x+"])
def test_random_games_are_the_same_to_both(preset):
    rules, rng = GAME.presets[preset], Random(49)
    for _ in range(40):
        position = GAME.start(rules, GAME.draw_setup(rules, rng))
        reference = Reference.start(position.layout.marks)
        while True:
            moves = {move.cell: move for move in position.moves()}
            cells = {named(cell): cell for cell in reference.moves()}
            assert moves.keys() == cells.keys()
            assert len(moves) == position.count()
            outcome = position.outcome()
            winner = outcome and ("draw" if outcome.winner is None else "ox"[outcome.winner])
            assert winner == reference.result()
            if outcome:
                break
            chosen = rng.choice(sorted(moves))
            position, reference = position.play(moves[chosen]), reference.play(cells[chosen])
            rings = {named(cell): ring for cell, ring in reference.rings.items()}
            white, black = map(BOARD.cells, position.rings)
            assert rings == dict.fromkeys(white, "o") | dict.fromkeys(black, "x")


@pytest.mark.parametrize(
    ("preset", "setup", "counts"),
    [
        ("", assemble(TILES), (36, 241, 1_244, 5_910)),
        ("", "-" * 36, (36, 180, 720, 2_160)),
        ("x+", "+-\\//-\\|x||\\\\|\\|\\|-/-/-/\\//+/||--\\-x", (36, 163, 655, 2_541)),
    ],
    ids=["tiles", "rows", "x+"],
)
def test_counts_of_turn_sequences(preset, setup, counts):
    position, reference = GAME.start(GAME.presets[preset], setup), Reference.start(setup)
    for depth, count in enumerate(counts, start=1):
        assert perft(position, depth) == perft(reference, depth) == count


def test_more_turn_sequences(layout):
    assert quick_perft(GAME.start(Rules(), layout), 6) == 122_507

"""Zèrtz once more, slow and obvious, with sets of coordinates: both must agree on random games."""

from itertools import pairwise
from random import Random

import pytest

from games.protocol import Outcome
from games.zertz import GAME
from games.zertz.rules import start
from games.zertz.variants import Rules

PRESETS = GAME.presets
CYCLE = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)]


def at(name):
    return ord(name[0]), int(name[1:])


def named(ring):
    return f"{chr(ring[0])}{ring[1]}"


def beside(ring, direction, distance=1):
    return ring[0] + distance * direction[0], ring[1] + distance * direction[1]


class Board:
    """Rings and the marbles on them, by coordinates."""

    def __init__(self, position):
        board = position.rules.board
        self.rings = {at(name) for name in board.names(position.rings)}
        self.marbles = {
            at(name): "WGB"[colour]
            for colour, mask in enumerate(position.marbles)
            for name in board.names(mask)
        }
        self.pool = dict(zip("WGB", position.pool, strict=True))
        self.captives = dict(zip("WGB", position.captives[position.to_move], strict=True))

    def chains(self, path, marbles):
        extended = False
        for direction in CYCLE:
            over, landing = beside(path[-1], direction), beside(path[-1], direction, 2)
            if over in marbles and landing in self.rings and landing not in marbles:
                extended = True
                yield from self.chains([*path, landing], marbles - {over})
        if not extended and len(path) > 1:
            yield "x".join(map(named, path))

    def jumps(self):
        return {chain for ring in self.marbles for chain in self.chains([ring], set(self.marbles) - {ring})}

    def removable(self, ring):
        free = [beside(ring, direction) not in self.rings for direction in CYCLE]
        return ring not in self.marbles and any(free[i - 1] and free[i] for i in range(6))

    def placements(self):
        supply = self.pool if any(self.pool.values()) else self.captives
        empty = self.rings - set(self.marbles)
        for cell in empty:
            removals = [ring for ring in empty - {cell} if self.removable(ring)]
            for colour in (colour for colour in "WGB" if supply[colour]):
                for removed in removals:
                    yield f"{colour}{named(cell)},{named(removed)}"
                if not removals:
                    yield f"{colour}{named(cell)}"

    def moves(self):
        return self.jumps() or set(self.placements())

    def play(self, text):
        if "x" in text:
            self.jump([at(name) for name in text.split("x")])
            return
        colour, (cell, *removed) = text[0], map(at, text[1:].split(","))
        supply = self.pool if any(self.pool.values()) else self.captives
        supply[colour] -= 1
        self.marbles[cell] = colour
        self.rings -= set(removed)
        for group in self.groups():
            if group <= set(self.marbles):
                self.rings -= group
                for ring in group:
                    self.captives[self.marbles.pop(ring)] += 1

    def jump(self, path):
        self.marbles[path[-1]] = self.marbles.pop(path[0])
        for (row, n), (other_row, other_n) in pairwise(path):
            self.captives[self.marbles.pop(((row + other_row) // 2, (n + other_n) // 2))] += 1

    def groups(self):
        left = set(self.rings)
        while left:
            group, grown = set(), {next(iter(left))}
            while grown != group:
                group = set(grown)
                grown |= {beside(ring, way) for ring in group for way in CYCLE} & left
            left -= group
            yield group


@pytest.mark.prove
@pytest.mark.parametrize("rules", [PRESETS[name] for name in ("", "blitz", "43", "+11")])
def test_random_games_are_the_same_to_both(rules):
    rng = Random(56)
    for _ in range(5):
        position = start(rules)
        while not position.outcome():
            reference = Board(position)
            moves = list(position.moves())
            texts = {str(move) for move in moves}
            assert texts == reference.moves()
            assert len(texts) == len(moves) == position.count()
            move = position.sample(rng)
            reference.play(str(move))
            mover, position = position.to_move, position.play(move)
            after = Board(position)
            assert (after.rings, after.marbles) == (reference.rings, reference.marbles)
            assert list(position.captives[mover]) == list(reference.captives.values())
            assert after.pool == reference.pool
            assert position.to_move is mover.other
        assert position.outcome() in (
            Outcome(mover, reason) for reason in ("each", "white", "grey", "black", "filled")
        )


@pytest.mark.parametrize("rules", [PRESETS[""], PRESETS["blitz"], Rules(islands="any")])
def test_no_marble_is_ever_lost(rules):
    rng = Random(6)
    for _ in range(40):
        position = start(rules)
        while not position.outcome():
            position = position.play(position.sample(rng))
            on_board = [mask.bit_count() for mask in position.marbles]
            assert (
                tuple(map(sum, zip(on_board, position.pool, *position.captives, strict=True)))
                == rules.marbles
            )
            assert not position.occupied & ~position.rings
        assert position.count() == 0

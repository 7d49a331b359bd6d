"""LYNGK once more, slow and obvious, on coordinates: both must agree on whole random games."""

from itertools import chain
from random import Random

import pytest

from games.lyngk import GAME
from games.lyngk.board import POINTS
from games.protocol import Side

WAYS = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (-1, -1)]
LOW = dict(zip("abcdefghi", (3, 2, 1, 2, 2, 3, 3, 5, 7), strict=True))
HIGH = dict(zip("abcdefghi", (1, 4, 7, 6, 7, 6, 7, 4, 1), strict=True))
PLACES = {
    ("abcdefghi".index(letter), number - 1 + LOW[letter]): f"{letter}{number}"
    for letter in HIGH
    for number in range(1, HIGH[letter] + 1)
}


class Table:
    """Maps each occupied place to its stack, bottom first, and each claimed colour to its player."""

    def __init__(self, highest, stacks, players, taken, won=None):
        self.highest, self.stacks, self.players, self.taken, self.won = highest, stacks, players, taken, won

    def seen(self, place):
        """The first stacks along the lines from a place."""
        for dx, dn in WAYS:
            x, n = place[0] + dx, place[1] + dn
            while (x, n) in PLACES and (x, n) not in self.stacks:
                x, n = x + dx, n + dn
            if (x, n) in PLACES:
                yield x, n

    def around(self, place):
        """Where a claimed stack comes: from each stack of its colour that it can visit, as often as anything is new."""
        top, visited = self.stacks[place][-1], {place}
        while True:
            new = {
                spot for one in visited for spot in self.seen(one) if self.stacks[spot][-1] == top
            } - visited
            if not new:
                return set(chain.from_iterable(map(self.seen, visited)))
            visited |= new

    def turns(self, player):
        """Every turn, and the table after it."""
        mine = [colour for colour, owner in self.players.items() if owner == player]
        free = [colour for colour in "IBRGK" if colour not in self.players] if len(mine) < 2 else []
        for claim in ["", *free]:
            table = self.claimed(player, claim) if claim else self
            for here, there in table.ways(player):
                text = f"{PLACES[here]}-{PLACES[there]}"
                yield f"{claim},{text}" if claim else text, table.moved(player, here, there)

    def claimed(self, player, colour):
        due = [
            p for p, stack in self.stacks.items() if self.highest == len(stack) == 5 and stack[-1] == colour
        ]
        left = {place: stack for place, stack in self.stacks.items() if place not in due}
        return Table(
            self.highest, left, {**self.players, colour: player}, [*self.taken, *([player] * len(due))]
        )

    def ways(self, player):
        for place, stack in self.stacks.items():
            owner = self.players.get(stack[-1])
            if stack[-1] == "J" or owner not in (None, player):
                continue
            for there in self.seen(place) if owner is None else self.around(place):
                other = self.stacks[there]
                colours = (stack + other).replace("J", "")
                fits = len(stack) + len(other) <= self.highest and len(set(colours)) == len(colours)
                if fits and there != place and (owner is not None or len(other) <= len(stack)):
                    yield place, there

    def moved(self, player, here, there):
        left = {place: stack for place, stack in self.stacks.items() if place not in (here, there)}
        stack = self.stacks[there] + self.stacks[here]
        full = len(stack) == self.highest and self.players.get(stack[-1]) == player
        if not full or self.highest == 6:
            left[there] = stack
        taken = [*self.taken, player] if full else self.taken
        return Table(self.highest, left, self.players, taken, player if full and self.highest == 6 else None)

    def ahead(self):
        """More of the highest, and so on: +1 for the first player, -1 for the second, 0 for a draw."""
        for height in (5, 4, 3, 2, 1):
            lead = 0
            if height == 5 == self.highest:
                lead = self.taken.count(0) - self.taken.count(1)
            for stack in self.stacks.values():
                if len(stack) == height and stack[-1] in self.players:
                    lead += 1 - 2 * self.players[stack[-1]]
            if lead:
                return 1 if lead > 0 else -1
        return 0


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("name", ["", "six"])
def test_both_know_the_same_turns_and_the_same_winner(name, seed):
    rng, rules = Random(seed), GAME.presets[name]
    setup = GAME.draw_setup(rules, rng)
    position = GAME.start(rules, setup)
    numbered = {name: place for place, name in PLACES.items()}
    table = Table(
        rules.stack, {numbered[point]: piece for point, piece in zip(POINTS, setup, strict=True)}, {}, []
    )
    for ply in range(80):
        player = ply % 2
        turns = {} if table.won is not None else dict(table.turns(player))
        over = table.won is not None or not (turns or any(True for _ in table.turns(1 - player)))
        if over:
            ahead = table.ahead() if table.won is None else 1 - 2 * table.won
            winner = None if not ahead else Side.FIRST if ahead > 0 else Side.SECOND
            assert position.outcome().winner == winner
            return
        assert position.outcome() is None
        move = position.sample(rng)
        if not ply % 3:
            assert {str(move) for move in position.moves()} == (turns.keys() or {"pass"})
        position, table = position.play(move), turns.get(str(move), table)
        assert {PLACES[place]: stack for place, stack in table.stacks.items()} == {
            point: stack for point, stack in zip(POINTS, position.board, strict=True) if stack
        }
    raise AssertionError("it has no end")

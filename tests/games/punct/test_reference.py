"""PÜNCT once more, slow and obvious, on coordinates: both must agree on whole random games."""

from random import Random

import pytest

from games.protocol import Side
from games.punct import GAME

LOW = dict(zip("abcdefghijklmnopq", (2, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4, 5, 6, 7, 8, 10), strict=True))
HIGH = dict(zip(LOW, (8, 10, 11, 12, 13, 14, 15, 16, 16, 17, 17, 17, 17, 17, 17, 17, 16), strict=True))
PLACES = {(x, n) for x, letter in enumerate(LOW) for n in range(LOW[letter], HIGH[letter] + 1)}
WAYS = [(0, 1), (1, 1), (1, 0), (0, -1), (-1, -1), (-1, 0)]
MIDDLE = (8, 9)
# From the PÜNCT to the other dots, before the piece is turned, and which dot hangs over a bridge.
SHAPES = {
    "T": [(0, 1), (1, 1)],
    "C": [(0, 1), (0, -1)],
    "E": [(0, 1), (0, 2)],
    "M": [(0, 1), (1, 0)],
    "L": [(0, 1), (1, 2)],
    "R": [(0, 1), (-1, 1)],
}
HANGS = {"T": None, "C": 0, "M": 0, "E": 1, "L": 1, "R": 1}
COUNTS = {"T": 6, "C": 2, "E": 4, "M": 2, "L": 2, "R": 2}


def name(place):
    return f"{'abcdefghijklmnopq'[place[0]]}{place[1]}"


def steps(place):
    """How far it is from the middle."""
    x, n = place[0] - MIDDLE[0], place[1] - MIDDLE[1]
    return max(abs(x), abs(n), abs(x - n))


def turned(offset, times):
    for _ in range(times):
        offset = (offset[1], offset[1] - offset[0])
    return offset


def ways_to_lie(kind, punct):
    found = {}
    for times in range(6):
        others = [turned(offset, times) for offset in SHAPES[kind]]
        dots = [punct, *((punct[0] + x, punct[1] + n) for x, n in others)]
        if all(dot in PLACES for dot in dots):
            found[punct, frozenset(dots)] = dots
    return found.values()


def written(dots):
    return "/".join(map(name, [dots[0], *sorted(dots[1:])]))


class Table:
    """The piles, each a list of dots with their level and piece, and the pieces: player, kind, dots."""

    def __init__(self, closed):
        self.closed, self.piles, self.pieces = closed, {place: [] for place in PLACES}, []

    def top(self, place):
        """The player of the topmost dot."""
        return self.piles[place][-1][1][0] if self.piles[place] else None

    def height(self, place):
        return self.piles[place][-1][0] + 1 if self.piles[place] else 0

    def put(self, level, piece):
        self.pieces.append((level, piece))
        for dot in piece[2]:
            self.piles[dot].append((level, piece))

    def lift(self, level, piece):
        self.pieces.remove((level, piece))
        for dot in piece[2]:
            assert self.piles[dot].pop() == (level, piece)

    def rests(self, player, kind, dots):
        """The level on which it rests, None if it does not."""
        carrying = [dot for number, dot in enumerate(dots) if number != HANGS[kind]]
        levels = {self.height(dot) for dot in carrying}
        if len(levels) > 1:
            return None
        (level,) = levels
        if any(self.height(dot) > level for dot in dots) or (level and self.top(dots[0]) != player):
            return None
        return level

    def turns(self, player):
        """Maps each turn to the piece that moves, if any, and to what comes to lie where."""
        found = {}
        own = [piece for _, piece in self.pieces if piece[0] == player]
        for kind, count in COUNTS.items():
            if sum(piece[1] == kind for piece in own) < count:
                for punct in PLACES:
                    for dots in ways_to_lie(kind, punct):
                        barred = self.closed or not self.pieces
                        if not any(self.piles[dot] or (barred and steps(dot) <= 2) for dot in dots):
                            found[written(dots)] = None, 0, (player, kind, tuple(dots))
        for level, piece in list(self.pieces):
            if piece[0] != player or any(self.piles[dot][-1] != (level, piece) for dot in piece[2]):
                continue
            x, n = piece[2][0]
            targets = [(x, n)] + [
                (x + far * dx, n + far * dn)
                for dx, dn in WAYS
                for far in range(1, 17)
                if (x + far * dx, n + far * dn) in PLACES
            ]
            self.lift(level, piece)
            for punct in targets:
                for dots in ways_to_lie(piece[1], punct):
                    new = self.rests(player, piece[1], dots)
                    if new is not None and (punct != (x, n) or {*dots} != {*piece[2]}):
                        found[f"{name((x, n))}-{written(dots)}"] = (
                            (level, piece),
                            new,
                            (player, piece[1], tuple(dots)),
                        )
            self.put(level, piece)
        return found

    def play(self, turn):
        lifted, level, piece = turn
        if lifted:
            self.lift(*lifted)
        self.put(level, piece)

    def joined(self, player):
        own = {place for place in PLACES if self.top(place) == player}
        low, high = {x: min(n for y, n in PLACES if y == x) for x in range(17)}, {}
        high = {x: max(n for y, n in PLACES if y == x) for x in range(17)}
        sides = [
            ({p for p in PLACES if p[0] == 0}, {p for p in PLACES if p[0] == 16}),
            ({(x, low[x]) for x in range(1, 8)}, {(x, high[x]) for x in range(9, 16)}),
            ({(x, high[x]) for x in range(1, 8)}, {(x, low[x]) for x in range(9, 16)}),
        ]
        for one, other in sides:
            seen, left = set(), list(own & one)
            while left:
                place = left.pop()
                if place in seen:
                    continue
                seen.add(place)
                left += [p for dx, dn in WAYS if (p := (place[0] + dx, place[1] + dn)) in own]
            if seen & other:
                return True
        return False

    def winner(self, mover):
        """The winner, or "even"; None while it goes on."""
        for player in (mover, 1 - mover):
            if self.joined(player):
                return player
        if self.closed and any(sum(piece[0] == p for _, piece in self.pieces) == 18 for p in (0, 1)):
            middle = [self.top(place) for place in PLACES if steps(place) <= 2]
            ahead = middle.count(0) - middle.count(1)
            return "even" if not ahead else 0 if ahead > 0 else 1
        return None


@pytest.mark.parametrize(
    ("preset", "seed", "plies"),
    [
        ("", 0, 44),
        ("basic", 1, 24),
        *(pytest.param("", seed, 400, marks=pytest.mark.prove) for seed in range(2, 6)),
        *(pytest.param("basic", seed, 120, marks=pytest.mark.prove) for seed in range(6, 8)),
    ],
)
def test_both_know_the_same_turns_and_the_same_winner(preset, seed, plies):
    rng, rules = Random(seed), GAME.presets[preset]
    position, table = GAME.start(rules, ""), Table(rules.centre == "closed")
    for ply in range(plies):
        winner = table.winner(1 - ply % 2)
        outcome = position.outcome()
        assert (winner is None) == (outcome is None)
        if outcome:
            assert winner == ("even" if outcome.winner is None else outcome.winner)
            return
        turns = table.turns(ply % 2)
        if not ply % 3:
            assert {str(move) for move in position.moves()} == turns.keys()
        # moves onto others are rare by chance
        high = [text for text, (lifted, level, _) in turns.items() if lifted and level]
        text = rng.choice(high) if high and rng.random() < 0.4 else rng.choice(sorted(turns))
        assert position.objection(GAME.move(text)) is None
        table.play(turns[text])
        position = position.play(GAME.move(text))
        assert position.to_move == Side((ply + 1) % 2)
        assert {(level, written(piece[2])) for level, piece in table.pieces} == {
            (piece.level, piece.where) for piece in position.pieces
        }
    assert preset == "basic" or plies < 400, "only there no number of turns ends it"

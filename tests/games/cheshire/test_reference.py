"""A slow and obvious Cheshire Cat Chess as an independent referee over random games.

Its board is a dictionary of squares; a square that has vanished is not in it. It shares no line of code
with the game that it judges.
"""

from itertools import product
from random import Random

import pytest

from games.cheshire import GAME
from games.cheshire.position import Rules
from tests.examples import first

AROUND = [way for way in product((-1, 0, 1), repeat=2) if way != (0, 0)]
STRAIGHT = [way for way in AROUND if 0 in way]
SLANTING = [way for way in AROUND if 0 not in way]
LEAPS = [way for way in product((-2, -1, 1, 2), repeat=2) if abs(way[0]) != abs(way[1])]
SLIDES = {"R": STRAIGHT, "B": SLANTING, "Q": AROUND}


class Referee:
    """Men are letters as in FEN, `.` an empty square."""

    def __init__(self, text, kingcheck):
        rows, self.side, self.kings, self.passed = text.split()
        rows = [row.replace("10", "." * 10) for row in rows.split("/")]
        for gap in "987654321":
            rows = [row.replace(gap, "." * int(gap)) for row in rows]
        self.size, self.kingcheck = len(rows), kingcheck
        self.board = {
            (x, self.size - 1 - y): sign
            for y, row in enumerate(rows)
            for x, sign in enumerate(row)
            if sign != "*"
        }

    def own(self, man, side):
        return man.isalpha() and man.isupper() == (side == "w")

    def on_board(self, place):
        return all(0 <= part < self.size for part in place)

    def goes(self, board, place, far_king):
        """Where the man on a place could land or capture, as a piece does; pawns capture only."""
        man = board[place]
        kind, side = man.upper(), "w" if man.isupper() else "b"
        ways = SLIDES.get(kind) or (AROUND if kind == "K" and man in self.kings and far_king else None)
        up = 1 if side == "w" else -1
        pawns, others = [(-1, up), (1, up)], LEAPS if kind == "N" else AROUND
        for dx, dy in ways or (pawns if kind == "P" else others):
            x, y = place[0] + dx, place[1] + dy
            while self.on_board((x, y)):
                there = board.get((x, y))
                if there and not self.own(there, side):
                    yield x, y
                if not ways or (there and there != "."):
                    break
                x, y = x + dx, y + dy

    def attacked(self, board, side):
        king = next(place for place, man in board.items() if man == ("K" if side == "w" else "k"))
        enemies = [place for place, man in board.items() if man.isalpha() and not self.own(man, side)]
        far = self.kingcheck == "queen"
        return any(king in self.goes(board, place, far) for place in enemies)

    def tries(self):
        """The origin, the landing, and the square of the man taken."""
        for place in [place for place, man in self.board.items() if self.own(man, self.side)]:
            pawn = self.board[place] in "Pp"
            for target in self.goes(self.board, place, True):
                taken = self.board[target] != "."
                if pawn and name(target) == self.passed:
                    yield place, target, (target[0], place[1])
                elif taken or not pawn:
                    yield place, target, target if taken else None
            if pawn:
                up = 1 if self.side == "w" else -1
                one, two = (place[0], place[1] + up), (place[0], place[1] + 2 * up)
                if self.board.get(one, ".") == ".":
                    home = place[1] == (1 if up == 1 else self.size - 2)
                    yield from (
                        (place, each, None)
                        for each in ((one, two) if home else (one,))
                        if self.board.get(each) == "."
                    )

    def moves(self):
        for origin, target, taken in self.tries():
            after = {place: man for place, man in self.board.items() if place != origin}
            if taken:
                after[taken] = "."
            after[target] = self.board[origin]
            if not self.attacked(after, self.side):
                last = self.board[origin] in "Pp" and target[1] in (0, self.size - 1)
                for end in ("=Q", "=R", "=B", "=N") if last else ("",):
                    yield f"{name(origin)}{'x' if taken else '-'}{name(target)}{end}"


def name(place):
    return "abcdefghij"[place[0]] + str(place[1] + 1)


@pytest.mark.parametrize("rules", [Rules(), Rules(kingcheck="step"), Rules(size=10)], ids=str)
@pytest.mark.parametrize("seed", first(range(20), 4))
def test_the_referee_knows_the_same_moves(rules, seed):
    rng, position = Random(seed), GAME.start(rules, "")
    while not position.outcome():
        referee = Referee(str(position), rules.kingcheck)
        ours = [str(move) for move in position.moves()]
        assert sorted(ours) == sorted(referee.moves()), position
        assert position.checked == referee.attacked(referee.board, referee.side)
        position = position.play(position.sample(rng))
    referee = Referee(str(position), rules.kingcheck)
    reason = "mate" if referee.attacked(referee.board, referee.side) else "stalemate"
    assert position.outcome().reason in ("dead", reason)
    assert position.outcome().reason == "dead" or not list(referee.moves())

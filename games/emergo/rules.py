"""The rules of Emergo (Christian Freeling and Ed van Zon, 1986), after PerGioco newsletter 68."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from random import Random

from games.emergo import objections, snapshot
from games.emergo.board import BORDER, INDEX, MEN, SQUARES, STEPS, WAYS, indices, walkers
from games.emergo.captures import Chain
from games.emergo.moves import Move
from games.emergo.situation import NEXT, Situation
from games.emergo.variants import Rules
from games.protocol import Objection, Outcome, Side

_ENTRIES = tuple(Move((name,)) for name in SQUARES)
_STEPS = {
    (here, there - here): Move((SQUARES[here], SQUARES[there]))
    for here, steps in enumerate(STEPS)
    for there in steps
}
_PATIENCE = 64


@dataclass(frozen=True, slots=True)
class Position(Situation):
    """A moment of the game: how it stands, and the turns that it allows."""

    def __str__(self) -> str:
        return snapshot.write(self)

    def key(self) -> str:
        return str(self)

    def moves(self) -> Iterator[Move]:
        if captures := self.captures():
            yield from map(written, captures)
        elif self.hand:
            yield from (_ENTRIES[square] for square in indices(self.entries()))
        else:
            for way, men in zip(WAYS, walkers(self.mine, self.empty), strict=True):
                yield from (_STEPS[here, way] for here in indices(men))

    def count(self) -> int:
        if captures := self.captures():
            return len(captures)
        if self.hand:
            return self.entries().bit_count()
        return sum(map(int.bit_count, walkers(self.mine, self.empty)))

    def sample(self, rng: Random) -> Move:
        draw = rng.random
        if captures := self.captures():
            return written(captures[int(draw() * len(captures))])
        if not self.hand:
            return self._sample_step(draw())
        entries = self.entries()
        # A square drawn blindly is soon an entry, and sooner than all of them are listed.
        for _ in range(_PATIENCE):
            square = int(draw() * len(SQUARES))
            if entries >> square & 1:
                return _ENTRIES[square]
        return _ENTRIES[rng.choice(list(indices(entries)))]

    def objection(self, move: Move) -> Objection | None:
        return Objection("finished") if self.outcome() else objections.objection(self, move)

    def play(self, move: Move) -> Position:
        mine, hand = self.mine, self.hand
        columns = bytearray(self.columns)
        start, end = INDEX[move.path[0]], INDEX[move.path[-1]]
        if len(move.path) == 1:
            columns[start] = self.entering << 4
            hand -= self.entering
            return self._after(mine | 1 << start, self.theirs, columns, hand)
        moving, columns[start] = columns[start], 0
        mine ^= 1 << start
        if not move.capture:
            columns[end] = moving
            return self._after(mine | 1 << end, self.theirs, columns, hand)
        theirs = self.theirs
        for over in jumped(move):
            columns[over] -= 1 << 4
            if columns[over] < 1 << 4:  # no cap is left, and the prisoners are free: its new caps
                theirs ^= 1 << over
                mine |= 1 << over if columns[over] else 0
                columns[over] <<= 4
        columns[end] = moving + len(move.path) - 1
        return self._after(mine | 1 << end, theirs, columns, hand)

    def outcome(self) -> Outcome | None:
        empty = self.empty
        if self.hand:
            # A man on the border feeds nobody.
            if BORDER & empty or self.entries() or self.prey:
                return None
            return Outcome(None, "no_entry")
        if not self.mine:
            return Outcome(NEXT[self.to_move], "all_taken")
        if any(walkers(self.mine, empty)) or self.prey:
            return None
        if self.rules.blocked == "loss":
            return Outcome(NEXT[self.to_move], "blocked_loss")
        return Outcome(None, "blocked_draw")

    def _sample_step(self, drawn: float) -> Move:
        """One of the steps; `drawn` is from 0 to below 1."""
        ways = walkers(self.mine, self.empty)
        counts = [men.bit_count() for men in ways]
        chosen = int(drawn * sum(counts))
        for way, men, count in zip(WAYS, ways, counts, strict=True):
            if chosen < count:
                return _STEPS[next(islice(indices(men), chosen, None)), way]
            chosen -= count
        raise ValueError(f"no column of {self} can step")

    def _after(self, mine: int, theirs: int, columns: bytearray, hand: int) -> Position:
        """The turn passes, and with it what is `mine`."""
        return Position(self.rules, theirs, mine, bytes(columns), self.their_hand, hand, NEXT[self.to_move])


def written(chain: Chain) -> Move:
    """The turn that a chain is."""
    return Move(tuple(SQUARES[square] for square in chain[0]), capture=True)


def jumped(move: Move) -> Iterator[int]:
    """The squares that a capture jumps over, in order; one perhaps more than once."""
    return ((INDEX[one] + INDEX[other]) // 2 for one, other in pairwise(move.path))


def start(rules: Rules, setup: str = "") -> Position:
    """An empty board, twelve men in each hand. Raises ValueError for a set-up: Emergo has none."""
    if setup:
        raise ValueError(f"Emergo has no set-up to choose, not even {setup!r}")
    return Position(rules, 0, 0, bytes(len(SQUARES)), MEN, MEN, Side.FIRST)


def position(rules: Rules, text: str) -> Position:
    """The inverse of `str(position)`. Raises ValueError for a text that is no position."""
    found = Position(rules, *snapshot.read(text))
    if str(found) != text:
        raise ValueError(f"{text!r} is not how a position of Emergo is written: that is {str(found)!r}")
    return found

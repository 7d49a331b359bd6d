"""How a game of Emergo stands, and what the side to move must take or may enter.

A column is men of its owner, the caps, above men of the other side, the prisoners: jumps can make no
other kind. One byte tells it, `caps << 4 | prisoners`; twelve men a side fit.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from games.emergo.board import ALL, CENTRE, JUMPS, STEPS, exposed, indices
from games.protocol import Side

# Chains of jumps: how a column takes one man after another, and which chains take the most.

# The squares where the column has been, those that it jumped, and the columns that it may still jump.
Chain = tuple[tuple[int, ...], tuple[int, ...], int]


def longest(mine: int, prey: int, theirs: int, empty: int, columns: bytes) -> list[Chain]:
    """Every chain that takes as many men as possible; `prey` are those that can be jumped first.

    All chains grow by a jump at a time, and the last generation is the longest. It comes soon: each
    jump takes one of twelve men from the top of a column.
    """
    starts = {start for over in indices(prey) for start in STEPS[over] if mine >> start & 1}
    chains: list[Chain] = [((start,), (), theirs) for start in sorted(starts)]
    while longer := [longer for chain in chains for longer in grown(chain, empty, columns)]:
        chains = longer
    return chains


def grown(chain: Chain, empty: int, columns: bytes) -> Iterator[Chain]:
    """The chain with one more jump, over anything but the column that it has just jumped.

    It lands on squares an even number of steps apart and jumps the odd ones, so that nothing taken makes
    room for it: it finds the squares that were `empty` at first, and its own.
    """
    path, jumped, theirs = chain
    for over, landing, over_bit, landing_bit in JUMPS[path[-1]]:
        free = landing_bit & empty or landing == path[0]
        if over_bit & theirs and free and not (jumped and over == jumped[-1]):
            its_last = columns[over] >> 4 == jumped.count(over) + 1
            yield (*path, landing), (*jumped, over), theirs ^ over_bit if its_last else theirs


# The variants of Emergo as a value.

Blocked = Literal["draw", "loss"]


@dataclass(frozen=True)
class Rules:
    """What a side has done whose columns are blocked: drawn (newsletter 68), or lost (gamerz.net)."""

    blocked: Blocked = "draw"


NEXT = (Side.SECOND, Side.FIRST)  # Side.other without building an enum, for playouts


@dataclass(frozen=True, slots=True)
class Situation:
    """Squares of the columns of both sides, what each column is, men in hand; `mine` and `hand` are
    those of the side to move."""

    rules: Rules
    mine: int
    theirs: int
    columns: bytes  # caps << 4 | prisoners, by the index of the square
    hand: int
    their_hand: int
    to_move: Side

    @property
    def empty(self) -> int:
        return ALL ^ (self.mine | self.theirs)

    @property
    def prey(self) -> int:
        """The columns of the other side that can be jumped: if there is one, a capture is compulsory."""
        return exposed(self.theirs, self.mine, self.empty)

    @property
    def hands(self) -> tuple[int, int]:
        """Men that the first and the second side have yet to enter."""
        return (self.their_hand, self.hand) if self.to_move else (self.hand, self.their_hand)

    @property
    def entering(self) -> int:
        """How many men enter at a time: all at once, as the shadow piece, after the last of theirs."""
        return 1 if self.their_hand else self.hand

    def owner(self, square: int) -> Side:
        """Whose column stands on an occupied square, given by its index."""
        return self.to_move if self.mine >> square & 1 else NEXT[self.to_move]

    def entries(self) -> int:
        """Where a man in hand may enter while nothing can be captured."""
        occupied, empty = self.mine | self.theirs, self.empty
        if not occupied:
            return ALL ^ CENTRE
        if exposed(self.mine, self.theirs, empty):
            return empty
        # No feeding: an entry opens no other way to capture than over the man itself.
        return empty & ~exposed(empty, self.theirs, empty)

    def captures(self) -> list[Chain]:
        """Every chain that takes the most men."""
        empty = ALL ^ (self.mine | self.theirs)
        prey = exposed(self.theirs, self.mine, empty)
        return longest(self.mine, prey, self.theirs, empty, self.columns) if prey else []

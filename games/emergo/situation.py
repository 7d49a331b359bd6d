"""The situation in a game of Emergo, with compulsory captures and allowed entries.

A column consists of its owner's men, the caps, above enemy men, the prisoners; jumps cannot make any other
kind. It is one byte, `caps << 4 | prisoners`, enough for twelve men a side.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from games.emergo.board import ALL, CENTRE, JUMPS, STEPS, exposed, indices
from games.protocol import Side

# Chains of jumps

# The squares visited by the column, those that it jumped, and the columns that it may still jump.
Chain = tuple[tuple[int, ...], tuple[int, ...], int]


def longest(mine: int, prey: int, theirs: int, empty: int, columns: bytes) -> list[Chain]:
    """Returns every chain that captures the most men; `prey` are the columns that can be jumped first."""
    # Breadth first: the last generation has the longest chains. It is reached soon, since each jump captures
    # one of twelve men.
    starts = {start for over in indices(prey) for start in STEPS[over] if mine >> start & 1}
    chains: list[Chain] = [((start,), (), theirs) for start in sorted(starts)]
    while longer := [longer for chain in chains for longer in grown(chain, empty, columns)]:
        chains = longer
    return chains


def grown(chain: Chain, empty: int, columns: bytes) -> Iterator[Chain]:
    """Yields the chain extended by one jump, over any column except the one just jumped."""
    # It lands an even number of steps away and jumps columns at an odd number, so captures free no landing:
    # it can land on the squares `empty` at first and on its start.
    path, jumped, theirs = chain
    for over, landing, over_bit, landing_bit in JUMPS[path[-1]]:
        free = landing_bit & empty or landing == path[0]
        if over_bit & theirs and free and not (jumped and over == jumped[-1]):
            its_last = columns[over] >> 4 == jumped.count(over) + 1
            yield (*path, landing), (*jumped, over), theirs ^ over_bit if its_last else theirs


# Rules and situation

Blocked = Literal["draw", "loss"]


@dataclass(frozen=True)
class Rules:
    """The options of a variant: when all columns are blocked, a draw (newsletter 68) or a loss (gamerz.net)."""

    blocked: Blocked = "draw"


NEXT = (Side.SECOND, Side.FIRST)  # Side.other without building an enum, for speed in playouts


@dataclass(frozen=True, slots=True)
class Situation:
    """The squares, columns and men in hand of both sides; `mine` and `hand` are of the side to move."""

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
        """Returns the enemy columns that can be jumped; if there is one, a capture is compulsory."""
        return exposed(self.theirs, self.mine, self.empty)

    @property
    def hands(self) -> tuple[int, int]:
        """Returns the men in hand of the first and the second side."""
        return (self.their_hand, self.hand) if self.to_move else (self.hand, self.their_hand)

    @property
    def entering(self) -> int:
        """Returns how many men enter at a time: all at once, the shadow piece, after the opponent's last."""
        return 1 if self.their_hand else self.hand

    def owner(self, square: int) -> Side:
        """Returns the owner of the column on an occupied square, given by its index."""
        return self.to_move if self.mine >> square & 1 else NEXT[self.to_move]

    def entries(self) -> int:
        """Returns the squares where a man in hand may enter while nothing can be captured."""
        occupied, empty = self.mine | self.theirs, self.empty
        if not occupied:
            return ALL ^ CENTRE
        if exposed(self.mine, self.theirs, empty):
            return empty
        # No feeding: an entry may expose only the entering man, so this check is enough.
        return empty & ~exposed(empty, self.theirs, empty)

    def captures(self) -> list[Chain]:
        """Returns every chain that captures the most men."""
        empty = ALL ^ (self.mine | self.theirs)
        prey = exposed(self.theirs, self.mine, empty)
        return longest(self.mine, prey, self.theirs, empty, self.columns) if prey else []

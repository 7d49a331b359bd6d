"""How a game of Emergo stands, and what the side to move must take or may enter.

A column is men of its owner, the caps, above men of the other side, the prisoners: jumps can make no
other kind. One byte tells it, `caps << 4 | prisoners`; twelve men a side fit.
"""

from __future__ import annotations

from dataclasses import dataclass

from games.emergo.board import ALL, CENTRE, exposed
from games.emergo.captures import Chain, longest
from games.emergo.variants import Rules
from games.protocol import Side

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

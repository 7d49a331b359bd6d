"""The board of Othello: where a disc outflanks, and what it turns over."""

from __future__ import annotations

from functools import cache, cached_property

from games.kit.scene import SquareBoard


class Board(SquareBoard):
    """A board with a1 at the upper left."""

    @cached_property
    def steps(self) -> tuple[int, ...]:
        """Returns the shifts of one step along a row, both diagonals and a column."""
        return 1, self.size, self.size + 1, self.size + 2

    @cached_property
    def centre(self) -> int:
        """Returns the four squares in the middle."""
        middle = slice(self.size // 2 - 1, self.size // 2 + 1)
        return sum(square for row in self.rows[middle] for square in row[middle])

    def outflanking(self, mine: int, theirs: int) -> int:
        """Returns the squares where a disc of `mine` would outflank discs of `theirs`."""
        empty, found = self.full & ~(mine | theirs), 0
        for step in self.steps:
            run = mine << step & theirs
            while run:
                run <<= step
                found |= run & empty
                run &= theirs
            run = mine >> step & theirs
            while run:
                run >>= step
                found |= run & empty
                run &= theirs
        return found

    def outflanked(self, square: int, mine: int, theirs: int) -> int:
        """Returns the discs of `theirs` that a disc of `mine` on an empty square turns over."""
        turned = 0
        for step in self.steps:
            line, at = 0, square << step
            while at & theirs:
                line |= at
                at <<= step
            if at & mine:
                turned |= line
            line, at = 0, square >> step
            while at & theirs:
                line |= at
                at >>= step
            if at & mine:
                turned |= line
        return turned

    def beside(self, squares: int) -> int:
        """Returns the squares beside `squares`, sideways or at a corner, and those of them that touch."""
        stride = self.size + 1
        wide = squares | squares << 1 | squares >> 1
        return (wide << stride | wide >> stride | squares << 1 | squares >> 1) & self.full


@cache
def board(size: int) -> Board:
    """Returns the board of this size, shared by all its positions."""
    return Board(size, downwards=True)

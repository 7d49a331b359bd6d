"""The situation in a game of Zèrtz: marbles, rings and chains of jumps.

Sets of rings are bit masks of the board (`games.kit.geometry`).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from games.protocol import Side
from games.zertz.board import Colour, Jump
from games.zertz.variants import Counts, Rules

Masks = tuple[int, int, int]  # one set of rings per colour


@dataclass(frozen=True, slots=True)
class Situation:
    """The `rings` in play, the `marbles` on them by colour, the common `pool`, the `captives` of both sides."""

    rules: Rules
    rings: int
    marbles: Masks
    pool: Counts
    captives: tuple[Counts, Counts]
    to_move: Side

    @property
    def occupied(self) -> int:
        white, grey, black = self.marbles
        return white | grey | black

    @property
    def empty(self) -> int:
        return self.rings & ~self.occupied

    @property
    def removable(self) -> int:
        """Returns the empty rings that can slide out: two adjacent sides are free (newsletter 56)."""
        return self.rules.board.loose(self.rings) & self.empty

    @property
    def supply(self) -> Counts:
        """Returns the marbles to place from: the pool, or the mover's captives when the pool is empty."""
        return self.pool if any(self.pool) else self.captives[self.to_move]

    @property
    def must_jump(self) -> bool:
        return bool(self._jumpers())

    def colour_of(self, ring: int) -> Colour:
        """Returns the colour of the marble on an occupied ring."""
        return next(colour for colour in Colour if self.marbles[colour] & ring)

    def landings(self, ring: int, occupied: int) -> dict[int, int]:
        """Returns the jumps of a marble on `ring` over the others, `occupied`: landing -> ring jumped."""
        free = self.rings & ~occupied
        ways = self.rules.board.jumps[ring].items()
        return {landing: over for landing, over in ways if over & occupied and landing & free}

    def jumps(self) -> Iterator[Jump]:
        """Yields every complete chain of jumps."""
        # the starting ring is free, so a chain may return to it
        occupied = self.occupied
        for name in self.rules.board.names(self._jumpers()):
            yield from self._chains((name,), occupied & ~self.rules.board.bit[name])

    def _jumpers(self) -> int:
        occupied = self.occupied
        return self.rules.board.heads(occupied, occupied, self.rings & ~occupied)

    def _chains(self, path: tuple[str, ...], occupied: int) -> Iterator[Jump]:
        board = self.rules.board
        onward = self.landings(board.bit[path[-1]], occupied)
        if not onward:
            yield Jump(path)
        for landing, over in onward.items():
            yield from self._chains((*path, board.name[landing]), occupied & ~over)

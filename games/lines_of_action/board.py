"""The board of Lines of Action: men slide along lines, by as many squares as there are men on them.

The moves along a line depend only on its men, so they are computed once per arrangement and cached. An 8x8
board has 131,202 arrangements; a game meets some 600 (0.1 MB), 3,000 random games half of them (9 MB).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from random import Random

from games.kit.scene import Line, SquareBoard


@dataclass(frozen=True, slots=True)
class Move:
    """A man's move from `origin` to `target`, two cell names; `capture` when the target has an enemy."""

    origin: str
    target: str
    capture: bool = False

    def __str__(self) -> str:
        if not self.origin:
            return "pass"
        return f"{self.origin}{'x' if self.capture else '-'}{self.target}"


PASS = Move("", "")

_PATIENCE = 64


class LineTable(dict[int, tuple[Move, ...]]):
    """The moves along one line of a board, by its men: `own | enemy << reach`."""

    def __init__(self, board: SquareBoard, line: Line, reach: int) -> None:
        super().__init__()
        self._board, self._line, self._reach = board, line, reach

    def __missing__(self, men: int) -> tuple[Move, ...]:
        own, enemy = men & (1 << self._reach) - 1, men >> self._reach
        names = self._board.names
        self[men] = moves = tuple(
            Move(names[origin], names[target], bool(target & enemy))
            for origin, target in _slides(self._line, own, enemy)
        )
        return moves


@dataclass(frozen=True)
class Slides:
    """All lines of a board.

    `lines` pairs each line's mask with its table; `slots` repeats these pairs with 0, 1, ... up to the
    maximum number of moves along the line.
    """

    board: SquareBoard
    reach: int  # in a table's key, the enemy's bits are shifted by this many
    lines: tuple[tuple[int, LineTable], ...]
    slots: tuple[tuple[int, LineTable, int], ...]

    def all(self, own: int, enemy: int) -> list[Move]:
        """Returns every slide of the own men."""
        men = own | enemy << self.reach
        found: list[Move] = []
        for mask, table in self.lines:
            found += table[men & mask]
        return found

    def count(self, own: int, enemy: int) -> int:
        """Counts the slides."""
        men = own | enemy << self.reach
        total = 0
        for mask, table in self.lines:
            total += len(table[men & mask])
        return total

    def any(self, own: int, enemy: int) -> bool:
        """Tells whether there is a slide."""
        men = own | enemy << self.reach
        for mask, table in self.lines:  # noqa: SIM110 - any() takes twice the time here
            if table[men & mask]:
                return True
        return False

    def sample(self, own: int, enemy: int, rng: Random) -> Move | None:
        """Draws one of the slides uniformly. None when there is none."""
        # Rejection sampling of slots is several times faster than listing all slides, except when there are
        # few; then the attempts run out.
        men = own | enemy << self.reach
        draw, slots = rng.random, self.slots
        size = len(slots)
        for _ in range(_PATIENCE):
            mask, table, slot = slots[int(draw() * size)]
            moves = table[men & mask]
            if slot < len(moves):
                return moves[slot]
        found = self.all(own, enemy)
        return rng.choice(found) if found else None


@cache
def slides(size: int) -> Slides:
    """Returns the slides on a board of this size, shared by all its positions."""
    board = SquareBoard(size)
    reach = max(board.names).bit_length()
    tables = [(sum(line) | sum(line) << reach, LineTable(board, line, reach), line) for line in board.lines]
    return Slides(
        board=board,
        reach=reach,
        lines=tuple((mask, table) for mask, table, _ in tables),
        # t men on n squares have at most 2t moves, and t steps fit in at most 2(n - t) ways: at most n.
        slots=tuple((mask, table, slot) for mask, table, line in tables for slot in range(len(line))),
    )


def _slides(line: Line, own: int, enemy: int) -> Iterator[tuple[int, int]]:
    distance = (own | enemy).bit_count()
    for start, origin in enumerate(line):
        if not own & origin:
            continue
        for end in (start - distance, start + distance):
            if not 0 <= end < len(line) or line[end] & own:
                continue
            if not any(crossed & enemy for crossed in line[min(start, end) + 1 : max(start, end)]):
                yield origin, line[end]

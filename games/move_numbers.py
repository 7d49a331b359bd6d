"""Numbers moves: `6.` is the first side's sixth move, `6...` the second side's answer.

The sides alternate in every game, and a pass is a move. A ply counts the turns of both sides, from 0.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Self

from games.values import Side

_DOTS = {Side.FIRST: ".", Side.SECOND: "..."}
_WRITTEN = re.compile(r"([0-9]{1,4})(?: ?(\.{1,3}))?")


@dataclass(frozen=True)
class MoveNumber:
    """A move number: `6.`, `6...`, or `6` without a side; 0 means before the first move."""

    number: int
    side: Side | None = None

    @classmethod
    def read(cls, text: str) -> Self | None:
        """Parses a move number. None when the text is not one."""
        found = _WRITTEN.fullmatch(text)
        if not found:
            return None
        number, dots = int(found[1]), found[2]
        if not number or not dots:
            return cls(number)
        return cls(number, Side.FIRST if dots == "." else Side.SECOND)

    @classmethod
    def of(cls, ply: int) -> Self:
        return cls(ply // 2 + 1, Side(ply % 2))

    def __str__(self) -> str:
        return f"{self.number}{_DOTS[self.side] if self.side is not None else ''}"

    def ply(self, side: Side) -> int:
        """Returns the ply, of `side` when the number names none; below 0 for the start."""
        return 2 * (self.number - 1) + (side if self.side is None else self.side)

    def plies(self, played: int) -> int | None:
        """Returns how many plies are played after the move, of the answer when the number names no side.

        None when it is not among the `played` plies.
        """
        if not self.number:
            return 0
        if self.side is None and played == self.ply(Side.SECOND):
            return played  # the answer is not played yet
        after = self.ply(Side.SECOND) + 1
        return after if after <= played else None

    def guarded(self, side: Side, boards: Iterable[int | None]) -> int:
        """Returns the ply that the guard `#6` behind a move of `side` means; a ply of `boards` is preferred."""
        # Letters used to count half-moves, so a bare number may mean either. A single dot after a number of
        # the second side is a full stop.
        bare = self.side is None or self.side < side
        meant = MoveNumber(self.number).ply(side) if bare else self.ply(side)
        readings = {meant, self.number - 1} if bare else {meant}
        return next((ply for ply in boards if ply in readings), meant)


def mark(ply: int) -> str:
    """Formats the number of a ply: `6.` or `6...`."""
    return str(MoveNumber.of(ply))


def numbered(ply: int, move: str) -> str:
    """Formats a numbered move: `6... a7-c5`."""
    return f"{mark(ply)} {move}"


def moves_of(plies: int) -> int:
    """Returns the number of the latest move after `plies`; 0 at the start."""
    return (plies + 1) // 2


@dataclass(frozen=True)
class ScoreLine:
    """The moves behind one number: that of `ply` and the answer, or one of them."""

    ply: int
    moves: tuple[str, ...]

    @property
    def mark(self) -> str:
        return mark(self.ply)

    def __str__(self) -> str:
        return " ".join((self.mark, *self.moves))

    def apart(self) -> Iterator[ScoreLine]:
        """Yields one line per move."""
        return (ScoreLine(ply, (move,)) for ply, move in enumerate(self.moves, self.ply))


def score(moves: Sequence[str], first: int = 0) -> Iterator[ScoreLine]:
    """Pairs `moves`, played from the ply `first` on, into numbered lines."""
    begun = first % 2
    if begun and moves:
        yield ScoreLine(first, (moves[0],))
    for start in range(begun, len(moves), 2):
        yield ScoreLine(first + start, tuple(moves[start : start + 2]))

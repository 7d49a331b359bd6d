"""How moves are numbered: `6.` is the sixth of the side that begins, `6...` the answer to it.

The sides take turns in every game, and a pass is a move like others. A ply counts what both have played, from 0.
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
    """`6.`, `6...`, or `6`, which does not say whose; 0 is before the first move."""

    number: int
    side: Side | None = None

    @classmethod
    def read(cls, text: str) -> Self | None:
        """None for what is no number of a move."""
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
        """Which ply it is, if it does not say otherwise that of `side`; below 0 for the start."""
        return 2 * (self.number - 1) + (side if self.side is None else self.side)

    def plies(self, played: int) -> int | None:
        """How many plies have been played after it, the later of both where it does not say whose; None where it
        is not among those that were `played`."""
        if not self.number:
            return 0
        if self.side is None and played == self.ply(Side.SECOND):
            return played  # the answer is still to come
        after = self.ply(Side.SECOND) + 1
        return after if after <= played else None

    def guarded(self, side: Side, boards: Iterable[int | None]) -> int:
        """The ply that a move of `side` is meant for which ends in `#6`: of one of the `boards`, where that can be.

        Letters of before counted half-moves, so that a bare number may be either; and the one dot behind a number
        of the second side ended a sentence.
        """
        bare = self.side is None or self.side < side
        meant = MoveNumber(self.number).ply(side) if bare else self.ply(side)
        readings = {meant, self.number - 1} if bare else {meant}
        return next((ply for ply in boards if ply in readings), meant)


def mark(ply: int) -> str:
    """`6.` or `6...`"""
    return str(MoveNumber.of(ply))


def numbered(ply: int, move: str) -> str:
    """`6... a7-c5`"""
    return f"{mark(ply)} {move}"


def moves_of(plies: int) -> int:
    """The number of the latest move after so many plies: 0 at the start."""
    return (plies + 1) // 2


@dataclass(frozen=True)
class ScoreLine:
    """What stands behind one number: the move of `ply` and the answer to it, or one of them alone."""

    ply: int
    moves: tuple[str, ...]

    @property
    def mark(self) -> str:
        return mark(self.ply)

    def __str__(self) -> str:
        return " ".join((self.mark, *self.moves))

    def apart(self) -> Iterator[ScoreLine]:
        """Each move behind a number of its own."""
        return (ScoreLine(ply, (move,)) for ply, move in enumerate(self.moves, self.ply))


def score(moves: Sequence[str], first: int = 0) -> Iterator[ScoreLine]:
    """`moves` as they were played from the ply `first` on, in pairs."""
    begun = first % 2
    if begun and moves:
        yield ScoreLine(first, (moves[0],))
    for start in range(begun, len(moves), 2):
        yield ScoreLine(first + start, tuple(moves[start : start + 2]))

"""A turn of trapdoor chess as a value: a man's move, then the trap's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import NamedTuple

from games.trapdoor_chess.men import Kind

_MOVE = re.compile(r"([a-h][1-8])([-x])([a-h][1-8])(?:=([NBRQ]))?(?:@([a-h][1-8]))?")


@dataclass(frozen=True, slots=True)
class Move:
    """A man from `origin` to `target`, then the trap to `trap`: names of squares.

    `target` is where the man falls if it meets the trap, and two squares to the side where a king
    castles. `capture` is true for en passant as well. `promotion` is a letter of "NBRQ" or empty,
    `trap` is empty where the trap does not move and its present square where it cannot.
    """

    origin: str
    target: str
    capture: bool = False
    promotion: str = ""
    trap: str = ""

    def __str__(self) -> str:
        promotion = f"={self.promotion}" if self.promotion else ""
        trap = f"@{self.trap}" if self.trap else ""
        return f"{self.origin}{'x' if self.capture else '-'}{self.target}{promotion}{trap}"


class Step(NamedTuple):
    """A man's move. `promotion` is PAWN, hence false, where there is none."""

    kind: Kind
    origin: int
    target: int
    promotion: Kind = Kind.PAWN


def move(text: str) -> Move:
    """The move whose `str` is `text`; else ValueError."""
    found = _MOVE.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a canonical move")
    origin, sign, target, promotion, trap = found.groups()
    return Move(origin, target, sign == "x", promotion or "", trap or "")

"""A turn of Emergo: the squares that it touches, and its canonical form."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CANONICAL = re.compile(r"[a-i][1-9](?:-[a-i][1-9]|(?:x[a-i][1-9])+)?")


@dataclass(frozen=True, slots=True)
class Move:
    """`d6` enters men, `b4-c5` is a step, `d2xf4xh6` a capture: where it starts, then each landing."""

    path: tuple[str, ...]
    capture: bool = False

    def __str__(self) -> str:
        return ("x" if self.capture else "-").join(self.path)


def move(text: str) -> Move:
    """The inverse of `str(move)`. Raises ValueError for any other text."""
    if not _CANONICAL.fullmatch(text):
        raise ValueError(f"{text!r} is not the canonical form of an Emergo move")
    if "-" in text:
        return Move(tuple(text.split("-")))
    return Move(tuple(text.split("x")), "x" in text)

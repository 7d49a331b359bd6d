"""The variants of trapdoor chess as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

InCheck = Literal["before", "after"]


@dataclass(frozen=True)
class Rules:
    """What a variant may choose. `trap` off is orthodox chess: what the rules are proved against."""

    # Fogliaccio 6 lets the trap move "if the own king is not in check": looked at before the move, so
    # that the words mean something, or after it, when it never is.
    incheck: InCheck = "before"
    trap: bool = True

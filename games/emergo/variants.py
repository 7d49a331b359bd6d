"""The variants of Emergo as a value."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Blocked = Literal["draw", "loss"]


@dataclass(frozen=True)
class Rules:
    """What a side has done whose columns are blocked: drawn (newsletter 68), or lost (gamerz.net)."""

    blocked: Blocked = "draw"

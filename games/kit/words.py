"""A scene, an objection or an outcome in words: the alt text, the letter to a screen reader."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Speech:
    """How to speak to one reader: the game's phrases, what cells and the two sides are called."""

    language: str
    phrases: Mapping[str, Any]
    label: Callable[[str], str]
    players: tuple[str, str]

"""Palettes: what the colours of a picture are called, and what they are."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, fields
from functools import cache
from itertools import combinations
from typing import Literal

Rgb = tuple[int, int, int]
Colour = Literal[
    "paper", "ink", "muted", "faint", "ground", "shaded", "outline", "light", "grey", "dark", "accent"
]

# Enough that an anti-aliased edge looks smooth, few enough that 256 hold every pair that may meet.
STEPS = 5
# Pillow looks a colour up by its upper six bits: a step too near would be taken for the colour itself.
NEAREST = 8


@dataclass(frozen=True)
class Theme:
    """A colour for each part of a picture, as #rrggbb.

    No meaning rests on a hue: pieces differ in lightness, the last move has shapes of its own.
    """

    paper: str
    ink: str  # what is read first: title, counts, notes
    muted: str  # what is read second: coordinates, subtitle, headings, the rims of rings
    faint: str  # traces of places that are gone
    ground: str  # squares and rings in play
    shaded: str  # every second square, where the game has two kinds
    outline: str  # thin lines around squares and pieces
    light: str
    grey: str
    dark: str
    accent: str  # the last move and nothing else

    def rgb(self, colour: Colour) -> Rgb:
        return _rgb(getattr(self, colour))

    def palette(self, steps: int = STEPS) -> tuple[Rgb, ...]:
        """The colours and what lies between each two of them, so many steps apart: at most 256."""
        return _palette(self, steps)


# The accent is a darker vermilion of Okabe and Ito's palette: 4.8 to 1 on the paper.
DEFAULT = Theme(
    paper="#faf7f0",
    ink="#1f1d1b",
    muted="#756f65",
    faint="#cfc8b9",
    ground="#ece5d6",
    shaded="#ddd4c0",
    outline="#4a453e",
    light="#fffefb",
    grey="#9a958c",
    dark="#262422",
    accent="#c2410c",
)

DARK = Theme(
    paper="#1d1f21",
    ink="#eceae4",
    muted="#a09c93",
    faint="#45474a",
    ground="#34373a",
    shaded="#2a2d30",
    outline="#8d8981",
    light="#f4f1ea",
    grey="#85817a",
    dark="#0b0c0d",
    accent="#f28a4b",
)

PRINT = Theme(
    paper="#ffffff",
    ink="#000000",
    muted="#444444",
    faint="#bbbbbb",
    ground="#ffffff",
    shaded="#e4e4e4",
    outline="#000000",
    light="#ffffff",
    grey="#a0a0a0",
    dark="#000000",
    accent="#b0380a",
)

THEMES: Mapping[str, Theme] = {"default": DEFAULT, "dark": DARK, "print": PRINT}


@cache
def _palette(theme: Theme, steps: int) -> tuple[Rgb, ...]:
    named = [_rgb(getattr(theme, field.name)) for field in fields(theme)]
    blends = (blend for pair in combinations(named, 2) for blend in _between(*pair, steps))
    apart = (blend for blend in blends if all(_distance(blend, colour) >= NEAREST for colour in named))
    return tuple(dict.fromkeys((*named, *apart)))


def _distance(one: Rgb, other: Rgb) -> int:
    return max(abs(a - b) for a, b in zip(one, other, strict=True))


def _between(one: Rgb, other: Rgb, steps: int) -> Iterator[Rgb]:
    for step in range(1, steps):
        part = step / steps
        yield (
            round(one[0] + (other[0] - one[0]) * part),
            round(one[1] + (other[1] - one[1]) * part),
            round(one[2] + (other[2] - one[2]) * part),
        )


@cache
def _rgb(colour: str) -> Rgb:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)

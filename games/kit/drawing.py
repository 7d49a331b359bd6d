"""Themes, and flat shapes in pixels, from which both PNG and SVG pictures are made."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from functools import cache
from itertools import combinations
from math import floor
from typing import Literal

from games.kit.scene import Cell

# Themes

Rgb = tuple[int, int, int]
Colour = Literal[
    "paper", "ink", "muted", "told", "faint",
    "ground", "shaded", "ring", "tint", "label", "outline", "light", "grey", "dark", "accent",
]  # fmt: skip

# Colours on boards and trays may all touch each other; those of words touch only the paper.
BOARD: tuple[Colour, ...] = (
    *("ground", "shaded", "ring", "tint", "label", "outline", "light", "grey", "dark", "accent"),
)
WORDS: tuple[Colour, ...] = ("ink", "muted", "told", "faint")
# Steps that look smooth at anti-aliased edges, yet keep all pairs within 256 colours.
STEPS = 5
# Pillow matches colours by their upper six bits: nearer steps would be taken for the colour itself.
NEAREST = 8
# Where pixels are small, and in films, one blend is enough. Most blends are near to one of the many browns: the
# few that are not make up sixteen colours, so that two pixels fit into a byte.
FEW, SIXTEEN = 2, 16


@dataclass(frozen=True)
class Theme:
    """A colour for each part of a picture, as #rrggbb."""

    # Hues carry no meaning: pieces differ in lightness, and the last move has shapes of its own. Boards and
    # trays are light in every theme, so that black men stay visible.
    paper: str
    ink: str  # primary text: the title
    muted: str  # secondary text: subtitle, notes, coordinates beside the board
    told: str  # the last move in words
    faint: str  # traces of removed places: dots, hatching
    ground: str  # squares, the holes of rings, and the plates below the board
    shaded: str  # every second square of a chequered board
    ring: str  # rings in play
    tint: str  # the squares or rings at both ends of the last move
    label: str  # text and lines on the above
    outline: str  # thin lines around squares and pieces
    light: str
    grey: str
    dark: str
    accent: str  # the last move only

    def rgb(self, colour: Colour) -> Rgb:
        return _rgb(getattr(self, colour))

    def palette(self, steps: int = STEPS) -> tuple[Rgb, ...]:
        """Returns the colours and `steps` - 1 blends between each pair that may meet: at most 256, or SIXTEEN in
        FEW steps.
        """
        return _palette(self, steps)


# The accent is a darker vermilion of Okabe and Ito's palette. Rings are as light, black men as dark as it and the grey
# marbles need for a contrast of 3 to 1 on both; tests hold all contrasts.
DEFAULT = Theme(
    paper="#faf7f0",
    ink="#181716",
    muted="#6f695f",
    told="#b53a07",
    faint="#8e897d",
    ground="#ece5d6",
    shaded="#d9cfb9",
    ring="#c8beaa",
    label="#544e44",
    outline="#4a453e",
    tint="#f3bb86",
    light="#fffefb",
    grey="#6b6762",
    dark="#181716",
    accent="#b53a07",
)

DARK = Theme(
    paper="#1d1f21",
    ink="#eceae4",
    muted="#a9a59c",
    told="#f28a4b",
    faint="#6c7073",
    ground="#ded6c5",
    shaded="#cdc4b0",
    ring="#cbc1ac",
    label="#45403a",
    outline="#2f2c28",
    tint="#f3bb86",
    light="#fffefb",
    grey="#6b6762",
    dark="#161514",
    accent="#bd400c",
)

PRINT = Theme(
    paper="#ffffff",
    ink="#000000",
    muted="#444444",
    told="#b0380a",
    faint="#949494",
    ground="#ffffff",
    shaded="#e4e4e4",
    ring="#c0c0c0",
    label="#444444",
    outline="#000000",
    tint="#ffcfa0",
    light="#ffffff",
    grey="#696969",
    dark="#000000",
    accent="#b0380a",
)

THEMES: Mapping[str, Theme] = {"default": DEFAULT, "dark": DARK, "print": PRINT}

# The colours of the style sheet around an SVG: those of `properties`.
CSS = Theme(**{field.name: f"var(--{field.name})" for field in fields(Theme)})


def properties(theme: Theme) -> str:
    """Returns the colours as custom properties of CSS."""
    return ";".join(f"--{field.name}:{getattr(theme, field.name)}" for field in fields(theme))


@cache
def _palette(theme: Theme, steps: int) -> tuple[Rgb, ...]:
    named = [theme.rgb(colour) for colour in ("paper", *WORDS, *BOARD)]
    pairs = (*combinations(BOARD, 2), *(("paper", other) for other in (*WORDS, *BOARD)))
    blends = (blend for one, other in pairs for blend in _between(theme.rgb(one), theme.rgb(other), steps))
    apart = [blend for blend in blends if all(_distance(blend, colour) >= NEAREST for colour in named)]
    return _sixteen(named, apart) if steps == FEW else tuple(dict.fromkeys((*named, *apart)))


def _sixteen(named: Iterable[Rgb], blends: Sequence[Rgb]) -> tuple[Rgb, ...]:
    """Adds the blends that are farthest from every colour so far."""
    colours = list(dict.fromkeys(named))
    while len(colours) < SIXTEEN:
        colours.append(max(blends, key=lambda blend: min(_distance(blend, colour) for colour in colours)))
    return tuple(colours)


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


Point = tuple[float, float]
Anchor = Literal["start", "middle", "end"]


@dataclass(frozen=True)
class Box:
    """A filled rectangle on whole pixels."""

    x: int
    y: int
    width: int
    height: int
    fill: Colour


@dataclass(frozen=True)
class Disc:
    """A circle, filled, outlined or both. The line is centred on the radius.

    A smaller circle of radius `inner` with the same line is filled with `hole`. `on` is the colour below all
    of its rim, if it is a single known one: the disc is then painted without reading the pixels below.
    """

    x: float
    y: float
    radius: float
    fill: Colour | None = None
    line: Colour | None = None
    thickness: float = 0
    dashed: bool = False
    hole: Colour | None = None
    inner: float = 0
    on: Colour | None = None


@dataclass(frozen=True)
class Line:
    """A line through several points, with or without an arrow head (a triangle).

    A light `halo` separates it from what it crosses. `on` is as for a disc.
    """

    points: tuple[Point, ...]
    thickness: float
    colour: Colour
    head: tuple[Point, ...] = ()
    halo: float = 0
    on: Colour | None = None

    @property
    def coats(self) -> tuple[tuple[Colour, float], ...]:
        """Returns the colours, the halo first, and how much wider than the line each is painted."""
        line: tuple[Colour, float] = self.colour, 0.0
        return (("light", self.halo), line) if self.halo else (line,)


@dataclass(frozen=True)
class Text:
    """One line of text; `y` is its baseline. An `edge` outlines its letters, `thickness` pixels wide.

    `on` is as for a disc.
    """

    x: float
    y: float
    text: str
    size: float
    colour: Colour
    bold: bool = False
    anchor: Anchor = "start"
    edge: Colour | None = None
    thickness: float = 0
    on: Colour | None = None

    @property
    def coats(self) -> tuple[tuple[Colour, float], ...]:
        """Returns the colours, the edge first, and how much wider than the letters each is painted."""
        letters: tuple[Colour, float] = self.colour, 0.0
        return ((self.edge, self.thickness), letters) if self.edge else (letters,)


Shape = Box | Disc | Line | Text


@dataclass(frozen=True, eq=False)
class Sheet:
    """Shapes that fill a rectangle and recur in many pictures; they are painted once and cached."""

    x: int
    y: int
    width: int
    height: int
    shapes: tuple[Shape, ...]


@dataclass(frozen=True)
class Drawing:
    """A picture as shapes; later parts cover earlier ones. `board` tells where the cells of a board lie."""

    width: int
    height: int
    parts: tuple[Shape | Sheet, ...]
    board: Frame | None = None

    @property
    def shapes(self) -> tuple[Shape, ...]:
        parts = (part.shapes if isinstance(part, Sheet) else (part,) for part in self.parts)
        return tuple(shape for shapes in parts for shape in shapes)


@dataclass(frozen=True)
class Frame:
    """The place of a board in a picture.

    `x`, `y` are the pixel of the plane's origin, `unit` the width of a cell, odd for squares. `pen` is the
    unit of lines and letters: one pixel of a picture 400 wide. `man` is the radius of a single man, in units. The
    `gutter` is the room for coordinates to the left and below, in pixels.
    """

    x: float
    y: float
    unit: int
    width: int
    height: int
    pen: float
    man: float
    gutter: tuple[int, int] = (0, 0)

    @property
    def line(self) -> int:
        """Returns the thickness of the line around squares."""
        return max(1, round(1.2 * self.pen))

    def at(self, cell: Cell) -> Point:
        """Returns the middle of a cell, which is the middle of a pixel, so that shapes on it are sharp."""
        return floor(self.x + cell.x * self.unit) + 0.5, floor(self.y + cell.y * self.unit) + 0.5

    def moved(self, dx: float, dy: float) -> Frame:
        return replace(self, x=self.x + dx, y=self.y + dy)

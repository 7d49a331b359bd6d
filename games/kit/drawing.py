"""What a picture is made of: a few flat shapes in pixels, the same for PNG and SVG."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from games.kit.themes import Colour

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
    """A circle, filled, lined or both. The line lies on the radius, half of it on either side.

    In its middle may be a smaller one with the same line, filled as `hole` says. `on` is the one colour
    that all of its rim lies on, where that is known: it is then painted without a look at what is below.
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
    """A line through several points, with an arrow head (a triangle) or without.

    A light `halo` sets it off from what it crosses. `on` is as of a disc.
    """

    points: tuple[Point, ...]
    thickness: float
    colour: Colour
    head: tuple[Point, ...] = ()
    halo: float = 0
    on: Colour | None = None

    @property
    def coats(self) -> tuple[tuple[Colour, float], ...]:
        """Colours and how much wider than the line each is laid on, the halo first."""
        line: tuple[Colour, float] = self.colour, 0.0
        return (("light", self.halo), line) if self.halo else (line,)


@dataclass(frozen=True)
class Text:
    """One line of text; y is its baseline. With an `edge` its letters are outlined, `thickness` wide.

    `on` is as of a disc.
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
        """Colours and how much wider than the letters each is laid on, the edge first."""
        letters: tuple[Colour, float] = self.colour, 0.0
        return ((self.edge, self.thickness), letters) if self.edge else (letters,)


Shape = Box | Disc | Line | Text


@dataclass(frozen=True)
class Drawing:
    """A picture before anybody paints it; later shapes lie over earlier ones."""

    width: int
    height: int
    shapes: tuple[Shape, ...]

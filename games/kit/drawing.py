"""Flat shapes in pixels, from which both PNG and SVG pictures are made."""

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
    """A picture as shapes; later parts cover earlier ones."""

    width: int
    height: int
    parts: tuple[Shape | Sheet, ...]

    @property
    def shapes(self) -> tuple[Shape, ...]:
        parts = (part.shapes if isinstance(part, Sheet) else (part,) for part in self.parts)
        return tuple(shape for shapes in parts for shape in shapes)

"""Draws the lines printed on cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from games.kit.drawing import Colour, Frame, Line, Point, Shape
from games.kit.scene import Lines

# From the middle to the end of a printed line, in units: beyond a ring, but inside the cell.
ALONG, ACROSS, FALLING, RISING = (0.48, 0.0), (0.0, 0.48), (0.35, 0.35), (0.35, -0.35)
STROKES: Mapping[Lines, tuple[Point, ...]] = {
    "": (),
    "-": (ALONG,),
    "|": (ACROSS,),
    "\\": (FALLING,),
    "/": (RISING,),
    "+": (ALONG, ACROSS),
    "x": (FALLING, RISING),
}


def printed(
    lines: Lines, at: Point, frame: Frame, colour: Colour, on: Colour | None = None
) -> Iterator[Shape]:
    (x, y), unit = at, frame.unit
    for dx, dy in STROKES[lines]:
        ends = (x - dx * unit, y - dy * unit), (x + dx * unit, y + dy * unit)
        yield Line(ends, 1.7 * frame.pen, colour, on=on)

"""Draws lines: printed on cells, across vanished squares, and between neighbouring points of a board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from math import hypot

from games.kit import raster
from games.kit.drawing import Box, Colour, Disc, Frame, Line, Point, Shape, Sheet, Text
from games.kit.scene import Cell, Edge, Lines, segments

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
HATCH = 3  # lines across a vanished square

LINE, CROSSING, OUTER = (
    1.1,
    2,
    3.4,
)  # pens: the thickness of lines, the radius of a dot where they meet or begin
REACH = 0.77  # units from a point to the middle of a coordinate
# Units: the radius of a spot, and the font size of the name on it; pixels of the smallest that can be read.
SPOT, SPOT_NAME, LEGIBLE = 0.41, 0.34, 7
_INKS: tuple[tuple[Colour, Colour], ...] = (("label", "ground"), ("dark", "ring"))  # of a name, and below it


def printed(
    lines: Lines, at: Point, frame: Frame, colour: Colour, on: Colour | None = None
) -> Iterator[Shape]:
    (x, y), unit = at, frame.unit
    for dx, dy in STROKES[lines]:
        ends = (x - dx * unit, y - dy * unit), (x + dx * unit, y + dy * unit)
        yield Line(ends, 1.7 * frame.pen, colour, on=on)


def hatched(corner: Point, unit: int, line: int) -> Iterator[Shape]:
    """Hatches a vanished square with lines that continue from one square to the next."""
    x, y = corner
    for part in range(1, 2 * HATCH):
        end = part * unit / HATCH
        near, far = max(0, end - unit) + line, min(end, unit) - line
        yield Line(((x + near, y + far), (x + far, y + near)), 0.8 * line, "faint", on="paper")


@lru_cache(maxsize=32)
def lattice(
    cells: tuple[Cell, ...],
    edges: tuple[Edge, ...],
    labels: tuple[str, ...],
    frame: Frame,
    room: int,
    size: float,
) -> Sheet:
    """Draws the board on a plate as wide as the picture, `room` pixels; `size` is the font size of coordinates."""
    places = {cell.name: frame.at(cell) for cell in cells}
    shapes: list[Shape] = [
        Line((places[one], places[other]), LINE * frame.pen, "label", on="ground")
        for one, other in segments(cells)
    ]
    shapes += (
        Disc(*places[cell.name], (OUTER if cell.outer else CROSSING) * frame.pen, "label") for cell in cells
    )
    return _plate(shapes, places, edges, labels, frame, room, size)


@lru_cache(maxsize=32)
def spots(
    cells: tuple[Cell, ...],
    edges: tuple[Edge, ...],
    labels: tuple[str, ...],
    names: tuple[str, ...],
    frame: Frame,
    room: int,
    size: float,
) -> Sheet:
    """Draws a board of spots on a plate, as `lattice` does: by their `names`, or as discs where names are illegible.

    Shaded ones are discs with a rim, too.
    """
    places, small = {cell.name: frame.at(cell) for cell in cells}, SPOT_NAME * frame.unit
    named, radius, shapes = small >= LEGIBLE, SPOT * frame.unit, list[Shape]()
    for cell, name in zip(cells, names, strict=True):
        (x, y), shaded = places[cell.name], cell.ground == "shaded"
        if shaded:
            shapes.append(Disc(x, y, radius, "ring", "label", 1.2 * frame.pen, on="ground"))
        elif not named:
            shapes.append(Disc(x, y, radius, "shaded", on="ground"))
        if named:
            ink, below = _INKS[shaded]
            shapes.append(Text(x, y + raster.MIDDLE * small, name, small, ink, anchor="middle", on=below))
    return _plate(shapes, places, edges, labels, frame, room, size, clear=SPOT * frame.unit + 3 * frame.pen)


def _plate(
    shapes: list[Shape],
    places: Mapping[str, Point],
    edges: tuple[Edge, ...],
    labels: tuple[str, ...],
    frame: Frame,
    room: int,
    size: float,
    clear: float = 0,
) -> Sheet:
    """Lays shapes on a plate, with coordinates around them, which begin `clear` pixels from a place at least."""
    ys = [y for _, y in places.values()]
    top = round(min(ys) - (frame.height - max(ys) + min(ys)) / 2)
    shapes = [Box(0, top, room, frame.height, "ground"), *shapes]
    for edge, text in zip(edges, labels, strict=True):
        half = raster.width(text, size) / 2 + LINE * frame.pen
        reach = max(REACH * frame.unit, clear + half)
        (x, y), far = places[edge.cell], reach / (hypot(edge.dx, edge.dy) or 1)
        baseline = y + far * edge.dy + raster.MIDDLE * size
        x = max(half, min(x + far * edge.dx, room - half))
        shapes.append(Text(x, baseline, text, size, "label", anchor="middle", on="ground"))
    return Sheet(0, top, room, frame.height, tuple(shapes))

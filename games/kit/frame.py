"""Places a board in a picture: its cells and coordinates."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from math import floor, hypot

from games.kit import lettering
from games.kit.drawing import Point
from games.kit.scene import Cell, Edge, Scene, Shape
from games.kit.words import Speech

# The width of a cell at the edge, in units (the distance between neighbouring cells).
BREADTH: Mapping[Shape, float] = {"square": 1.0, "ring": 0.93}
LARGEST = 134  # pens of a cell: small boards do not fill the width
SMALLEST = 9  # pixels of a cell
BESIDE = 15  # pens: the font size of coordinates beside rings
AIR = 4  # pens between a ring and its coordinate


@dataclass(frozen=True)
class Frame:
    """The place of a board in a picture.

    `x`, `y` are the pixel of the plane's origin, `unit` the width of a cell, odd for squares. `pen` is the
    unit of lines and letters: one pixel of a picture 400 wide.
    """

    x: float
    y: float
    unit: int
    width: int
    height: int
    pen: float

    @property
    def line(self) -> int:
        """Returns the thickness of the line around squares."""
        return max(1, round(1.2 * self.pen))

    def at(self, cell: Cell) -> Point:
        """Returns the middle of a cell, which is the middle of a pixel, so that shapes on it are sharp."""
        return floor(self.x + cell.x * self.unit) + 0.5, floor(self.y + cell.y * self.unit) + 0.5

    def moved(self, dx: float, dy: float) -> Frame:
        return Frame(self.x + dx, self.y + dy, self.unit, self.width, self.height, self.pen)


def frame(scene: Scene, room: int, pen: float) -> Frame:
    """Fits the largest board into a width of `room` pixels, without space for coordinates."""
    places = tuple((cell.x, cell.y) for cell in scene.cells)
    return _frame(places, BREADTH[scene.shape], scene.shape == "square", room, pen)


def label(edge: Edge, speech: Speech) -> str:
    """Returns the text of a coordinate."""
    name = speech.label(edge.cell)
    match edge.part:
        case "letter":
            return re.sub(r"\d+$", "", name)
        case "number":
            return re.sub(r"^\D+", "", name)
        case "name":
            return name


def beside(edge: Edge, text: str, cell: Cell, frame: Frame, room: int) -> Point | None:
    """Returns the middle of a coordinate beside its ring. None when it would not fit into the picture."""
    # this happens only in the widest rows
    length, size = hypot(edge.dx, edge.dy) or 1, BESIDE * frame.pen
    dx, dy, half = edge.dx / length, edge.dy / length, lettering.width(text, size) / 2
    reach = 0.46 * frame.unit + AIR * frame.pen + abs(dx) * half + abs(dy) * size / 2
    x, y = frame.at(cell)
    x, y = x + dx * reach, y + dy * reach
    return (x, y) if half <= x <= room - half else None


@lru_cache(maxsize=64)
def _frame(places: tuple[Point, ...], breadth: float, odd: bool, room: int, pen: float) -> Frame:
    xs, ys = [x for x, _ in places], [y for _, y in places]
    across, down = max(xs) - min(xs) + breadth, max(ys) - min(ys) + breadth
    line = max(1, round(1.2 * pen))
    unit = max(SMALLEST, min(round(LARGEST * pen), int((room - 2 * line) / across)))
    unit -= odd and 1 - unit % 2
    left, top = (min(xs) - breadth / 2) * unit - line, (min(ys) - breadth / 2) * unit - line
    width, height = (round(span * unit) + 2 * line for span in (across, down))
    return Frame(-left, -top, unit, width, height, pen)

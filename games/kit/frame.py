"""Where a board lies in a picture: its cells, and the coordinates in their corners or beside them."""

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

# In units, one being the distance of neighbouring cells: how much of one a cell at the edge takes.
BREADTH: Mapping[Shape, float] = {"square": 1.0, "ring": 0.93}
LARGEST = 134  # pens of a cell: a tiny board does not fill the width
SMALLEST = 9  # pixels of a cell: below that there is nothing to see
BESIDE = 15  # pens: the size of the coordinates beside rings
AIR = 4  # pens between a ring and its coordinate


@dataclass(frozen=True)
class Frame:
    """Where the board lies.

    `x`, `y` are the pixel of the plane's origin, `unit` a cell's width, odd where cells are
    squares. `pen` is the size of a pixel at a width of 400: what lines and letters are measured in.
    """

    x: float
    y: float
    unit: int
    width: int
    height: int
    pen: float

    @property
    def line(self) -> int:
        """How thick the line around squares is."""
        return max(1, round(1.2 * self.pen))

    def at(self, cell: Cell) -> Point:
        """The middle of a cell, which is the middle of a pixel: what lies on it is then sharp."""
        return floor(self.x + cell.x * self.unit) + 0.5, floor(self.y + cell.y * self.unit) + 0.5

    def moved(self, dx: float, dy: float) -> Frame:
        return Frame(self.x + dx, self.y + dy, self.unit, self.width, self.height, self.pen)


def frame(scene: Scene, room: int, pen: float) -> Frame:
    """The largest board in a width of `room` pixels, with no room of its own for what stands beside it."""
    places = tuple((cell.x, cell.y) for cell in scene.cells)
    return _frame(places, BREADTH[scene.shape], scene.shape == "square", room, pen)


def label(edge: Edge, speech: Speech) -> str:
    """What a coordinate says."""
    name = speech.label(edge.cell)
    match edge.part:
        case "letter":
            return re.sub(r"\d+$", "", name)
        case "number":
            return re.sub(r"^\D+", "", name)
        case "name":
            return name


def beside(edge: Edge, text: str, cell: Cell, frame: Frame, room: int) -> Point | None:
    """The middle of a coordinate beside its ring, in the direction of the edge; None where the picture ends.

    Only the widest rows reach that far. Their empty rings say who they are, as all do.
    """
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

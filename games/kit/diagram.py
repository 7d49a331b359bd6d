"""The board as shapes: ground, pieces, what the last move did, coordinates."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import groupby
from math import dist, floor, hypot

from games.kit import lettering
from games.kit.drawing import Box, Disc, Line, Point, Shape, Text
from games.kit.scene import Arrow, Cell, Edge, Lines, Mark, Piece, Scene
from games.kit.themes import Colour
from games.kit.words import Speech

# Radii in units, one unit being the distance of neighbouring cells.
RING, HOLE, GONE, MAN, STACKED = 0.455, 0.25, 0.05, 0.365, 0.33
GLYPH = 2.5  # the size of a glyph, in the radii of the disc that it stands for
BAND = 0.36  # how wide a hollow man's rim is, in radii
# From the middle to the end of a printed line, in units: out of a ring, not out of the cell.
ALONG, ACROSS, FALLING, RISING = (0.43, 0.0), (0.0, 0.43), (0.35, 0.35), (0.35, -0.35)
STROKES: Mapping[Lines, tuple[Point, ...]] = {
    "": (),
    "-": (ALONG,),
    "|": (ACROSS,),
    "\\": (FALLING,),
    "/": (RISING,),
    "+": (ALONG, ACROSS),
    "x": (FALLING, RISING),
}
RISE, LOW, TALL = 0.13, 0.3, 1.0  # from man to man in a stack; the most from its foot to its top
AROUND = 4.5  # pens from a man to the ring around it: a gap that is seen on a grey printer too
LABEL = 17  # size of the coordinates
SMALLEST = 9  # pixels of a cell: below that there is nothing to see
CROSS = ((1, 1), (1, -1))


@dataclass(frozen=True)
class Frame:
    """Where the board lies: `x`, `y` are the pixel of the plane's origin, `unit` a cell's odd width.

    `pen` is the size of a pixel at a width of 640: what lines and letters are measured in.
    """

    x: float
    y: float
    unit: int
    width: int
    height: int
    pen: float

    def at(self, cell: Cell) -> Point:
        """The middle of a cell, which is the middle of a pixel: what lies on it is then sharp."""
        return floor(self.x + cell.x * self.unit) + 0.5, floor(self.y + cell.y * self.unit) + 0.5

    def moved(self, dx: float, dy: float) -> Frame:
        return Frame(self.x + dx, self.y + dy, self.unit, self.width, self.height, self.pen)


def label(edge: Edge, speech: Speech) -> str:
    """What a coordinate in the margin says."""
    name = speech.label(edge.cell)
    match edge.part:
        case "letter":
            return re.sub(r"\d+$", "", name)
        case "number":
            return re.sub(r"^\D+", "", name)
        case "name":
            return name


def frame(scene: Scene, speech: Speech, room: int, pen: float) -> Frame:
    """The largest board, coordinates and all, in a width of `room` pixels."""
    widest = max((lettering.width(label(edge, speech), LABEL * pen) for edge in scene.edges), default=0)
    return _frame(tuple((cell.name, cell.x, cell.y) for cell in scene.cells), scene.edges, widest, room, pen)


def diagram(scene: Scene, speech: Speech, frame: Frame) -> Iterator[Shape]:
    """The shapes from the bottom up."""
    cells = {cell.name: cell for cell in scene.cells}
    places = {name: frame.at(cell) for name, cell in cells.items()}
    yield from _squares(scene, frame) if scene.shape == "square" else _rings(scene, frame)
    for cell in (cell for cell in scene.cells if cell.ground != "gone"):
        yield from _printed(cell.lines, places[cell.name], frame, "muted")
    yield from _coordinates(scene, speech, frame, cells)
    for name, stack in scene.pieces.items():
        yield from men(stack, places[name], frame, scene.chequered)
    for mark in scene.marks:
        if mark.kind in ("to", "target"):
            yield from _mark(mark, scene, cells, frame)
    for arrow in scene.arrows:
        yield from _arrow(arrow, places, frame)
    for mark in scene.marks:
        if mark.kind not in ("to", "target"):
            yield from _mark(mark, scene, cells, frame)
    for name, stack in scene.pieces.items():
        yield from _counts(stack, places[name], frame, scene.chequered)


def man(piece: Piece, at: Point, radius: float, pen: float) -> Iterator[Shape]:
    """One piece, with a thin outline."""
    outline = 1.4 * pen
    if piece.glyph:
        yield _glyph(piece, at, GLYPH * radius, pen)
    elif piece.hollow:
        band = BAND * radius
        yield Disc(*at, radius - band / 2, None, "outline", band + outline)
        yield Disc(*at, radius - band / 2, None, piece.look, band - outline)
    else:
        yield Disc(*at, radius, piece.look, "outline", outline)


def _glyph(piece: Piece, at: Point, size: float, pen: float) -> Text:
    """A character in the piece's colour; the edge also draws the lines inside it."""
    edge: Colour = "light" if piece.look == "dark" else "dark"
    baseline = at[1] + lettering.middle(piece.glyph, size)
    thickness = max(0.8, 1.2 * pen)
    return Text(at[0], baseline, piece.glyph, size, piece.look, False, "middle", edge, thickness)


def men(stack: Sequence[Piece], at: Point, frame: Frame, tall: bool) -> Iterator[Shape]:
    """A stack, seen a little from the front; `tall` where nothing stands straight behind it."""
    x, foot, rise = _tower(len(stack), at, frame, tall)
    radius = (MAN if len(stack) == 1 else STACKED) * frame.unit
    for height, piece in enumerate(stack):
        yield from man(piece, (x, foot - height * rise), radius, frame.pen)


def _counts(stack: Sequence[Piece], at: Point, frame: Frame, tall: bool) -> Iterator[Shape]:
    """On its top how many of its kind lead a stack; on a badge beside its foot how many are below."""
    if len(stack) < 2:
        return
    unit = frame.unit
    x, foot, rise = _tower(len(stack), at, frame, tall)
    leading = next((n for n, piece in enumerate(reversed(stack)) if piece != stack[-1]), len(stack))
    yield from _number(leading, stack[-1], (x, foot - (len(stack) - 1) * rise), 0.4 * unit)
    if len(stack) - leading > 1:
        badge = x + 0.34 * unit, foot + 0.22 * unit
        yield from man(stack[0], badge, 0.2 * unit, frame.pen)
        yield from _number(len(stack) - leading, stack[0], badge, 0.3 * unit)


def _tower(height: int, at: Point, frame: Frame, tall: bool) -> tuple[float, float, float]:
    """Of a stack: the middle of its lowest man, across and down, and how far each next one is above."""
    if height < 2:
        return *at, 0
    rise = min(RISE, (TALL if tall else LOW) / (height - 1)) * frame.unit
    return at[0], at[1] + min(0.14 * frame.unit, rise * (height - 1) / 2), rise


def _number(n: int, piece: Piece, at: Point, size: float) -> Iterator[Shape]:
    """How many, on a piece; one goes without saying."""
    colour: Colour = "light" if piece.look == "dark" else "dark"
    if n > 1:
        yield Text(at[0], at[1] + lettering.MIDDLE * size, str(n), size, colour, True, "middle")


@lru_cache(maxsize=64)
def _frame(
    places: tuple[tuple[str, float, float], ...],
    edges: tuple[Edge, ...],
    widest: float,
    room: int,
    pen: float,
) -> Frame:
    at = {name: (x, y) for name, x, y in places}
    xs, ys = [x for x, _ in at.values()], [y for _, y in at.values()]
    unit = min(round(64 * pen), int(room / (max(xs) - min(xs) + 1))) // 2 * 2 + 1
    while True:
        spots = [_spot(edge, at[edge.cell], unit, pen, widest) for edge in edges]
        left = min([min(xs) * unit - unit / 2, *(x - widest / 2 for x, _ in spots)])
        right = max([max(xs) * unit + unit / 2, *(x + widest / 2 for x, _ in spots)])
        if right - left <= room or unit <= SMALLEST:
            break
        unit -= 2
    top = min([min(ys) * unit - unit / 2, *(y - 7 * pen for _, y in spots)])
    bottom = max([max(ys) * unit + unit / 2, *(y + 7 * pen for _, y in spots)])
    return Frame(-left, -top, unit, round(right - left), round(bottom - top), pen)


def _spot(edge: Edge, cell: Point, unit: float, pen: float, widest: float) -> Point:
    """The middle of a coordinate: beside its cell in the direction of the edge."""
    length = hypot(edge.dx, edge.dy) or 1
    dx, dy = edge.dx / length, edge.dy / length
    further = max(0, max(abs(edge.dx), abs(edge.dy)) - 1) * unit
    reach = unit / 2 + 7 * pen + abs(dx) * widest / 2 + abs(dy) * 6 * pen + further
    return cell[0] * unit + dx * reach, cell[1] * unit + dy * reach


def _squares(scene: Scene, frame: Frame) -> Iterator[Shape]:
    """Two tones without lines inside; larger boxes below them leave a line around the whole."""
    line, unit = max(1, round(1.2 * frame.pen)), frame.unit
    corners = [
        (cell, round(x - unit / 2), round(y - unit / 2)) for cell in scene.cells for x, y in [frame.at(cell)]
    ]
    for cell, x, y in corners:
        if cell.ground != "gone":
            yield Box(x - line, y - line, unit + 2 * line, unit + 2 * line, "outline")
    for cell, x, y in corners:
        if cell.ground == "gone":
            yield Disc(x + unit / 2, y + unit / 2, GONE * unit, "faint")
        else:
            yield Box(x, y, unit, unit, "shaded" if cell.ground == "shaded" else "ground")


def _rings(scene: Scene, frame: Frame) -> Iterator[Shape]:
    unit, line = frame.unit, 1.2 * frame.pen
    for cell in scene.cells:
        x, y = frame.at(cell)
        if cell.ground == "gone":
            yield Disc(x, y, GONE * unit, "faint")
        else:
            yield Disc(x, y, RING * unit, "shaded" if cell.ground == "shaded" else "ground", "muted", line)
            yield Disc(x, y, HOLE * unit, "paper", "muted", line)


def _coordinates(scene: Scene, speech: Speech, frame: Frame, cells: Mapping[str, Cell]) -> Iterator[Shape]:
    size = LABEL * frame.pen
    labels = [label(edge, speech) for edge in scene.edges]
    widest = max((lettering.width(text, size) for text in labels), default=0)
    for edge, text in zip(scene.edges, labels, strict=True):
        cell = cells[edge.cell]
        x, y = _spot(edge, (cell.x, cell.y), frame.unit, frame.pen, widest)
        yield Text(frame.x + x, frame.y + y + lettering.MIDDLE * size, text, size, "muted", anchor="middle")


def _printed(lines: Lines, at: Point, frame: Frame, colour: Colour) -> Iterator[Shape]:
    (x, y), unit = at, frame.unit
    for dx, dy in STROKES[lines]:
        ends = (x - dx * unit, y - dy * unit), (x + dx * unit, y + dy * unit)
        yield Line(ends, 2.4 * frame.pen, colour)


def _mark(mark: Mark, scene: Scene, cells: Mapping[str, Cell], frame: Frame) -> Iterator[Shape]:
    cell = cells[mark.cell]
    (x, y), unit, pen = frame.at(cell), frame.unit, frame.pen
    taken = bool(scene.pieces.get(mark.cell))
    match mark.kind:
        case "from" if not taken:
            yield Disc(x, y, 0.09 * unit, "accent")
        case "to":
            height = len(scene.pieces.get(mark.cell, ()))
            x, foot, rise = _tower(height, (x, y), frame, scene.chequered)
            radius = (STACKED if height > 1 else MAN) * unit + AROUND * pen
            yield Disc(x, foot - max(0, height - 1) * rise, radius, None, "accent", 3 * pen)
        case "target" if cell.lines:  # which have to be seen
            yield Disc(x, y, MAN * unit, "paper", "muted", 2 * pen, dashed=True)
            yield from _printed(cell.lines, (x, y), frame, "ink")
        case "target":
            yield Disc(x, y, 0.1 * unit, "muted")
        case "removed":
            yield Disc(x, y, RING * unit, "paper", "accent", 2 * pen, dashed=True)
            yield from _cross((x, y), 0.13 * unit, 0.05 * unit)
        case "captured":
            # Where the captor stands on the cell itself, the captive lies in its corner.
            corner = round(0.34 * unit)
            at, size = ((x + corner, y - corner), 0.6) if taken else ((x, y), 1.0)
            yield from _captive(mark, at, size * unit, pen)


def _captive(mark: Mark, at: Point, unit: float, pen: float) -> Iterator[Shape]:
    """A small man, struck out, on a patch of paper that hides the arrow below."""
    yield Disc(*at, 0.3 * unit, "paper")
    if mark.piece:
        yield from man(replace(mark.piece, hollow=False), at, 0.24 * unit, pen)
    yield from _cross(at, 0.25 * unit, 0.05 * unit)


def _cross(at: Point, arm: float, thickness: float) -> Iterator[Shape]:
    x, y = at
    for dx, dy in CROSS:
        ends = (x - arm * dx, y - arm * dy), (x + arm * dx, y + arm * dy)
        yield Line(ends, thickness, "accent", halo=thickness / 2)


def _arrow(arrow: Arrow, places: Mapping[str, Point], frame: Frame) -> Iterator[Shape]:
    """From the middle of the first cell to the rim of the man on the last."""
    way = [places[name] for name, _ in groupby(arrow.cells)]
    if len(way) < 2:
        return
    pen, (x, y), (x0, y0) = frame.pen, way[-1], way[-2]
    length = dist(way[-1], way[-2])
    dx, dy = (x - x0) / length, (y - y0) / length
    gap = MAN * frame.unit + (AROUND + 2) * pen
    tip = x - dx * gap, y - dy * gap
    neck = tip[0] - dx * 12 * pen, tip[1] - dy * 12 * pen
    barbs = (
        (neck[0] - dy * 6 * pen, neck[1] + dx * 6 * pen),
        (neck[0] + dy * 6 * pen, neck[1] - dx * 6 * pen),
    )
    yield Line((*way[:-1], neck), 3.2 * pen, "accent", (tip, *barbs), 1.6 * pen)

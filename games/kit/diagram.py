"""Draws a board as shapes: ground, pieces, marks of the last move, coordinates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from math import cos, dist, hypot, pi, sin

from games.kit import raster
from games.kit.drawing import Box, Colour, Disc, Frame, Line, Point, Shape, Sheet, Text
from games.kit.lines import STROKES, hatched, lattice, printed, spots
from games.kit.men import STACKED, body, counted, heights, lettered, man, men, tower
from games.kit.scene import Arrow, Cell, Edge, Ground, Mark, Scene
from games.kit.words import Speech, label

# Radii in units (the distance between neighbouring cells).
RING, HOLE, GONE = 0.455, 0.27, 0.05
# Dots on a ring: their radius, their way from its middle, and radians between two.
FREE, FREE_AT, FREE_APART = 0.055, 0.375, 0.65
COORDINATE = 13.75  # pens: the font size of coordinates, 11 pixels on a phone 320 wide
NAME, TIGHT = 0.24, 0.34  # units: the font size of names in rings, and the largest that fits
LEAST_NAME = 7  # pixels; smaller names are omitted
AIR = 4  # pens between the board and a coordinate
SHOULDER = 0.31, 0.55  # units from the middle of a ring to a name that has no room beside it
TAIL = 0.22  # of a letter below the baseline, in font sizes
TURNED = 0.1  # units: the radius of the dot on a man that changed sides
AROUND = 2.8  # pens between a man and its ring: visible in greyscale print
AROUND_LINE = 2.2  # pens of that ring
CORNER = 0.3  # units from the middle of a captor to its captive
SMALLEST = 17.5  # pens: the least width of a captive's cross
CROSS = ((1, 1), (1, -1))
GROUNDS: Mapping[Ground, Colour] = {"plain": "ground", "shaded": "shaded", "gone": "paper"}


def diagram(scene: Scene, speech: Speech, frame: Frame, room: int) -> Iterator[Shape | Sheet]:
    """Yields the shapes from the bottom up, for a picture `room` pixels wide."""
    cells = {cell.name: cell for cell in scene.cells}
    places = {name: frame.at(cell) for name, cell in cells.items()}
    grounds = _grounds(scene)
    removed = _removed(scene, frame) if scene.shape == "ring" else ()
    labels = tuple(label(edge, speech) for edge in scene.edges)
    if scene.shape == "square":
        # Only boards without lines or vanished squares look alike in all matches and are cached.
        alike = not any(cell.lines or cell.ground == "gone" for cell in scene.cells)
        board = _board if alike else _board.__wrapped__
        sheet = board(scene.cells, scene.edges, labels, frame)
        yield from (sheet,) if alike else sheet.shapes
        yield from (_square(places[name], frame, "tint") for name in cells if grounds[name] == "tint")
    elif scene.shape == "point":
        yield lattice(scene.cells, scene.edges, labels, frame, room, COORDINATE * frame.pen)
    elif scene.shape == "spot":
        names = tuple(speech.label(cell.name) for cell in scene.cells)
        yield spots(scene.cells, scene.edges, labels, names, frame, room, COORDINATE * frame.pen)
    else:
        named = _named(scene, frame)
        yield from _rings(scene, frame, places, grounds)
        yield from _names(named, speech, frame, places, "label", "ground")
        say = named.union(removed)
        yield from _coordinates(
            [edge for edge in scene.edges if edge.cell not in say], scene, speech, frame, room
        )
    for cell in (cell for cell in scene.cells if cell.lines and cell.ground != "gone"):
        on = grounds[cell.name] if scene.shape == "square" and len(STROKES[cell.lines]) == 1 else None
        yield from printed(cell.lines, places[cell.name], frame, "label", on)
    tall = _tall(scene)
    for name, stack in scene.pieces.items():
        if scene.counted and stack:
            yield from counted(stack, scene.badged(name), places[name], frame)
            continue
        if scene.lettered and stack:
            yield from lettered(stack, speech.letters(stack), places[name], frame.man * frame.unit, frame.pen)
            continue
        plain = (
            len(stack) == 1 and not cells[name].lines and grounds[name] != "paper" and scene.shape != "point"
        )
        yield from men(stack, places[name], frame, name in tall, grounds[name] if plain else None)
    moved = {mark.cell for mark in scene.marks if mark.kind == "to"} if scene.bodies else set()
    for one in scene.bodies:
        dots = [places[name] for name in one.cells]
        yield from body(one.piece, dots, frame.unit, frame.pen, one.level, moved.issuperset(one.cells))
    for mark in scene.marks:
        if mark.kind in ("to", "target", "hint") and mark.cell not in moved:
            yield from _mark(mark, scene, cells, frame, mark.cell in tall)
    for arrow in scene.arrows:
        yield from _arrow(arrow, places, frame)
    for mark in scene.marks:
        if mark.kind not in ("to", "target", "hint"):
            yield from _mark(mark, scene, cells, frame, mark.cell in tall)
    yield from _names(removed, speech, frame, places, "muted", "paper", below=0.2 * frame.unit)
    for name, stack in scene.pieces.items():
        if not scene.counted and not scene.lettered:
            yield from heights(stack, places[name], frame, name in tall)


def _grounds(scene: Scene) -> Mapping[str, Colour]:
    """Returns the colour below what stands on each cell: that of its ring or square, tinted by the last move."""
    ends = {mark.cell for mark in scene.marks if mark.kind in ("from", "to", "hint")}
    plain: Colour | None = "ring" if scene.shape == "ring" else None
    return {
        cell.name: "paper"
        if cell.ground == "gone"
        else "tint"
        if cell.name in ends
        else plain or GROUNDS[cell.ground]
        for cell in scene.cells
    }


def _tall(scene: Scene) -> frozenset[str]:
    """Returns the cells of tall piles: those below empty squares. Those on the last row would hide its frame."""
    top = min(cell.y for cell in scene.cells)
    return frozenset(cell.name for cell in scene.cells if scene.chequered and cell.y > top)


@lru_cache(maxsize=32)
def _board(cells: tuple[Cell, ...], edges: tuple[Edge, ...], labels: tuple[str, ...], frame: Frame) -> Sheet:
    """Draws the squares and their coordinates."""
    places = {cell.name: frame.at(cell) for cell in cells}
    left, top = (
        int(min(place[way] for place in places.values())) - frame.unit // 2 - frame.line for way in (0, 1)
    )
    beside, below = frame.gutter
    shapes = *_squares(cells, frame, places), *_outside(edges, labels, frame, places, (left, top))
    return Sheet(left - beside, top, frame.width + beside, frame.height + below, shapes)


def _squares(cells: Iterable[Cell], frame: Frame, places: Mapping[str, Point]) -> Iterator[Shape]:
    """Draws the squares in two tones, with a line around the board and around vanished squares."""
    line, unit = frame.line, frame.unit
    half = unit // 2
    corners = [(cell, int(x) - half, int(y) - half) for cell in cells for x, y in [places[cell.name]]]
    left, top = min(x for _, x, _ in corners), min(y for _, _, y in corners)
    width, height = max(x for _, x, _ in corners) + unit - left, max(y for _, _, y in corners) + unit - top
    yield Box(left - line, top - line, width + 2 * line, height + 2 * line, "outline")
    yield Box(left, top, width, height, "ground")
    yield from (
        _square(places[cell.name], frame, "shaded") for cell, _, _ in corners if cell.ground == "shaded"
    )
    gone = [(x, y) for cell, x, y in corners if cell.ground == "gone"]
    for x, y in gone:
        yield Box(x - line, y - line, unit + 2 * line, unit + 2 * line, "outline")
    for x, y in gone:
        # At the edge of the board, the outer line vanishes too.
        before = line * (x == left), line * (y == top)
        after = line * (x + unit == left + width), line * (y + unit == top + height)
        size = unit + before[0] + after[0], unit + before[1] + after[1]
        yield Box(x - before[0], y - before[1], *size, "paper")
        yield from hatched((x, y), unit, line)


def _square(at: Point, frame: Frame, fill: Colour) -> Box:
    half = frame.unit // 2
    return Box(int(at[0]) - half, int(at[1]) - half, frame.unit, frame.unit, fill)


def _rings(
    scene: Scene, frame: Frame, places: Mapping[str, Point], grounds: Mapping[str, Colour]
) -> Iterator[Shape]:
    unit, line = frame.unit, 0.9 * frame.pen
    ends = {edge.cell for edge in scene.edges}
    for cell in scene.cells:
        x, y = places[cell.name]
        if cell.ground != "gone":
            band = grounds[cell.name]
            hole: Colour | None = None if cell.free == 0 else "ground"
            yield Disc(x, y, RING * unit, band, "outline", line, hole=hole, inner=HOLE * unit, on="paper")
            yield from _free(cell.free or 0, (x, y), unit)
        elif cell.name not in ends:
            yield Disc(x, y, GONE * unit, "faint", on="paper")


def _free(places: int, at: Point, unit: int) -> Iterator[Shape]:
    """Draws a dot on a ring for each of its free places, around its lowest point."""
    for number in range(places):
        angle = pi / 2 + FREE_APART * (number - (places - 1) / 2)
        x, y = at[0] + FREE_AT * unit * cos(angle), at[1] + FREE_AT * unit * sin(angle)
        yield Disc(x, y, FREE * unit, "label")


def _named(scene: Scene, frame: Frame) -> frozenset[str]:
    """Returns the empty rings that show their names: those without an arrow. Empty when names would be illegible."""
    if not _is_named(frame):
        return frozenset()
    marked = {mark.cell for mark in scene.marks} | {name for arrow in scene.arrows for name in arrow.cells}
    return frozenset(
        cell.name
        for cell in scene.cells
        if cell.ground != "gone"
        and cell.free != 0
        and cell.name not in marked
        and not scene.pieces.get(cell.name)
    )


def _removed(scene: Scene, frame: Frame) -> tuple[str, ...]:
    """Returns the rings removed by the last move. Empty when their names would be illegible."""
    removed = (mark.cell for mark in scene.marks if mark.kind == "removed")
    return tuple(removed) if _is_named(frame) else ()


def _is_named(frame: Frame) -> bool:
    return NAME * frame.unit >= LEAST_NAME


def _size(frame: Frame) -> float:
    """Returns the font size of names in rings and beside them."""
    return min(max(NAME * frame.unit, COORDINATE * frame.pen), TIGHT * frame.unit)


def _names(
    named: Iterable[str],
    speech: Speech,
    frame: Frame,
    places: Mapping[str, Point],
    colour: Colour,
    on: Colour,
    below: float = 0.0,
) -> Iterator[Shape]:
    size = _size(frame)
    for name in named:
        x, y = places[name]
        baseline = y + below + raster.MIDDLE * size
        yield Text(x, baseline, speech.label(name), size, colour, anchor="middle", on=on)


def gutter(scene: Scene, speech: Speech, pen: float) -> tuple[int, int]:
    """Returns the room for coordinates to the left of a square board and below it, in pixels."""
    if scene.shape != "square":
        return 0, 0
    size = COORDINATE * pen
    numbers = [raster.width(label(edge, speech), size) for edge in scene.edges if _side(edge) == "left"]
    below = any(_side(edge) == "below" for edge in scene.edges)
    return (
        round(max(numbers) + 2 * AIR * pen) if numbers else 0,
        round((2 * raster.MIDDLE + TAIL) * size + AIR * pen) if below else 0,
    )


def _side(edge: Edge) -> str:
    """Returns where the coordinate of a square board stands. Empty for one that repeats the opposite side's."""
    return "below" if edge.dy > 0 else "left" if edge.dx < 0 else ""


def _outside(
    edges: Iterable[Edge], labels: Iterable[str], frame: Frame, places: Mapping[str, Point], corner: Point
) -> Iterator[Shape]:
    """Draws coordinates to the left of a square board and below it."""
    size, (left, top) = COORDINATE * frame.pen, corner
    for edge, text in zip(edges, labels, strict=True):
        x, y = places[edge.cell]
        if _side(edge) == "left":
            x, baseline = left - frame.gutter[0] / 2, y + raster.MIDDLE * size
        elif _side(edge) == "below":
            baseline = top + frame.height + AIR * frame.pen + 2 * raster.MIDDLE * size
        else:
            continue
        yield Text(x, baseline, text, size, "muted", anchor="middle", on="paper")


def _coordinates(
    edges: Iterable[Edge], scene: Scene, speech: Speech, frame: Frame, room: int
) -> Iterator[Shape]:
    """Draws the names of the ends of rows that their rings do not show: beside a ring, or where it was."""
    cells, size = {cell.name: cell for cell in scene.cells}, _size(frame)
    rings = [frame.at(cell) for cell in scene.cells if cell.ground != "gone"]
    marked = {mark.cell for mark in scene.marks}
    for edge in edges:
        cell, text = cells[edge.cell], label(edge, speech)
        free = cell.ground == "gone" and cell.name not in marked
        x, y = frame.at(cell) if free else _beside(edge, text, cell, frame, room, rings)
        yield Text(x, y + raster.MIDDLE * size, text, size, "muted", anchor="middle", on="paper")


def _beside(edge: Edge, text: str, cell: Cell, frame: Frame, room: int, rings: Collection[Point]) -> Point:
    """Returns the middle of a coordinate beside its ring; in the widest rows, above or below it."""
    length, size, unit = hypot(edge.dx, edge.dy) or 1, _size(frame), frame.unit
    dx, dy, half = edge.dx / length, edge.dy / length, raster.width(text, size) / 2
    reach = 0.46 * unit + AIR * frame.pen + abs(dx) * half + abs(dy) * size / 2
    x, y = frame.at(cell)
    if half <= x + dx * reach <= room - half:
        return x + dx * reach, y + dy * reach
    near = [(x + dx * SHOULDER[0] * unit, y + way * SHOULDER[1] * unit) for way in (-1, 1)]
    return max(near, key=lambda spot: min(dist(spot, ring) for ring in rings or near))


def _mark(mark: Mark, scene: Scene, cells: Mapping[str, Cell], frame: Frame, tall: bool) -> Iterator[Shape]:
    cell, height = cells[mark.cell], len(scene.pieces.get(mark.cell, ()))
    height = min(height, 1) if scene.counted or scene.lettered else height
    (x, y), unit, pen = frame.at(cell), frame.unit, frame.pen
    match mark.kind:
        case "from" if not height:
            yield Disc(x, y, 0.09 * unit, "accent")
        case "to" | "hint":
            x, foot, rise = tower(height, (x, y), frame, tall)
            radius = (STACKED if height > 1 else frame.man) * unit + AROUND * pen
            yield Disc(x, foot - max(0, height - 1) * rise, radius, None, "accent", AROUND_LINE * pen)
        case "target" if cell.lines:  # lines stay visible around it, and rings are larger
            yield Disc(x, y, 0.17 * unit, GROUNDS[cell.ground])
            yield Disc(x, y, 0.12 * unit, "accent")
        case "target":
            yield Disc(x, y, 0.1 * unit, "label")
        case "turned":
            yield Disc(x, y, TURNED * unit, "accent")
        case "removed":
            yield Disc(x, y, RING * unit, "paper", "accent", 1.4 * pen, dashed=True)
            above = 0.17 * unit if scene.shape == "ring" and _is_named(frame) else 0.0  # room for the name
            yield from _cross((x, y - above), 0.13 * unit - above / 4, 0.05 * unit)
        case "captured" if height:
            # The captor is on the cell: its captive lies in a corner, of a pile in the one without top and numbers.
            corner = round(CORNER * unit) * (-1 if height > 1 else 1)
            yield from _captive(mark, (x + corner, y - corner), max(0.15 * unit, SMALLEST / 2 * pen), pen)
        case "captured":
            yield from _captive(mark, (x, y), 0.25 * unit, pen)


def _captive(mark: Mark, at: Point, arm: float, pen: float) -> Iterator[Shape]:
    """Draws a small man, crossed out, on a patch that hides the arrow below."""
    yield Disc(*at, 1.2 * arm, "ground")
    if mark.piece:
        yield from man(replace(mark.piece, hollow=False, small=False), at, 0.96 * arm, pen)
    yield from _cross(at, arm, 0.2 * arm)


def _cross(at: Point, arm: float, thickness: float) -> Iterator[Shape]:
    x, y = at
    for dx, dy in CROSS:
        ends = (x - arm * dx, y - arm * dy), (x + arm * dx, y + arm * dy)
        yield Line(ends, thickness, "accent", halo=thickness / 2)


def _arrow(arrow: Arrow, places: Mapping[str, Point], frame: Frame) -> Iterator[Shape]:
    """Draws an arrow from the middle of the first cell to the rim of the man on the last."""
    way = [places[name] for name, _ in groupby(arrow.cells)]
    if len(way) < 2:
        return
    pen, (x, y), (x0, y0) = frame.pen, way[-1], way[-2]
    length = dist(way[-1], way[-2])
    dx, dy = (x - x0) / length, (y - y0) / length
    gap = frame.man * frame.unit + (AROUND + 1.2) * pen
    tip = x - dx * gap, y - dy * gap
    neck = tip[0] - dx * 8 * pen, tip[1] - dy * 8 * pen
    barbs = (
        (neck[0] - dy * 4 * pen, neck[1] + dx * 4 * pen),
        (neck[0] + dy * 4 * pen, neck[1] - dx * 4 * pen),
    )
    yield Line((*way[:-1], neck), 2.2 * pen, "accent", (tip, *barbs), 1.1 * pen)

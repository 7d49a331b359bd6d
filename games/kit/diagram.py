"""Draws a board as shapes: ground, pieces and piles, marks of the last move, coordinates."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import groupby, pairwise
from math import dist, hypot

from games.kit import raster
from games.kit.crown import crown
from games.kit.drawing import Box, Colour, Disc, Frame, Line, Point, Shape, Sheet, Text
from games.kit.scene import Arrow, Cell, Edge, Ground, Lines, Mark, Piece, Scene
from games.kit.words import Speech, label

# Pieces and piles

# Radii in units (the distance between neighbouring cells).
MAN, STACKED = 0.365, 0.33
GLYPH = 2.5  # the size of a glyph, relative to the radius of a disc
CROWN = 1.1  # the width of a king's crown, relative to the radius of its disc
BAND = 0.36  # the width of a hollow man's rim, relative to its radius
PLANKS = 4  # of a trapdoor
RISE, LOW, TALL = 0.13, 0.3, 1.0  # from man to man in a pile; the maximum from foot to top, low and tall
CAPS, BADGE = 0.4, 0.32  # font sizes of the numbers on a pile and on the badge at its foot
AROUND = 2.8  # pens between a man and its ring: visible in greyscale print
AROUND_LINE = 2.2  # pens of that ring


def man(piece: Piece, at: Point, radius: float, pen: float, on: Colour | None = None) -> Iterator[Shape]:
    """Draws a piece with a thin outline; `on` is the colour of the ground, if it is a single one."""
    outline = 1.1 * pen
    if piece.hatch:
        yield from _hatch(at, radius, pen)
    elif piece.glyph:
        yield _glyph(piece, at, GLYPH * radius, pen, on)
    elif piece.hollow:
        band = BAND * radius
        yield Disc(*at, radius - band / 2, None, "outline", band + outline, on=on)
        yield Disc(*at, radius - band / 2, None, piece.look, band - outline, on="outline")
    else:
        yield Disc(*at, radius, piece.look, "outline", outline, on=on)
        if piece.crown:
            yield from crown(piece.look, at, CROWN * radius)


def men(
    stack: Sequence[Piece], at: Point, frame: Frame, tall: bool, on: Colour | None = None
) -> Iterator[Shape]:
    """Draws a pile, seen slightly from the front; `tall` when no cell lies straight behind it."""
    x, foot, rise = tower(len(stack), at, frame, tall)
    radius = (MAN if len(stack) == 1 else STACKED) * frame.unit
    for height, piece in enumerate(stack):
        y, covered = foot - height * rise, piece.crown and height < len(stack) - 1
        yield from man(replace(piece, crown=piece.crown and not covered), (x, y), radius, frame.pen, on)
        if covered:  # a small crown on the rim that stays visible
            yield from crown(piece.look, (x, y + radius - 0.46 * rise), 1.1 * rise)


def heights(stack: Sequence[Piece], at: Point, frame: Frame, tall: bool) -> Iterator[Shape]:
    """Writes the numbers of a pile: of its leading men on the top one, of the men below on a badge.

    Numbers of one are omitted. The number below a crown has a badge of its own.
    """
    if len(stack) < 2:
        return
    unit = frame.unit
    x, foot, rise = tower(len(stack), at, frame, tall)
    leading = next((n for n, piece in enumerate(reversed(stack)) if piece.look != stack[-1].look), len(stack))
    below = len(stack) - leading
    if leading > 1 and stack[-1].crown:
        yield from _badge(leading, stack[-1], (x - 0.3 * unit, foot + 0.16 * unit), frame)
    elif leading > 1:
        yield _number(leading, stack[-1], (x, foot - (len(stack) - 1) * rise), CAPS * unit)
    if below > 1:
        yield from _badge(below, stack[below - 1], (x + 0.3 * unit, foot + 0.16 * unit), frame)


def overshoot(scene: Scene, frame: Frame) -> float:
    """Returns how far piles and the rings around their top men reach beyond the top of a square board, in
    pixels.
    """
    if scene.shape != "square":
        return 0
    ring = STACKED * frame.unit + (AROUND + AROUND_LINE / 2) * frame.pen
    top, over = min(cell.y for cell in scene.cells), 0.0
    for cell in scene.cells:
        height = len(scene.pieces.get(cell.name, ()))
        if height > 1:
            _, foot, rise = tower(height, (0, (cell.y - top + 0.5) * frame.unit), frame, scene.chequered)
            over = max(over, (height - 1) * rise - foot + ring)
    return over


def tower(height: int, at: Point, frame: Frame, tall: bool) -> tuple[float, float, float]:
    """Returns the middle of a pile's lowest man, x and y, and the distance between its men."""
    if height < 2:
        return *at, 0
    rise = min(RISE, (TALL if tall else LOW) / (height - 1)) * frame.unit
    return at[0], at[1] + min(0.14 * frame.unit, rise * (height - 1) / 2), rise


def _glyph(piece: Piece, at: Point, size: float, pen: float, on: Colour | None) -> Text:
    """Draws a character in the piece's colour; the edge also draws its inner lines."""
    edge: Colour = "light" if piece.look == "dark" else "dark"
    baseline = at[1] + raster.middle(piece.glyph, size)
    thickness = max(0.8, 0.8 * pen)
    return Text(at[0], baseline, piece.glyph, size, piece.look, False, "middle", edge, thickness, on)


def _hatch(at: Point, radius: float, pen: float) -> Iterator[Shape]:
    """Draws a trapdoor: planks in a frame, and the ring to lift it."""
    side, gap = round(1.65 * radius), max(1, round(1.1 * pen))
    left, top = round(at[0] - side / 2), round(at[1] - side / 2)
    yield Box(left, top, side, side, "outline")
    inside = side - 2 * gap
    seams = [left + gap + round(n * (inside + gap) / PLANKS) for n in range(PLANKS + 1)]
    for start, end in pairwise(seams):
        yield Box(start, top + gap, end - gap - start, inside, "ring")
    yield Disc(*at, 0.3 * radius, None, "outline", 0.16 * radius)


def _badge(n: int, piece: Piece, at: Point, frame: Frame) -> Iterator[Shape]:
    yield from man(replace(piece, crown=False), at, 0.19 * frame.unit, frame.pen)
    yield _number(n, piece, at, BADGE * frame.unit)


def _number(n: int, piece: Piece, at: Point, size: float) -> Text:
    colour: Colour = "light" if piece.look == "dark" else "dark"
    # A rim in the man's colour separates the number from an arrow below it.
    rim = 0.08 * size
    return Text(at[0], at[1] + raster.MIDDLE * size, str(n), size, colour, True, "middle", piece.look, rim)


# Radii in units (the distance between neighbouring cells).
RING, HOLE, GONE = 0.455, 0.27, 0.05
# From the middle to the end of a printed line, in units: beyond a ring, but inside the cell.
ALONG, ACROSS, FALLING, RISING = (0.43, 0.0), (0.0, 0.43), (0.33, 0.33), (0.33, -0.33)
STROKES: Mapping[Lines, tuple[Point, ...]] = {
    "": (),
    "-": (ALONG,),
    "|": (ACROSS,),
    "\\": (FALLING,),
    "/": (RISING,),
    "+": (ALONG, ACROSS),
    "x": (FALLING, RISING),
}
# The size of a coordinate in its square: in units; minimum and maximum in pens; maximum in units.
CORNER, LEAST_CORNER, LARGEST_CORNER, TIGHT_CORNER = 0.25, 12.5, 15, 0.3
BESIDE = 15  # pens: the font size of coordinates beside rings
AIR = 4  # pens between a ring and its coordinate
HATCH = 3  # lines across a vanished square
TAIL = 0.12  # of a letter below the baseline, in font sizes: keeps the tail of g inside its square
NAME, LEAST_NAME = (
    0.24,
    7,
)  # the size of the name in an empty ring, in units; names smaller than LEAST_NAME pixels are omitted
CROSS = ((1, 1), (1, -1))
GROUNDS: Mapping[Ground, Colour] = {"plain": "ground", "shaded": "shaded", "gone": "paper"}


def diagram(scene: Scene, speech: Speech, frame: Frame, room: int) -> Iterator[Shape | Sheet]:
    """Yields the shapes from the bottom up, for a picture `room` pixels wide."""
    cells = {cell.name: cell for cell in scene.cells}
    places = {name: frame.at(cell) for name, cell in cells.items()}
    removed = _removed(scene, frame) if scene.shape == "ring" else ()
    if scene.shape == "square":
        labels = tuple(label(edge, speech) for edge in scene.edges)
        # Only boards without lines or vanished squares look alike in all matches and are cached.
        alike = not any(cell.lines or cell.ground == "gone" for cell in scene.cells)
        board = _board if alike else _board.__wrapped__
        sheet = board(scene.cells, scene.edges, labels, frame)
        yield from (sheet,) if alike else sheet.shapes
    else:
        yield from _rings(scene, frame, places)
        named = _named(scene, frame)
        yield from _names(named, speech, frame, places)
        say = named.union(removed)
        yield from _coordinates(
            [edge for edge in scene.edges if edge.cell not in say], speech, frame, cells, room
        )
    for cell in (cell for cell in scene.cells if cell.lines and cell.ground != "gone"):
        on = GROUNDS[cell.ground] if scene.shape == "square" and len(STROKES[cell.lines]) == 1 else None
        yield from _printed(cell.lines, places[cell.name], frame, "label", on)
    labelled = {edge.cell for edge in scene.edges}
    for name, stack in scene.pieces.items():
        yield from men(
            stack, places[name], frame, scene.chequered, _below(stack, cells[name], scene, labelled)
        )
    for mark in scene.marks:
        if mark.kind in ("to", "target"):
            yield from _mark(mark, scene, cells, frame)
    for arrow in scene.arrows:
        yield from _arrow(arrow, places, frame)
    for mark in scene.marks:
        if mark.kind not in ("to", "target"):
            yield from _mark(mark, scene, cells, frame)
    if removed:
        yield from _names(removed, speech, frame, places, below=0.2 * frame.unit, on="paper")
    for name, stack in scene.pieces.items():
        yield from heights(stack, places[name], frame, scene.chequered)


@lru_cache(maxsize=32)
def _board(cells: tuple[Cell, ...], edges: tuple[Edge, ...], labels: tuple[str, ...], frame: Frame) -> Sheet:
    """Draws the squares and their coordinates."""
    places = {cell.name: frame.at(cell) for cell in cells}
    named = {cell.name: cell for cell in cells}
    shapes = *_squares(cells, frame, places), *_corners(edges, labels, frame, named, places)
    left, top = (
        int(min(place[way] for place in places.values())) - frame.unit // 2 - frame.line for way in (0, 1)
    )
    return Sheet(left, top, frame.width, frame.height, shapes)


def _squares(cells: Iterable[Cell], frame: Frame, places: Mapping[str, Point]) -> Iterator[Shape]:
    """Draws the squares in two tones, with a line around the board and around vanished squares."""
    line, unit = frame.line, frame.unit
    half = unit // 2
    corners = [(cell, int(x) - half, int(y) - half) for cell in cells for x, y in [places[cell.name]]]
    left, top = min(x for _, x, _ in corners), min(y for _, _, y in corners)
    width, height = max(x for _, x, _ in corners) + unit - left, max(y for _, _, y in corners) + unit - top
    yield Box(left - line, top - line, width + 2 * line, height + 2 * line, "outline")
    yield Box(left, top, width, height, "ground")
    for cell, x, y in corners:
        if cell.ground == "shaded":
            yield Box(x, y, unit, unit, "shaded")
    gone = [(x, y) for cell, x, y in corners if cell.ground == "gone"]
    for x, y in gone:
        yield Box(x - line, y - line, unit + 2 * line, unit + 2 * line, "outline")
    for x, y in gone:
        # At the edge of the board, the outer line vanishes too.
        before = line * (x == left), line * (y == top)
        after = line * (x + unit == left + width), line * (y + unit == top + height)
        size = unit + before[0] + after[0], unit + before[1] + after[1]
        yield Box(x - before[0], y - before[1], *size, "paper")
        yield from _hatched((x, y), unit, line)


def _hatched(corner: Point, unit: int, line: int) -> Iterator[Shape]:
    """Hatches a vanished square with lines that continue from one square to the next."""
    x, y = corner
    for part in range(1, 2 * HATCH):
        end = part * unit / HATCH
        near, far = max(0, end - unit) + line, min(end, unit) - line
        yield Line(((x + near, y + far), (x + far, y + near)), 0.8 * line, "faint", on="paper")


def _rings(scene: Scene, frame: Frame, places: Mapping[str, Point]) -> Iterator[Shape]:
    unit, line = frame.unit, 0.9 * frame.pen
    for cell in scene.cells:
        x, y = places[cell.name]
        if cell.ground == "gone":
            yield Disc(x, y, GONE * unit, "faint", on="paper")
        else:
            yield Disc(
                *(x, y, RING * unit, "ring", "outline", line), hole="shaded", inner=HOLE * unit, on="paper"
            )


def _named(scene: Scene, frame: Frame) -> frozenset[str]:
    """Returns the empty rings that show their names. Empty when the names would be illegible."""
    if not _is_named(frame):
        return frozenset()
    marked = {mark.cell for mark in scene.marks}
    return frozenset(
        cell.name
        for cell in scene.cells
        if cell.ground != "gone" and cell.name not in marked and not scene.pieces.get(cell.name)
    )


def _removed(scene: Scene, frame: Frame) -> tuple[str, ...]:
    """Returns the rings removed by the last move. Empty when their names would be illegible."""
    removed = (mark.cell for mark in scene.marks if mark.kind == "removed")
    return tuple(removed) if _is_named(frame) else ()


def _is_named(frame: Frame) -> bool:
    return NAME * frame.unit >= LEAST_NAME


def _names(
    named: Iterable[str],
    speech: Speech,
    frame: Frame,
    places: Mapping[str, Point],
    *,
    below: float = 0.0,
    on: Colour = "shaded",
) -> Iterator[Shape]:
    size = NAME * frame.unit
    for name in named:
        x, y = places[name]
        yield Text(
            *(x, y + below + raster.MIDDLE * size, speech.label(name), size, "label"),
            anchor="middle",
            on=on,
        )


def _corners(
    edges: Iterable[Edge],
    labels: Iterable[str],
    frame: Frame,
    cells: Mapping[str, Cell],
    places: Mapping[str, Point],
) -> Iterator[Shape]:
    """Draws coordinates in the corners of the squares at the edge.

    Letters stand at the left and numbers at the top of their square; of two in the same corner, the later one
    stands behind the other.
    """
    # beside the squares, coordinates would make the board smaller
    behind: dict[Point, float] = {}
    unit, inset = frame.unit, 0.025 * frame.unit
    size = max(CORNER * unit, LEAST_CORNER * frame.pen)
    size = min(size, LARGEST_CORNER * frame.pen, TIGHT_CORNER * unit)
    for edge, text in zip(edges, labels, strict=True):
        cell, beyond = cells[edge.cell], abs(edge.dx) > 1 or abs(edge.dy) > 1
        x, y = _spot(edge, cell, frame, places)
        low, right = edge.dy > 0, edge.dx > 0
        across = unit / 2 - inset if right else inset - unit / 2
        baseline = (
            y + unit / 2 - inset - TAIL * size if low else y - unit / 2 + inset + 2 * raster.MIDDLE * size
        )
        colour: Colour = "muted" if cell.ground == "gone" else "label"
        on = "ground" if beyond else _flat(cell)
        corner = x + across, baseline
        shift = behind.get(corner, 0)
        behind[corner] = shift + (raster.width(text, size, bold=True) + 0.3 * size) * (-1 if right else 1)
        yield Text(corner[0] + shift, baseline, text, size, colour, True, "end" if right else "start", on=on)


def _spot(edge: Edge, cell: Cell, frame: Frame, places: Mapping[str, Point]) -> Point:
    """Returns the middle of the square of a coordinate, which may lie beyond the cells."""
    dx, dy = _beyond(edge.dx), _beyond(edge.dy)
    return frame.at(replace(cell, x=cell.x + dx, y=cell.y + dy)) if dx or dy else places[cell.name]


def _flat(cell: Cell) -> Colour | None:
    """Returns the colour of a square. None when it is hatched."""
    return None if cell.ground == "gone" else GROUNDS[cell.ground]


def _below(stack: Sequence[Piece], cell: Cell, scene: Scene, labelled: Collection[str]) -> Colour | None:
    """Returns the colour below the rim of a piece. None when there are several."""
    if cell.lines or len(stack) != 1 or (stack[0].glyph and cell.name in labelled):
        return None
    return _flat(cell) if scene.shape == "square" else "ring"


def _beyond(way: float) -> float:
    return way - way / abs(way) if abs(way) > 1 else 0


def _coordinates(
    edges: Iterable[Edge], speech: Speech, frame: Frame, cells: Mapping[str, Cell], room: int
) -> Iterator[Shape]:
    """Draws the coordinates beside the rings that do not show their own names."""
    size = BESIDE * frame.pen
    for edge in edges:
        text = label(edge, speech)
        if spot := _beside(edge, text, cells[edge.cell], frame, room):
            yield Text(
                spot[0], spot[1] + raster.MIDDLE * size, text, size, "muted", anchor="middle", on="paper"
            )


def _beside(edge: Edge, text: str, cell: Cell, frame: Frame, room: int) -> Point | None:
    """Returns the middle of a coordinate beside its ring. None when it would not fit into the picture."""
    # this happens only in the widest rows
    length, size = hypot(edge.dx, edge.dy) or 1, BESIDE * frame.pen
    dx, dy, half = edge.dx / length, edge.dy / length, raster.width(text, size) / 2
    reach = 0.46 * frame.unit + AIR * frame.pen + abs(dx) * half + abs(dy) * size / 2
    x, y = frame.at(cell)
    x, y = x + dx * reach, y + dy * reach
    return (x, y) if half <= x <= room - half else None


def _printed(
    lines: Lines, at: Point, frame: Frame, colour: Colour, on: Colour | None = None
) -> Iterator[Shape]:
    (x, y), unit = at, frame.unit
    for dx, dy in STROKES[lines]:
        ends = (x - dx * unit, y - dy * unit), (x + dx * unit, y + dy * unit)
        yield Line(ends, 1.7 * frame.pen, colour, on=on)


def _mark(mark: Mark, scene: Scene, cells: Mapping[str, Cell], frame: Frame) -> Iterator[Shape]:
    cell = cells[mark.cell]
    (x, y), unit, pen = frame.at(cell), frame.unit, frame.pen
    taken = bool(scene.pieces.get(mark.cell))
    match mark.kind:
        case "from" if not taken:
            yield Disc(x, y, 0.09 * unit, "accent")
        case "to":
            height = len(scene.pieces.get(mark.cell, ()))
            x, foot, rise = tower(height, (x, y), frame, scene.chequered)
            radius = (STACKED if height > 1 else MAN) * unit + AROUND * pen
            yield Disc(x, foot - max(0, height - 1) * rise, radius, None, "accent", AROUND_LINE * pen)
        case "target" if cell.lines:  # lines stay visible around it, and rings are larger
            yield Disc(x, y, 0.17 * unit, GROUNDS[cell.ground])
            yield Disc(x, y, 0.12 * unit, "accent")
        case "target":
            yield Disc(x, y, 0.1 * unit, "label")
        case "removed":
            yield Disc(x, y, RING * unit, "paper", "accent", 1.4 * pen, dashed=True)
            above = 0.17 * unit if scene.shape == "ring" and _is_named(frame) else 0.0  # room for the name
            yield from _cross((x, y - above), 0.13 * unit - above / 4, 0.05 * unit)
        case "captured":
            # With the captor on the cell, the captive lies in a corner: of a pile, in the one without its top
            # and numbers.
            corner = round(0.31 * unit) * (-1 if len(scene.pieces.get(mark.cell, ())) > 1 else 1)
            at, size = ((x + corner, y - corner), 0.6) if taken else ((x, y), 1.0)
            yield from _captive(mark, at, size * unit, pen)


def _captive(mark: Mark, at: Point, unit: float, pen: float) -> Iterator[Shape]:
    """Draws a small man, crossed out, on a patch that hides the arrow below."""
    yield Disc(*at, 0.3 * unit, "ground")
    if mark.piece:
        yield from man(replace(mark.piece, hollow=False), at, 0.24 * unit, pen)
    yield from _cross(at, 0.25 * unit, 0.05 * unit)


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
    gap = MAN * frame.unit + (AROUND + 1.2) * pen
    tip = x - dx * gap, y - dy * gap
    neck = tip[0] - dx * 8 * pen, tip[1] - dy * 8 * pen
    barbs = (
        (neck[0] - dy * 4 * pen, neck[1] + dx * 4 * pen),
        (neck[0] + dy * 4 * pen, neck[1] - dx * 4 * pen),
    )
    yield Line((*way[:-1], neck), 2.2 * pen, "accent", (tip, *barbs), 1.1 * pen)

"""Draws pieces as shapes: men, rings, chessmen, trapdoors, and piles with their heights."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from games.kit import lettering
from games.kit.drawing import Box, Disc, Point, Shape, Text
from games.kit.frame import Frame
from games.kit.scene import Piece, Scene
from games.kit.themes import Colour

# Radii in units (the distance between neighbouring cells).
MAN, STACKED = 0.365, 0.33
GLYPH = 2.5  # the size of a glyph, relative to the radius of a disc
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


def men(
    stack: Sequence[Piece], at: Point, frame: Frame, tall: bool, on: Colour | None = None
) -> Iterator[Shape]:
    """Draws a pile, seen slightly from the front; `tall` when no cell lies straight behind it."""
    x, foot, rise = tower(len(stack), at, frame, tall)
    radius = (MAN if len(stack) == 1 else STACKED) * frame.unit
    for height, piece in enumerate(stack):
        yield from man(piece, (x, foot - height * rise), radius, frame.pen, on)


def heights(stack: Sequence[Piece], at: Point, frame: Frame, tall: bool) -> Iterator[Shape]:
    """Writes the numbers of a pile: of its leading men on the top one, of the men below on a badge.

    Numbers of one are omitted.
    """
    if len(stack) < 2:
        return
    unit = frame.unit
    x, foot, rise = tower(len(stack), at, frame, tall)
    leading = next((n for n, piece in enumerate(reversed(stack)) if piece != stack[-1]), len(stack))
    below = len(stack) - leading
    if leading > 1:
        yield _number(leading, stack[-1], (x, foot - (len(stack) - 1) * rise), CAPS * unit)
    if below > 1:
        badge = x + 0.3 * unit, foot + 0.16 * unit
        yield from man(stack[below - 1], badge, 0.19 * unit, frame.pen)
        yield _number(below, stack[below - 1], badge, BADGE * unit)


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
    baseline = at[1] + lettering.middle(piece.glyph, size)
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


def _number(n: int, piece: Piece, at: Point, size: float) -> Text:
    colour: Colour = "light" if piece.look == "dark" else "dark"
    # A rim in the man's colour separates the number from an arrow below it.
    rim = 0.08 * size
    return Text(at[0], at[1] + lettering.MIDDLE * size, str(n), size, colour, True, "middle", piece.look, rim)

"""Draws pieces, piles, and stacks that show their top and their height."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import dist

from games.kit import raster
from games.kit.crown import crown
from games.kit.drawing import Box, Colour, Disc, Frame, Line, Point, Shape, Text
from games.kit.scene import Piece

GLYPH = 2.55  # the size of a glyph, relative to the radius of a disc
CROWN = 1.1  # the width of a king's crown, relative to the radius of its disc
BAND = 0.36  # the width of a hollow man's rim, relative to its radius
# Of a double piece, relative to the radius: that of its discs, from its middle to that of each, and of the dot on it.
HALF, LIFT, KNOB = 0.92, 0.16, 0.4
SMALL = 0.7  # the radius of a small piece, relative to that of others
PLANKS = 4  # of a trapdoor
STACKED = 0.36  # units (the distance between neighbouring cells): the radius of men in a pile
FIGURE, CIRCLE = 0.3, 0.66  # the radii of a dot and of the ring around it on a disc, relative to its radius
DOT = 0.26  # in the middle of a grey piece, relative to its radius: greys alone are too near to each other in print
# Units from man to man in a pile; the most from foot to top, within the square and into the empty one behind.
RISE, LOW, TALL = 0.13, 0.2, 1.0
CAPS, BADGE = 0.4, 0.32  # font sizes of the numbers on a pile and on the badge at its foot
FOOT = 0.1  # units by which a counted stack stands out below its top
# Of a lettered stack, in radii: the rim of a lower man, the letter of the top one with and without letters below it.
RIM, LETTER, ALONE, BELOW = 0.17, 1.0, 1.2, 0.64
HEIGHT = 0.46  # units: the font size of the height of a counted stack
# Of a piece over several cells, in units: the radius of its dots, the thickness of what joins them, the radius of the
# mark on the chief one, the font size of its level, and how far the shadow of one above the board falls.
SPREAD, JOINT, CHIEF, LEVEL, SHADOW = 0.43, 0.66, 0.24, 0.4, 0.1
ICON = 0.72  # the unit of such a piece beside the board, relative to the radius of others


def man(piece: Piece, at: Point, radius: float, pen: float, on: Colour | None = None) -> Iterator[Shape]:
    """Draws a piece with a thin outline; `on` is the colour of the ground, if it is a single one."""
    outline, radius = 1.1 * pen, radius * (SMALL if piece.small else 1)
    if piece.dots:
        yield from body(piece, _around(piece.dots, at, ICON * radius), ICON * radius, pen)
    elif piece.hatch:
        yield from _hatch(at, radius, pen)
    elif piece.glyph:
        yield _glyph(piece, at, GLYPH * radius, pen, on)
    elif piece.hollow:
        band = BAND * radius
        yield Disc(*at, radius - band / 2, None, "outline", band + outline, on=on)
        yield Disc(*at, radius - band / 2, None, _colour(piece), band - outline, on="outline")
    elif piece.double:
        x, y = at
        for way in (1, -1):
            yield Disc(x, y + way * LIFT * radius, HALF * radius, _colour(piece), "outline", outline)
        yield Disc(x, y - LIFT * radius, KNOB * radius, None, _contrast(piece), 1.5 * outline)
    else:
        colour = _colour(piece)
        yield Disc(*at, radius, colour, "outline", outline, on=on)
        if piece.look in ("grey", "red"):
            yield Disc(*at, DOT * radius, "light", on=colour)
        if piece.figure:
            yield Disc(*at, FIGURE * radius, _contrast(piece), on=colour)
        if piece.figure == "ring":
            yield Disc(*at, CIRCLE * radius, None, _contrast(piece), 0.14 * radius, on=colour)
        if piece.crown:
            yield from crown(piece.look, at, CROWN * radius)


def body(
    piece: Piece, dots: Sequence[Point], unit: float, pen: float, level: int = 0, moved: bool = False
) -> Iterator[Shape]:
    """Draws a piece over several cells, with its dots in the middle of each, the chief one first."""
    colour, thickness = _colour(piece), (2.6 if moved else 1.1) * pen
    # a dark one may lie on another, and a dark line between them would not be seen
    line: Colour = "accent" if moved else "ring" if piece.look == "dark" else "outline"
    way = _way(dots, unit)
    if level:
        shadow = [(x + SHADOW * unit, y + SHADOW * unit) for x, y in dots]
        yield Line(_way(shadow, unit), JOINT * unit, "outline")
        yield from (Disc(*dot, SPREAD * unit, "outline") for dot in shadow)
    yield Line(way, JOINT * unit + thickness, line)
    yield from (Disc(*dot, SPREAD * unit, colour, line, thickness) for dot in dots)
    yield Line(way, JOINT * unit - thickness, colour)
    if way[0] == way[-1]:  # a small triangle would have a hole
        x, y = (sum(along) / len(dots) for along in zip(*dots, strict=True))
        yield Disc(x, y, SPREAD / 2 * unit, colour)
    yield Disc(*dots[0], CHIEF * unit, _contrast(piece), on=colour)
    if level:
        for number, (x, y) in enumerate(dots):
            ink = _contrast(piece) if number else colour
            ground = colour if number else _contrast(piece)
            size = LEVEL * unit
            yield Text(x, y + raster.MIDDLE * size, str(level), size, ink, True, "middle", on=ground)


def _way(dots: Sequence[Point], unit: float) -> tuple[Point, ...]:
    """Returns a way along neighbouring dots, closed where each is the neighbour of each."""
    first, *others = sorted(dots, key=lambda dot: -sum(dist(dot, other) for other in dots))
    nearest = sorted(others, key=lambda dot: dist(first, dot))
    closed = dist(first, nearest[-1]) < 1.5 * unit
    return (first, *nearest, first) if closed else (first, *nearest)


def _around(dots: Sequence[Point], at: Point, unit: float) -> list[Point]:
    """Places dots so that their middle is at a point."""
    middle = [(min(way) + max(way)) / 2 for way in zip(*dots, strict=True)]
    return [(at[0] + (x - middle[0]) * unit, at[1] + (y - middle[1]) * unit) for x, y in dots]


def _colour(piece: Piece) -> Colour:
    # Red men bear a light dot, and the last move has a light rim where it crosses them: one colour is enough for both.
    if piece.look == "pale":
        return "ring"
    return "accent" if piece.look == "red" else piece.look


def counted(stack: Sequence[Piece], badge: Piece | None, at: Point, frame: Frame) -> Iterator[Shape]:
    """Draws the top piece of a stack with its height, and a badge in its corner."""
    (x, y), unit, pen, top = at, frame.unit, frame.pen, stack[-1]
    if len(stack) > 1:
        yield from man(top, (x, y + FOOT * unit), frame.man * unit, pen)
    yield from man(top, at, frame.man * unit, pen)
    if len(stack) > 1 and top.figure:  # the figure stays visible
        corner = x + 0.3 * unit, y + 0.26 * unit
        yield Disc(*corner, 0.2 * unit, _colour(top), _contrast(top), 1.1 * pen)
        yield _number(len(stack), top, corner, BADGE * unit)
    elif len(stack) > 1:
        yield _number(len(stack), top, at, HEIGHT * unit)
    if badge:
        yield Disc(x + 0.3 * unit, y - 0.3 * unit, 0.15 * unit, _colour(badge), "light", 1.4 * pen)


def lettered(stack: Sequence[Piece], letters: str, at: Point, radius: float, pen: float) -> Iterator[Shape]:
    """Draws a stack with the rim of each man; the top one bears its letter, and those of the men below it."""
    (x, y), top, below = at, stack[-1], letters[:-1]
    for lower, piece in enumerate(stack, start=1 - len(stack)):
        yield Disc(x, y - lower * RIM * radius, radius, _colour(piece), "outline", 1.1 * pen)
    rise, size = (0.3 * radius, LETTER) if below else (0, ALONE)
    yield _letters(letters[-1], top, (x, y - rise), size * radius)
    if below:
        yield _letters(below, top, (x, y + 0.42 * radius), BELOW * radius * min(1, 4 / len(below)))


def _letters(letters: str, piece: Piece, at: Point, size: float) -> Text:
    y = at[1] + raster.MIDDLE * size
    colour: Colour = "dark" if piece.look in ("light", "pale") else "light"
    return Text(at[0], y, letters, size, colour, True, "middle", on=_colour(piece))


def men(
    stack: Sequence[Piece], at: Point, frame: Frame, tall: bool, on: Colour | None = None
) -> Iterator[Shape]:
    """Draws a pile, seen slightly from the front; `tall` when only the board lies straight behind it."""
    x, foot, rise = tower(len(stack), at, frame, tall)
    radius = (frame.man if len(stack) == 1 else STACKED) * frame.unit
    for height, piece in enumerate(stack):
        y, covered = foot - height * rise, piece.crown and height < len(stack) - 1
        yield from man(replace(piece, crown=piece.crown and not covered), (x, y), radius, frame.pen, on)
        if covered:  # a small crown on the rim that stays visible
            yield from crown(piece.look, (x, y + radius - 0.46 * rise), 1.1 * rise)


def heights(stack: Sequence[Piece], at: Point, frame: Frame, tall: bool) -> Iterator[Shape]:
    """Writes the numbers of a pile: of its leading men on the top one, of the men below on a badge.

    Only the number of a single leading man is omitted. The number below a crown has a badge of its own.
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
    if below:
        yield from _badge(below, stack[below - 1], (x + 0.3 * unit, foot + 0.16 * unit), frame)


def tower(height: int, at: Point, frame: Frame, tall: bool) -> tuple[float, float, float]:
    """Returns the middle of a pile's lowest man, x and y, and the distance between its men."""
    if height < 2:
        return *at, 0
    rise = min(RISE, (TALL if tall else LOW) / (height - 1)) * frame.unit
    return at[0], at[1] + min(0.14 * frame.unit, rise * (height - 1) / 2), rise


def _glyph(piece: Piece, at: Point, size: float, pen: float, on: Colour | None) -> Text:
    """Draws a character in the piece's colour; the edge also draws its inner lines."""
    edge = _contrast(piece)
    baseline = at[1] + raster.middle(piece.glyph, size)
    thickness = max(0.8, 0.8 * pen)
    return Text(at[0], baseline, piece.glyph, size, _colour(piece), False, "middle", edge, thickness, on)


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


def _contrast(piece: Piece) -> Colour:
    return "light" if piece.look == "dark" else "dark"


def _badge(n: int, piece: Piece, at: Point, frame: Frame) -> Iterator[Shape]:
    yield from man(replace(piece, crown=False), at, 0.19 * frame.unit, frame.pen)
    yield _number(n, piece, at, BADGE * frame.unit)


def _number(n: int, piece: Piece, at: Point, size: float) -> Text:
    # A rim in the man's colour separates the number from an arrow below it.
    y, colour, rim = at[1] + raster.MIDDLE * size, _contrast(piece), 0.08 * size
    return Text(at[0], y, str(n), size, colour, True, "middle", _colour(piece), rim)

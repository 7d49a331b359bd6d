"""Renders shapes as anti-aliased masks of pixel coverage."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from math import ceil, floor, pi
from typing import NamedTuple

from PIL import Image, ImageDraw

from games.kit import lettering
from games.kit.drawing import Point
from games.kit.themes import Colour

FINE = 4  # masks are drawn this many times larger, then reduced: Pillow does not anti-alias
STRIP = 64  # pixels: the height of the parts in which a line is drawn

Coat = tuple[Colour, Image.Image]  # a colour and its coverage of each pixel
Layers = tuple[Coat, ...]  # in painting order, all of one size
Box = tuple[int, int, int, int]
ROUND = ((0.0, 360.0),)


class Round(NamedTuple):
    """A disc without its position."""

    radius: float
    fill: Colour | None
    line: Colour | None
    thickness: float
    dashed: bool
    hole: Colour | None
    inner: float


class Letters(NamedTuple):
    """A text without its position."""

    text: str
    size: float
    bold: bool
    coats: tuple[tuple[Colour, float], ...]


class Stroke(NamedTuple):
    """A line relative to a whole pixel."""

    points: tuple[Point, ...]
    head: tuple[Point, ...]
    thickness: float
    coats: tuple[tuple[Colour, float], ...]


class Stencil(NamedTuple):
    """The coats to paint, the offset of their corner, and the colour at the edge."""

    left: int
    top: int
    coats: Layers
    outermost: Colour


@lru_cache(maxsize=256)
def disc(shape: Round) -> tuple[Stencil, ...]:
    """Renders a disc relative to its centre."""
    radius, fill, line, thickness, dashed, hole, inner = shape
    side = 2 * ceil(radius + (thickness / 2 if line else 0)) + 1
    coats = list[Coat]()
    if fill and line and dashed:  # the edge is thinner between dashes
        coats += [(line, _circle(side, radius)), (fill, _circle(side, radius - thickness / 2))]
    elif fill:
        coats.append((fill, _circle(side, radius)))
    if line:
        coats.append((line, _ring(side, radius, thickness, _dashes(radius, thickness) if dashed else ROUND)))
    if hole:
        coats.append((hole, _circle(side, inner)))
    if hole and line:
        coats.append((line, _ring(side, inner, thickness, ROUND)))
    return (Stencil(-(side // 2), -(side // 2), tuple(coats), line or fill or "paper"),)


def _circle(side: int, radius: float) -> Image.Image:
    mask = Image.new("L", (side * FINE, side * FINE))
    ImageDraw.Draw(mask).ellipse(_around(side, radius), fill=255)
    return mask.reduce(FINE)


def _ring(side: int, radius: float, thickness: float, arcs: Iterable[tuple[float, float]]) -> Image.Image:
    mask = Image.new("L", (side * FINE, side * FINE))
    draw = ImageDraw.Draw(mask)
    for start, end in arcs:
        draw.arc(_around(side, radius + thickness / 2), start, end, 255, round(thickness * FINE))
    return mask.reduce(FINE)


def _around(side: int, radius: float) -> tuple[float, float, float, float]:
    middle, reach = side * FINE / 2, radius * FINE
    return middle - reach, middle - reach, middle + reach, middle + reach


def _dashes(radius: float, thickness: float) -> list[tuple[float, float]]:
    """Returns the start and end angles of the dashes, in degrees."""
    count = max(6, round(2 * pi * radius / (5 * thickness)))
    return [(360 * i / count, 360 * (i + 0.55) / count) for i in range(count)]


@lru_cache(maxsize=256)
def words(shape: Letters) -> tuple[Stencil, ...]:
    """Renders a text relative to its start on the baseline."""
    return tuple(_word(shape, text, start) for text, start in lettering.words(*shape[:3]))


def _word(shape: Letters, text: str, start: int) -> Stencil:
    placed = [(colour, *lettering.stencil(text, *shape[1:3], edge)) for colour, edge in shape.coats]
    left, top = min(x for _, _, x, _ in placed), min(y for _, _, _, y in placed)
    right = max(x + mask.width for _, mask, x, _ in placed)
    bottom = max(y + mask.height for _, mask, _, y in placed)
    coats = list[Coat]()
    for colour, mask, x, y in placed:
        cover = Image.new("L", (right - left, bottom - top))
        cover.paste(mask, (x - left, y - top))
        coats.append((colour, cover))
    return Stencil(start + left, top, tuple(coats), coats[0][0])


def line(shape: Stroke) -> tuple[Stencil, ...]:
    """Renders a line in strips."""
    # the box around a slanting line is mostly empty and slow to draw enlarged
    return tuple(
        Stencil(
            *box[:2], tuple((colour, _drawn(shape, halo, box)) for colour, halo in shape.coats), outermost
        )
        for box in _strips(shape)
        for outermost, _ in shape.coats[:1]
    )


def _drawn(shape: Stroke, halo: float, box: Box) -> Image.Image:
    left, top, right, bottom = box
    way, head = (
        [((x - left) * FINE, (y - top) * FINE) for x, y in part] for part in (shape.points, shape.head)
    )
    mask = Image.new("L", ((right - left) * FINE, (bottom - top) * FINE))
    draw = ImageDraw.Draw(mask)
    draw.line(way, 255, round((shape.thickness + 2 * halo) * FINE), joint="curve")
    if head:
        draw.polygon(head, 255)
        draw.line((*head, *head[:2]), 255, round(2 * halo * FINE) or 1, joint="curve")
    return mask.reduce(FINE)


def _strips(shape: Stroke) -> Iterator[Box]:
    """Yields boxes of whole pixels from the top down that cover the line."""
    reach = shape.thickness / 2 + max(halo for _, halo in shape.coats) + 2
    sides = [*pairwise(shape.points), *pairwise((*shape.head, *shape.head[:1]))]
    heights = [y for _, y in (*shape.points, *shape.head)]
    end = ceil(max(heights) + reach)
    for top in range(floor(min(heights) - reach), end, STRIP):
        bottom = min(top + STRIP, end)
        xs = [x for side in sides for x in _crossed(*side, top - reach, bottom + reach)]
        if xs:
            yield floor(min(xs) - reach), top, ceil(max(xs) + reach), bottom


def _crossed(one: Point, other: Point, top: float, bottom: float) -> tuple[float, ...]:
    """Returns the x coordinates between which a line runs from `top` to `bottom`. Empty when it lies outside."""
    (x, y), (x2, y2) = sorted((one, other), key=lambda point: point[1])
    if y2 < top or y > bottom:
        return ()
    if y == y2:
        return x, x2
    return tuple(x + (x2 - x) * (min(max(height, y), y2) - y) / (y2 - y) for height in (top, bottom))

"""A scene as PNG: the shapes of its layout, painted smooth and then reduced to a small palette."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, lru_cache
from io import BytesIO
from itertools import pairwise
from math import ceil, floor, pi

from PIL import Image, ImageDraw

from games.kit import lettering
from games.kit.drawing import Box, Disc, Drawing, Line, Point, Shape, Text
from games.kit.layout import WIDTH, Caption, lay_out
from games.kit.scene import Scene
from games.kit.themes import DEFAULT, STEPS, Colour, Theme
from games.kit.words import Speech

STRIP = 64  # pixels of height that a line is painted in at a time
FINE = 4  # Pillow draws circles and lines in steps: draw larger, then reduce
# Level 6 would save 2 kB of 17 and cost 1.5 ms of 4.
COMPRESSION = 3
SHIFT = {"start": 0.0, "middle": 0.5, "end": 1.0}


def png(scene: Scene, speech: Speech, caption: Caption, theme: Theme = DEFAULT, width: int = WIDTH) -> bytes:
    """The picture, `width` pixels wide."""
    return packed(painted(lay_out(scene, speech, caption, width), theme))


def painted(drawing: Drawing, theme: Theme, steps: int = STEPS) -> Image.Image:
    """The drawing in the palette of its theme with so many steps."""
    image = Image.new("RGB", (drawing.width, drawing.height), theme.paper)
    for shape in drawing.shapes:
        _paint(image, shape, theme)
    return image.quantize(palette=_palette(theme, steps), dither=Image.Dither.NONE)


def packed(image: Image.Image) -> bytes:
    """As PNG."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=COMPRESSION)
    return file.getvalue()


def _paint(image: Image.Image, shape: Shape, theme: Theme) -> None:
    match shape:
        case Box():
            box = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            image.paste(theme.rgb(shape.fill), box)
        case Disc():
            sprite, mask = _sprite(shape.radius, shape.fill, shape.line, shape.thickness, shape.dashed, theme)
            corner = round(shape.x - sprite.width / 2), round(shape.y - sprite.height / 2)
            image.paste(sprite, corner, mask)
        case Line():
            _paint_line(image, shape, theme)
        case Text() if shape.text:
            shift = SHIFT[shape.anchor] * lettering.width(shape.text, shape.size, shape.bold)
            for colour, edge in shape.coats:
                mask, x, y = lettering.mask(shape.text, shape.size, shape.bold, edge)
                image.paste(theme.rgb(colour), (round(shape.x - shift) - x, round(shape.y) - y), mask)


@lru_cache(maxsize=512)
def _sprite(
    radius: float, fill: Colour | None, line: Colour | None, thickness: float, dashed: bool, theme: Theme
) -> tuple[Image.Image, Image.Image]:
    """A circle in the middle of a square: its colours and its mask."""
    half = thickness / 2 if line else 0
    side = 2 * ceil(radius + half) + 1
    middle = side * FINE / 2
    colours = Image.new("RGB", (side * FINE, side * FINE), theme.rgb(line or fill or "paper"))
    mask = Image.new("L", colours.size)
    paint, cover = ImageDraw.Draw(colours), ImageDraw.Draw(mask)

    def ring(radius: float) -> tuple[float, float, float, float]:
        reach = radius * FINE
        return middle - reach, middle - reach, middle + reach, middle + reach

    if fill:
        paint.ellipse(ring(radius - half), fill=theme.rgb(fill))
        cover.ellipse(ring(radius if dashed else radius + half), fill=255)
    if line:
        for start, end in _dashes(radius, thickness) if dashed else [(0.0, 360.0)]:
            paint.arc(ring(radius + half), start, end, theme.rgb(line), round(thickness * FINE))
            cover.arc(ring(radius + half), start, end, 255, round(thickness * FINE))
    return colours.reduce(FINE), mask.reduce(FINE)


def _dashes(radius: float, thickness: float) -> list[tuple[float, float]]:
    """Arcs in degrees, about two and a half times as long as thick and as far apart."""
    count = max(6, round(2 * pi * radius / (5 * thickness)))
    return [(360 * i / count, 360 * (i + 0.55) / count) for i in range(count)]


def _paint_line(image: Image.Image, line: Line, theme: Theme) -> None:
    """Strip by strip: the box around a slanting line is mostly empty, and drawing it fine is dear."""
    for colour, halo in line.coats:
        for left, top, right, bottom in _strips(line):
            way, head = (
                tuple((round((x - left) * FINE, 3), round((y - top) * FINE, 3)) for x, y in part)
                for part in (line.points, line.head)
            )
            mask = _stroke((right - left, bottom - top), way, head, line.thickness, halo)
            image.paste(theme.rgb(colour), (left, top), mask)


# What is printed on a board are the same few strokes, again and again.
@lru_cache(maxsize=64)
def _stroke(
    size: tuple[int, int], way: tuple[Point, ...], head: tuple[Point, ...], thickness: float, halo: float
) -> Image.Image:
    """The mask of a line in a box of this size, its points in fine pixels."""
    mask = Image.new("L", (size[0] * FINE, size[1] * FINE))
    draw = ImageDraw.Draw(mask)
    draw.line(way, 255, round((thickness + 2 * halo) * FINE), joint="curve")
    if head:
        draw.polygon(head, 255)
        draw.line((*head, *head[:2]), 255, round(2 * halo * FINE) or 1, joint="curve")
    return mask.reduce(FINE)


def _strips(line: Line) -> Iterator[tuple[int, int, int, int]]:
    """Boxes of whole pixels, one below the other, that hold all of a line."""
    reach = line.thickness / 2 + line.halo + 2
    sides = [*pairwise(line.points), *pairwise((*line.head, *line.head[:1]))]
    heights = [y for _, y in (*line.points, *line.head)]
    end = ceil(max(heights) + reach)
    for top in range(floor(min(heights) - reach), end, STRIP):
        bottom = min(top + STRIP, end)
        xs = [x for side in sides for x in _crossed(*side, top - reach, bottom + reach)]
        if xs:
            yield floor(min(xs) - reach), top, ceil(max(xs) + reach), bottom


def _crossed(one: Point, other: Point, top: float, bottom: float) -> tuple[float, ...]:
    """Where the part of a line that lies between two heights begins and ends."""
    (x, y), (x2, y2) = sorted((one, other), key=lambda point: point[1])
    if y2 < top or y > bottom:
        return ()
    if y == y2:
        return x, x2
    return tuple(x + (x2 - x) * (min(max(height, y), y2) - y) / (y2 - y) for height in (top, bottom))


@cache
def _palette(theme: Theme, steps: int) -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette([part for colour in theme.palette(steps) for part in colour])
    return image

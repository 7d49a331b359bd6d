"""A scene as PNG: the shapes of its layout, painted smooth in a small palette."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, lru_cache
from io import BytesIO
from itertools import pairwise
from math import ceil, floor, pi
from operator import attrgetter
from typing import NamedTuple

from PIL import Image, ImageDraw

from games.kit import lettering
from games.kit.drawing import Box, Disc, Drawing, Line, Point, Shape, Text
from games.kit.layout import WIDTH, Caption, lay_out
from games.kit.scene import Scene
from games.kit.themes import DEFAULT, STEPS, Colour, Rgb, Theme
from games.kit.words import Speech

STRIP = 64  # pixels of height that a line is painted in at a time
FINE = 4  # Pillow draws circles and lines in steps: draw larger, then reduce
# Level 6 would save 2 kB of 17 and cost 1.5 ms of 4.
COMPRESSION = 3
SHIFT = {"start": 0.0, "middle": 0.5, "end": 1.0}


# All of a disc but where it is.
Look = tuple[float, Colour | None, Colour | None, float, bool, Colour | None, float]
_look_of: Callable[[Disc], Look] = attrgetter(
    "radius", "fill", "line", "thickness", "dashed", "hole", "inner"
)
# Its box, way, head, thickness and halo.
Stroke = tuple[tuple[int, int], tuple[Point, ...], tuple[Point, ...], float, float]


class Ink(NamedTuple):
    """What a drawing is painted in."""

    theme: Theme
    steps: int


def png(scene: Scene, speech: Speech, caption: Caption, theme: Theme = DEFAULT, width: int = WIDTH) -> bytes:
    """The picture, `width` pixels wide."""
    return packed(painted(lay_out(scene, speech, caption, width), theme))


def painted(drawing: Drawing, theme: Theme, steps: int = STEPS) -> Image.Image:
    """The drawing in the palette of its theme with so many steps."""
    image = Image.new("P", (drawing.width, drawing.height), _index(theme, "paper"))
    image.putpalette(_colours(theme, steps))
    ink = Ink(theme, steps)
    for shape in drawing.shapes:
        _paint(image, shape, ink)
    return image


def packed(image: Image.Image) -> bytes:
    """As PNG."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=COMPRESSION)
    return file.getvalue()


def _paint(image: Image.Image, shape: Shape, ink: Ink) -> None:
    match shape:
        case Box():
            box = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            image.paste(_index(ink.theme, shape.fill), box)
        case Disc():
            look = _look_of(shape)
            side = _side(shape.radius, shape.thickness if shape.line else 0)
            left, top = round(shape.x - side / 2), round(shape.y - side / 2)
            below = image.crop((left, top, left + side, top + side))
            image.paste(_disc(below.tobytes(), look, ink), (left, top))
        case Line():
            _paint_line(image, shape, ink)
        case Text() if shape.text:
            shift = SHIFT[shape.anchor] * lettering.width(shape.text, shape.size, shape.bold)
            for colour, edge in shape.coats:
                mask, x, y = lettering.mask(shape.text, shape.size, shape.bold, edge)
                left, top = round(shape.x - shift) - x, round(shape.y) - y
                below = image.crop((left, top, left + mask.width, top + mask.height))
                letters = (shape.text, shape.size, shape.bold, edge)
                image.paste(_letters(below.tobytes(), letters, colour, ink), (left, top))


# Most of a picture has been in one before: the same man on the same ground. What a shape makes of the pixels
# below it is kept, and only what was never seen is blended.
@lru_cache(maxsize=1024)
def _disc(below: bytes, look: Look, ink: Ink) -> Image.Image:
    colours, mask = _sprite(Disc(0, 0, *look), ink.theme)
    return _blended(below, colours, mask, ink)


@lru_cache(maxsize=1024)
def _letters(below: bytes, letters: tuple[str, float, bool, float], colour: Colour, ink: Ink) -> Image.Image:
    return _blended(below, ink.theme.rgb(colour), lettering.mask(*letters)[0], ink)


@lru_cache(maxsize=256)
def _line(below: bytes, stroke: Stroke, colour: Colour, ink: Ink) -> Image.Image:
    return _blended(below, ink.theme.rgb(colour), _stroke(*stroke), ink)


def _blended(below: bytes, colours: Image.Image | Rgb, mask: Image.Image, ink: Ink) -> Image.Image:
    image = Image.frombytes("P", mask.size, below)
    image.putpalette(_colours(ink.theme, ink.steps))
    fine = image.convert("RGB")
    fine.paste(colours, (0, 0, *mask.size), mask)
    return fine.quantize(palette=_palette(ink.theme, ink.steps), dither=Image.Dither.NONE)


def _side(radius: float, thickness: float) -> int:
    """Of the square around a circle, in pixels."""
    return 2 * ceil(radius + thickness / 2) + 1


@lru_cache(maxsize=512)
def _sprite(disc: Disc, theme: Theme) -> tuple[Image.Image, Image.Image]:
    """A circle in the middle of a square: its colours and its mask."""
    radius, fill, line, thickness = disc.radius, disc.fill, disc.line, disc.thickness
    half = thickness / 2 if line else 0
    side = _side(radius, 2 * half)
    middle = side * FINE / 2
    colours = Image.new("RGB", (side * FINE, side * FINE), theme.rgb(line or fill or "paper"))
    mask = Image.new("L", colours.size)
    paint, cover = ImageDraw.Draw(colours), ImageDraw.Draw(mask)

    def ring(radius: float) -> tuple[float, float, float, float]:
        reach = radius * FINE
        return middle - reach, middle - reach, middle + reach, middle + reach

    if fill:
        paint.ellipse(ring(radius - half), fill=theme.rgb(fill))
        cover.ellipse(ring(radius if disc.dashed else radius + half), fill=255)
    if line:
        for start, end in _dashes(radius, thickness) if disc.dashed else [(0.0, 360.0)]:
            paint.arc(ring(radius + half), start, end, theme.rgb(line), round(thickness * FINE))
            cover.arc(ring(radius + half), start, end, 255, round(thickness * FINE))
    if disc.hole:
        box = ring(disc.inner + half)
        paint.ellipse(box, theme.rgb(disc.hole), theme.rgb(line or disc.hole), round(thickness * FINE))
    return colours.reduce(FINE), mask.reduce(FINE)


def _dashes(radius: float, thickness: float) -> list[tuple[float, float]]:
    """Arcs in degrees, about two and a half times as long as thick and as far apart."""
    count = max(6, round(2 * pi * radius / (5 * thickness)))
    return [(360 * i / count, 360 * (i + 0.55) / count) for i in range(count)]


def _paint_line(image: Image.Image, line: Line, ink: Ink) -> None:
    """Strip by strip: the box around a slanting line is mostly empty, and drawing it fine is dear."""
    for colour, halo in line.coats:
        for left, top, right, bottom in _strips(line):
            way, head = (
                tuple((round((x - left) * FINE, 3), round((y - top) * FINE, 3)) for x, y in part)
                for part in (line.points, line.head)
            )
            stroke = ((right - left, bottom - top), way, head, line.thickness, halo)
            below = image.crop((left, top, right, bottom)).tobytes()
            image.paste(_line(below, stroke, colour, ink), (left, top))


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
def _index(theme: Theme, colour: Colour) -> int:
    """In the palette, whose first are the colours themselves."""
    return theme.palette().index(theme.rgb(colour))


@cache
def _colours(theme: Theme, steps: int) -> bytes:
    return bytes(part for colour in theme.palette(steps) for part in colour)


@cache
def _palette(theme: Theme, steps: int) -> Image.Image:
    image = Image.new("P", (1, 1))
    image.putpalette(_colours(theme, steps))
    return image

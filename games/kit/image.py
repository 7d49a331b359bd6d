"""A scene as PNG: the shapes of its layout, painted smooth in a small palette."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from io import BytesIO
from math import floor
from operator import attrgetter
from typing import Any

from PIL import Image

from games.kit import cover, lettering
from games.kit.blend import Ink, Veil, colours, index, veil
from games.kit.cover import Letters, Round, Stencil, Stroke
from games.kit.drawing import Box, Disc, Drawing, Line, Text
from games.kit.layout import WIDTH, Caption, lay_out
from games.kit.scene import Scene
from games.kit.themes import DEFAULT, STEPS, Colour, Theme
from games.kit.words import Speech

# Level 6 would save 2 kB of 17 and cost 1.5 ms of 4.
COMPRESSION = 3
SHIFT = {"start": 0.0, "middle": 0.5, "end": 1.0}

Place = tuple[int, int]
Outline = Round | Letters | Stroke
Stamp = tuple[
    int, int, Image.Image, Image.Image | None
]  # its corner, its pixels, and which of them are painted
_round: Callable[[Disc], tuple[Any, ...]] = attrgetter(
    "radius", "fill", "line", "thickness", "dashed", "hole", "inner"
)


def png(scene: Scene, speech: Speech, caption: Caption, theme: Theme = DEFAULT, width: int = WIDTH) -> bytes:
    """The picture, `width` pixels wide."""
    return packed(painted(lay_out(scene, speech, caption, width), theme))


def painted(drawing: Drawing, theme: Theme, steps: int = STEPS) -> Image.Image:
    """The drawing in the palette of its theme with so many steps."""
    image = Image.new("L", (drawing.width, drawing.height), index(theme, "paper"))
    ink = Ink(theme, steps)
    for shape in drawing.shapes:
        if isinstance(shape, Box):
            box = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            image.paste(index(theme, shape.fill), box)
        else:
            at, outline = _outline(shape)
            if shape.on:
                _stamp(image, at, outline, shape.on, ink)
            else:
                _blend(image, at, outline, ink)
    image.putpalette(colours(ink))
    return image


def packed(image: Image.Image) -> bytes:
    """As PNG."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=COMPRESSION)
    return file.getvalue()


def _outline(shape: Disc | Line | Text) -> tuple[Place, Outline]:
    """All of a shape but where it is, and the pixel that it is seen from."""
    match shape:
        case Disc():
            return (round(shape.x - 0.5), round(shape.y - 0.5)), Round(*_round(shape))
        case Text():
            shift = SHIFT[shape.anchor]
            letters = Letters(shape.text, shape.size, shape.bold, shape.coats)
            start = shape.x - shift * lettering.width(*letters[:3]) if shift else shape.x
            return (round(start), round(shape.y)), letters
        case Line():
            x, y = map(floor, shape.points[0])
            points = tuple((px - x, py - y) for px, py in shape.points)
            head = tuple((round(px - x, 3), round(py - y, 3)) for px, py in shape.head)
            return (x, y), Stroke(points, head, shape.thickness, shape.coats)


def _stencils(outline: Outline) -> tuple[Stencil, ...]:
    match outline:
        case Round():
            return cover.disc(outline)
        case Letters():
            return cover.words(outline)
        case Stroke():
            return cover.line(outline)


def _stamp(image: Image.Image, at: Place, outline: Outline, on: Colour, ink: Ink) -> None:
    """Over the one colour that is below."""
    for left, top, pixels, mask in _stamps(outline, on, ink):
        image.paste(pixels, (at[0] + left, at[1] + top), mask)


@lru_cache(maxsize=2048)
def _stamps(outline: Outline, on: Colour, ink: Ink) -> tuple[Stamp, ...]:
    if isinstance(outline, Letters) and len(words := lettering.words(*outline[:3])) > 1:
        return tuple(
            (start + left, top, pixels, mask)
            for word, start in words
            for left, top, pixels, mask in _stamps(outline._replace(text=word), on, ink)
        )
    # Around plain letters there is room enough for their box.
    plain = isinstance(outline, Letters) and len(outline.coats) == 1
    ground = bytes([index(ink.theme, on)])
    return tuple(
        (v.left, v.top, v.over(ground * len(v.cover), ink), None if plain else v.touched)
        for v in (veil(stencil, ink) for stencil in _stencils(outline))
    )


def _blend(image: Image.Image, at: Place, outline: Outline, ink: Ink) -> None:
    """Over the pixels that are there."""
    for number, part in enumerate(_veils(outline, ink)):
        x, y = at[0] + part.left, at[1] + part.top
        box = x, y, x + part.size[0], y + part.size[1]
        below = image.crop(box).tobytes()
        # Two arrows are hardly ever the same.
        again = not isinstance(outline, Stroke)
        image.paste(_over(below, outline, number, ink) if again else part.over(below, ink), box)


@lru_cache(maxsize=64)
def _veils(outline: Outline, ink: Ink) -> tuple[Veil, ...]:
    return tuple(veil(stencil, ink) for stencil in _stencils(outline))


# Most of a picture has been in one before: the same man on the same man.
@lru_cache(maxsize=512)
def _over(below: bytes, outline: Outline, number: int, ink: Ink) -> Image.Image:
    return _veils(outline, ink)[number].over(below, ink)

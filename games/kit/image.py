"""Renders a scene as PNG with anti-aliased shapes and a small palette."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from functools import cache, lru_cache
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from math import floor
from operator import attrgetter
from struct import pack
from typing import Any, NamedTuple

from PIL import Image, ImageChops

from games.kit import coverage, lettering
from games.kit.coverage import Layers, Letters, Round, Stencil, Stroke
from games.kit.drawing import Box, Disc, Drawing, Line, Shape, Sheet, Text
from games.kit.layout import WIDTH, Caption, lay_out
from games.kit.scene import Scene
from games.kit.themes import DEFAULT, STEPS, Colour, Theme
from games.kit.words import Speech

# Blending of colours within a palette: pixels are indices.


class Palette(NamedTuple):
    """The theme of a drawing, and the number of steps between two colours."""

    theme: Theme
    steps: int


class AlphaMask(NamedTuple):
    """A stencil over arbitrary pixels, which show through its outermost colour at the edges only."""

    left: int
    top: int
    size: tuple[int, int]
    cover: bytes  # in steps
    outermost: Colour
    solid: Image.Image
    inside: Image.Image

    def over(self, below: bytes, ink: Palette) -> Image.Image:
        image = _image(self.size, below)
        for step in range(1, ink.steps):
            becomes = below.translate(_mixed(self.outermost, step, ink))
            image.paste(
                _image(self.size, becomes), None, _image(self.size, self.cover.translate(_only(step)))
            )
        image.paste(self.solid, None, self.inside)
        return image


def alpha_mask(stencil: Stencil, ink: Palette) -> AlphaMask:
    size, cover = stencil.coats[0][1].size, _cover(stencil.coats, ink)
    solid = laid(index(ink.theme, stencil.outermost), stencil.coats, ink)
    inside = _image(size, cover.translate(_only(ink.steps)))
    return AlphaMask(stencil.left, stencil.top, size, cover, stencil.outermost, solid, inside)


def laid(ground: int, coats: Layers, ink: Palette) -> Image.Image:
    """Paints the coats one after the other on a single colour."""
    (colour, cover), *rest = coats
    steps = cover.tobytes().translate(_rounded(ink.steps))
    image = _image(cover.size, steps.translate(_over_blend(ground, colour, ink)))
    for colour, cover in rest:
        below, steps = image.tobytes(), cover.tobytes().translate(_rounded(ink.steps))
        for step in range(1, ink.steps + 1):
            becomes = _image(cover.size, below.translate(_mixed(colour, step, ink)))
            image.paste(becomes, None, _image(cover.size, steps.translate(_only(step))))
    return image


def touched(coats: Layers, ink: Palette) -> Image.Image:
    """Returns the mask of the pixels that change."""
    return _image(coats[0][1].size, _cover(coats, ink).translate(_SOME))


@cache
def index(theme: Theme, colour: Colour) -> int:
    """Returns the index of a colour in the palette."""
    return theme.palette().index(theme.rgb(colour))


@cache
def colours(ink: Palette) -> bytes:
    """Returns the palette in Pillow's format."""
    return bytes(part for colour in ink.theme.palette(ink.steps) for part in colour)


def _cover(coats: Layers, ink: Palette) -> bytes:
    """Returns the joint coverage of the coats, in steps."""
    clear = ImageChops.invert(coats[0][1])
    for _, mask in coats[1:]:
        clear = ImageChops.multiply(clear, ImageChops.invert(mask))
    return ImageChops.invert(clear).tobytes().translate(_rounded(ink.steps))


def _image(size: tuple[int, int], pixels: bytes) -> Image.Image:
    return Image.frombytes("L", size, pixels)


_SOME = bytes(255 * (part > 0) for part in range(256))


@cache
def _rounded(steps: int) -> bytes:
    """Returns the table from coverage to steps."""
    return bytes(round(part * steps / 255) for part in range(256))


@cache
def _only(step: int) -> bytes:
    """Returns the table that masks the pixels covered by exactly `step` steps."""
    return bytes(255 * (part == step) for part in range(256))


@cache
def _over_blend(below: int, colour: Colour, ink: Palette) -> bytes:
    """Returns the table from steps of coverage to the resulting index, over the colour `below`."""
    return bytes(_mixed(colour, min(part, ink.steps), ink)[below] for part in range(256))


@cache
def _mixed(colour: Colour, step: int, ink: Palette) -> bytes:
    """Returns the table from each index to that of its blend, `step` steps of the way to `colour`."""
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours(ink))
    every = Image.frombytes("P", (256, 1), bytes(range(256)))
    every.putpalette(colours(ink))
    flat = Image.new("RGB", every.size, ink.theme.rgb(colour))
    mixed = Image.blend(every.convert("RGB"), flat, step / ink.steps)
    return mixed.quantize(palette=palette, dither=Image.Dither.NONE).tobytes()


# PNG encoding of palette indices, with a choice of compressor

ISAL = import_module("isal.isal_zlib") if find_spec("isal") else None  # not available for every processor
SIGNATURE = b"\x89PNG\r\n\x1a\n"
DEPTH, INDEXED = 8, 3


def encoded(pixels: Image.Image, palette: bytes) -> bytes:
    """Encodes a PNG. `palette` has three bytes per colour; the first column of `pixels` (mode L) is not
    shown.
    """
    header = pack(">IIBBBBB", pixels.width - 1, pixels.height, DEPTH, INDEXED, 0, 0, 0)
    # The column holds the filter type of each row, 0 for none; copying the image to add it would take longer
    # than compressing.
    pixels.paste(0, (0, 0, 1, pixels.height))
    rows = pixels.tobytes()
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", _compressed(rows)), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    return b"".join((pack(">I", len(data)), kind, data, pack(">I", zlib.crc32(data, zlib.crc32(kind)))))


def _compressed(rows: bytes) -> bytes:
    # ISA-L takes an eighth of zlib's time; its output is a few hundredths larger.
    if ISAL:
        # The lowest memory level makes short blocks, each with its own code: a fortieth smaller, for 0.1 ms.
        packer = ISAL.compressobj(1, ISAL.DEFLATED, ISAL.MAX_WBITS, 1)
        return bytes(packer.compress(rows) + packer.flush())
    # A memory level of 6 compresses as well and is faster (cache). Level 6 would save a fifth and take over
    # twice as long.
    packer = zlib.compressobj(3, zlib.DEFLATED, zlib.MAX_WBITS, 6)
    return packer.compress(rows) + packer.flush()


# Level 6 would save 2 kB of 17 and cost 1.5 ms of 4.
COMPRESSION = 3
SHIFT = {"start": 0.0, "middle": 0.5, "end": 1.0}

Place = tuple[int, int]
Outline = Round | Letters | Stroke
Stamp = tuple[int, int, Image.Image, Image.Image | None]  # its corner, its pixels, the mask of painted ones
_round: Callable[[Disc], tuple[Any, ...]] = attrgetter(
    "radius", "fill", "line", "thickness", "dashed", "hole", "inner"
)


def render_png(
    scene: Scene, speech: Speech, caption: Caption, theme: Theme = DEFAULT, width: int = WIDTH
) -> bytes:
    """Renders the scene as PNG, `width` pixels wide."""
    ink = Palette(theme, STEPS)
    return encoded(_indices(lay_out(scene, speech, caption, width), ink, margin=1), colours(ink))


def painted(drawing: Drawing, theme: Theme, steps: int = STEPS) -> Image.Image:
    """Paints the drawing in the palette of its theme."""
    ink = Palette(theme, steps)
    image = _indices(drawing, ink)
    image.putpalette(colours(ink))
    return image


def _indices(drawing: Drawing, ink: Palette, margin: int = 0) -> Image.Image:
    """Paints the drawing as palette indices, with `margin` extra columns on the left."""
    image = Image.new("L", (drawing.width + margin, drawing.height), index(ink.theme, "paper"))
    for part in drawing.parts:
        if isinstance(part, Sheet):
            image.paste(_sheet(part, ink), (part.x + margin, part.y))
        else:
            _paint(image, part, (margin, 0), ink)
    return image


@lru_cache(maxsize=16)
def _sheet(sheet: Sheet, ink: Palette) -> Image.Image:
    image = Image.new("L", (sheet.width, sheet.height))
    for shape in sheet.shapes:
        _paint(image, shape, (-sheet.x, -sheet.y), ink)
    return image


def _paint(image: Image.Image, shape: Shape, moved: Place, ink: Palette) -> None:
    if isinstance(shape, Box):
        x, y = shape.x + moved[0], shape.y + moved[1]
        image.paste(index(ink.theme, shape.fill), (x, y, x + shape.width, y + shape.height))
        return
    (x, y), outline = _outline(shape)
    at = x + moved[0], y + moved[1]
    if shape.on:
        _stamp(image, at, outline, shape.on, ink)
    else:
        _blend(image, at, outline, ink)


def packed(image: Image.Image) -> bytes:
    """Encodes the image as PNG."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=COMPRESSION)
    return file.getvalue()


def _outline(shape: Disc | Line | Text) -> tuple[Place, Outline]:
    """Returns the shape without its position, and its reference pixel."""
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
            return coverage.disc(outline)
        case Letters():
            return coverage.words(outline)
        case Stroke():
            return coverage.line(outline)


def _stamp(image: Image.Image, at: Place, outline: Outline, on: Colour, ink: Palette) -> None:
    """Paints over a single known colour."""
    for left, top, pixels, mask in _stamps(outline, on, ink):
        image.paste(pixels, (at[0] + left, at[1] + top), mask)


@lru_cache(maxsize=2048)
def _stamps(outline: Outline, on: Colour, ink: Palette) -> tuple[Stamp, ...]:
    if isinstance(outline, Letters) and len(words := lettering.words(*outline[:3])) > 1:
        return tuple(
            (start + left, top, pixels, mask)
            for word, start in words
            for left, top, pixels, mask in _stamps(outline._replace(text=word), on, ink)
        )
    # Plain letters need no mask: nothing else is inside their box.
    plain = isinstance(outline, Letters) and len(outline.coats) == 1
    ground = index(ink.theme, on)
    return tuple(
        (left, top, laid(ground, coats, ink), None if plain else touched(coats, ink))
        for left, top, coats, _ in _stencils(outline)
    )


def _blend(image: Image.Image, at: Place, outline: Outline, ink: Palette) -> None:
    """Paints over the existing pixels."""
    stroke = isinstance(outline, Stroke)
    for number, part in enumerate(_strokes(outline, ink) if stroke else _veils(outline, ink)):
        x, y = at[0] + part.left, at[1] + part.top
        box = x, y, x + part.size[0], y + part.size[1]
        below = image.crop(box).tobytes()
        image.paste(part.over(below, ink) if stroke else _over(below, outline, number, ink), box)


@lru_cache(maxsize=512)
def _veils(outline: Outline, ink: Palette) -> tuple[AlphaMask, ...]:
    return tuple(alpha_mask(stencil, ink) for stencil in _stencils(outline))


# Arrows are large and numerous, and the pixels below them rarely recur.
_strokes = lru_cache(maxsize=96)(_veils.__wrapped__)


# Most parts of a picture have been painted before: the same man on the same pixels.
@lru_cache(maxsize=512)
def _over(below: bytes, outline: Outline, number: int, ink: Palette) -> Image.Image:
    return _veils(outline, ink)[number].over(below, ink)

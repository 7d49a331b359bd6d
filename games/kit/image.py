"""Renders PNG with a small palette: scenes, series of positions (also as animated GIF) and curves of chances."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from importlib import import_module
from importlib.util import find_spec
from io import BytesIO
from math import floor
from operator import attrgetter
from struct import pack
from typing import Any

from PIL import Image

from games.kit import raster
from games.kit.drawing import (
    DEFAULT,
    FEW,
    SIXTEEN,
    STEPS,
    Box,
    Colour,
    Disc,
    Drawing,
    Line,
    Rgb,
    Shape,
    Sheet,
    Text,
    Theme,
)
from games.kit.layout import DENSE, MARGIN, USUAL, WIDTH, Caption, Still, heading, lay_out, lay_out_series
from games.kit.raster import (
    AlphaMask,
    Letters,
    Palette,
    Round,
    Stencil,
    Stroke,
    alpha_mask,
    colours,
    fitted,
    index,
    laid,
    touched,
)
from games.kit.scene import Scene
from games.kit.words import Speech
from games.move_numbers import moves_of

# PNG encoding of palette indices, with a choice of compressor

ISAL = import_module("isal.isal_zlib") if find_spec("isal") else None  # not available for every processor
SIGNATURE = b"\x89PNG\r\n\x1a\n"
INDEXED = 3


def encoded(pixels: Image.Image, palette: bytes) -> bytes:
    """Encodes a PNG, with two pixels in a byte when sixteen colours are all.

    `palette` has three bytes per colour. The columns of `pixels` (mode L) in the first byte are not shown.
    """
    depth = _depth(palette)
    spare = 8 // depth
    header = pack(">IIBBBBB", pixels.width - spare, pixels.height, depth, INDEXED, 0, 0, 0)
    # The first byte is the filter type of each row, 0 for none; copying the image to add it would take longer
    # than compressing.
    pixels.paste(0, (0, 0, spare, pixels.height))
    pixels.putpalette(palette)  # makes it an image of mode P, which alone can be packed
    rows = pixels.tobytes("raw", "P;4" if depth == 4 else "P")
    chunks = ((b"IHDR", header), (b"PLTE", palette), (b"IDAT", _compressed(rows)), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)


def _depth(palette: bytes) -> int:
    """Returns the bits of a pixel."""
    return 4 if len(palette) <= 3 * SIXTEEN else 8


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
COMPRESSION, SMALLEST = 3, 9
SHIFT = {"start": 0.0, "middle": 0.5, "end": 1.0}

Place = tuple[int, int]
Outline = Round | Letters | Stroke
Stamp = tuple[int, int, Image.Image, Image.Image | None]  # its corner, its pixels, the mask of painted ones
_round: Callable[[Disc], tuple[Any, ...]] = attrgetter(
    "radius", "fill", "line", "thickness", "dashed", "hole", "inner"
)


def render_png(
    scene: Scene,
    speech: Speech,
    caption: Caption,
    theme: Theme = DEFAULT,
    width: int = WIDTH,
    dense: int = DENSE,
) -> bytes:
    """Renders the scene as PNG, `width` pixels wide; from `dense` pixels on with sixteen colours, as letters show
    it smaller.
    """
    ink = Palette(theme, STEPS if width < dense else FEW)
    palette = colours(ink)
    spare = 8 // _depth(palette)
    return encoded(_indices(lay_out(scene, speech, caption, width), ink, margin=spare), palette)


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


def packed(image: Image.Image, level: int = COMPRESSION) -> bytes:
    """Encodes the image as PNG."""
    file = BytesIO()
    image.save(file, "PNG", compress_level=level)
    return file.getvalue()


def _outline(shape: Disc | Line | Text) -> tuple[Place, Outline]:
    """Returns the shape without its position, and its reference pixel."""
    match shape:
        case Disc():
            return (round(shape.x - 0.5), round(shape.y - 0.5)), Round(*_round(shape))
        case Text():
            shift = SHIFT[shape.anchor]
            letters = Letters(shape.text, shape.size, shape.bold, shape.coats)
            start = shape.x - shift * raster.width(*letters[:3]) if shift else shape.x
            return (round(start), round(shape.y)), letters
        case Line():
            x, y = map(floor, shape.points[0])
            points = tuple((px - x, py - y) for px, py in shape.points)
            head = tuple((round(px - x, 3), round(py - y, 3)) for px, py in shape.head)
            return (x, y), Stroke(points, head, shape.thickness, shape.coats)


def _stencils(outline: Outline) -> tuple[Stencil, ...]:
    match outline:
        case Round():
            return raster.disc(outline)
        case Letters():
            return raster.letters(outline)
        case Stroke():
            return raster.line(outline)


def _stamp(image: Image.Image, at: Place, outline: Outline, on: Colour, ink: Palette) -> None:
    """Paints over a single known colour."""
    for left, top, pixels, mask in _stamps(outline, on, ink):
        image.paste(pixels, (at[0] + left, at[1] + top), mask)


@lru_cache(maxsize=2048)
def _stamps(outline: Outline, on: Colour, ink: Palette) -> tuple[Stamp, ...]:
    if isinstance(outline, Letters) and len(words := raster.parts(*outline[:3])) > 1:
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


# Series of positions: an animated GIF, or a PNG with the boards side by side

FILM, STRIP = 300, 640  # pixels of width; a move of a GIF takes about 2 kB
MOVE, END = 1200, 4000  # milliseconds
UNCHANGED: Rgb = (255, 0, 255)  # in no theme
ACROSS = 2  # boards in a row of a strip
PEN = 0.6  # letters on the small boards of a strip stay legible
ROWS = 8  # pens between a caption and the row below


def film(stills: Sequence[Still], speech: Speech, theme: Theme = DEFAULT, width: int = FILM) -> bytes:
    """Renders an endlessly repeated GIF that begins with the last still. Raises ValueError without stills."""
    # some mail programs show only the first frame
    frames = [painted(drawing, theme, FEW) for drawing in lay_out_series(stills, speech, width)]
    colours = [*theme.palette(FEW), UNCHANGED]
    file = BytesIO()
    frames[-1].save(
        file,
        "GIF",
        save_all=True,
        append_images=frames,
        duration=[END, *[MOVE] * (len(frames) - 1), END],
        loop=0,
        # One palette for all frames; each frame stores only the changed pixels.
        palette=bytes(part for colour in colours for part in colour),
        transparency=len(colours) - 1,
        disposal=1,
        optimize=True,
    )
    return file.getvalue()


def strip(
    title: str,
    stills: Sequence[Still],
    speech: Speech,
    theme: Theme = DEFAULT,
    width: int = STRIP,
    most: int = ACROSS,
) -> bytes:
    """Renders the boards as one PNG below a title, at most `most` in a row, each with its caption's last
    line.

    Raises ValueError without stills.
    """
    margin = MARGIN * width / USUAL
    pen = width / USUAL * (PEN if most > 1 else 1)
    boards = [_board(still) for still in stills]
    across, wide = min(most, len(boards)), width // most
    drawings = lay_out_series(boards, speech, wide, pen, margin)
    shapes, top = heading(Caption(title), wide * across, pen, margin)
    rows, high = -(-len(drawings) // across), drawings[0].height + round(ROWS * pen)
    sheet = painted(Drawing(wide * across, round(top) + rows * high, tuple(shapes)), theme)
    for number, drawing in enumerate(drawings):
        row, column = divmod(number, across)
        sheet.paste(painted(drawing, theme), (column * wide, round(top) + row * high))
    return packed(sheet)


def _board(still: Still) -> Still:
    scene = replace(still.scene, trays=(), notes=(), men=None)
    return Still(scene, Caption("", last=still.caption.last))


# The chances of both sides during a game, as a curve

CURVE_WIDTH = (
    640  # at which the curve is shown, in CSS pixels; it has twice as many, and letters of 12 on a phone
)
_WIDE, _HIGH = 1280, 480
_LEFT, _RIGHT, _TOP, _BOTTOM = 16, 1264, 8, 424  # of the field
_SIZE = 44.0  # of letters
_NUMBERS = 10  # move numbers below the field, at most
_APART = 76  # pixels between two written marks
_DOT = 10.0

Scale = tuple[str, str, str]  # the words for the top, where the first side wins, the middle and the bottom


def curve(chances: Sequence[float], marks: Mapping[int, str], scale: Scale, theme: Theme = DEFAULT) -> bytes:
    """Draws the curve as a PNG.

    `chances` are those of the first side after 0, 1, 2... plies, from 0 to 1; `marks` are the marks of plies.
    """
    drawing = Drawing(_WIDE, _HIGH, tuple(_shapes(chances, marks, scale)))
    return packed(painted(drawing, theme, FEW), SMALLEST)


def _shapes(chances: Sequence[float], marks: Mapping[int, str], scale: Scale) -> Iterator[Shape]:
    points = [(_x(ply, len(chances)), _y(chance)) for ply, chance in enumerate(chances)]
    yield Box(_LEFT, _TOP, _RIGHT - _LEFT, _BOTTOM - _TOP, "shaded")
    yield from _below(points)
    middle = round(_y(0.5))
    yield Box(_LEFT, middle - 1, _RIGHT - _LEFT, 2, "ring")
    yield Line(tuple(points), 4.0, "label")
    yield from _numbers(len(chances))
    yield from _dots(points, marks)
    for words, y in zip(scale, (_TOP + 48, middle + 56, _BOTTOM - 18), strict=True):
        said = fitted(words, (_RIGHT - _LEFT) * 0.7, _SIZE)
        yield Text(_LEFT + 16, y, said, _SIZE, "label", edge="light", thickness=5)


def _below(points: Sequence[tuple[float, float]]) -> Iterator[Shape]:
    """Fills the first side's area, one column of pixels at a time."""
    ply = 0
    for x in range(_LEFT, _RIGHT):
        while ply + 2 < len(points) and points[ply + 1][0] <= x:
            ply += 1
        (left, above), (right, beside) = points[ply], points[min(ply + 1, len(points) - 1)]
        part = min(1.0, (x + 0.5 - left) / (right - left)) if right > left else 0.0
        top = round(above + (beside - above) * part)
        yield Box(x, top, 1, _BOTTOM - top, "light")


def _numbers(count: int) -> Iterator[Shape]:
    """Writes the move numbers below the curve."""
    moves = moves_of(count - 1)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 1000) if moves <= step * _NUMBERS)
    for number in range(step, moves + 1, step):
        x = _x(2 * number - 1, count)
        if x <= _RIGHT - 24:
            yield Text(x, _HIGH - 14, str(number), _SIZE, "muted", anchor="middle", on="paper")


def _dots(points: Sequence[tuple[float, float]], marks: Mapping[int, str]) -> Iterator[Shape]:
    """Draws a dot after each marked turn, and its mark away from the curve where there is room."""
    last = -float(_APART)
    for ply, mark in sorted(marks.items()):
        x, y = points[ply + 1]
        yield Disc(x, y, _DOT, fill="accent", line="light", thickness=2)
        if x - last >= _APART:
            peak = y < points[ply][1]
            above = y - _TOP > 64 if peak else _BOTTOM - y < 64
            at = y - 20 if above else y + 50
            inside = min(max(x, _LEFT + 30), _RIGHT - 30)
            letters = Text(inside, at, mark, _SIZE, "label", bold=True, anchor="middle")
            yield replace(letters, edge="light", thickness=4)
            last = x


def _x(ply: int, count: int) -> float:
    return _LEFT + (_RIGHT - _LEFT) * ply / max(1, count - 1)


def _y(chance: float) -> float:
    """Returns the height of a chance; the first side's area is at the bottom."""
    return _BOTTOM - (_BOTTOM - _TOP) * chance

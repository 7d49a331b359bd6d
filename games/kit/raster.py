"""Measures text, renders letters and shapes as anti-aliased masks, and blends their colours within a palette."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache
from importlib.resources import as_file, files
from itertools import accumulate, pairwise
from math import ceil, floor, pi
from typing import NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFont

from games.kit.drawing import Colour, Point, Theme

# From the baseline to the middle of capitals and figures, relative to the font size.
MIDDLE = 0.33
PARTS, HAS_FIGURES = re.compile(r" |[^ ]+"), re.compile(r".*\d").match
NOWHERE = "\uffff"  # in no font: shows how missing characters look


class WordMask(NamedTuple):
    """A mask, white on black, and the offset of its corner from the start of the text on the baseline."""

    cover: Image.Image
    left: int
    top: int


@lru_cache(maxsize=4096)
def width(text: str, size: float, bold: bool = False) -> float:
    """Returns the width of a line of text, in pixels."""
    if not _plain(text):
        return _font(text, size, bold).getlength(text)
    return sum(_advance(sign, size, bold) for sign in text)


@lru_cache(maxsize=1024)
def fitted(text: str, room: float, size: float, bold: bool = False) -> str:
    """Cuts the text to one line of at most `room` pixels, with an ellipsis."""
    text = " ".join(text.split())
    if width(text, size, bold) <= room:
        return text
    kept = bisect_right(range(len(text)), room, key=lambda n: width(f"{text[:n]}…", size, bold)) - 1
    return f"{text[: max(kept, 0)].rstrip()}…"


@lru_cache(maxsize=1024)
def wrapped(text: str, room: float, size: float, lines: int) -> tuple[str, ...]:
    """Breaks the text between words into at most `lines` lines; cuts lines that are too long."""
    words, broken = text.split(), list[str]()
    while words and len(broken) < lines - 1:
        count = _fitting(words, room, size)
        broken.append(fitted(" ".join(words[:count]), room, size))
        words = words[count:]
    return (*broken, fitted(" ".join(words), room, size)) if words else tuple(broken)


@lru_cache(maxsize=64)
def middle(text: str, size: float) -> float:
    """Returns the height of the middle of the drawn text above the baseline, in pixels."""
    _, top, _, bottom = _font(text, size, False).getbbox(text, anchor="ls")
    return -(top + bottom) / 2


def parts(text: str, size: float, bold: bool) -> list[tuple[str, int]]:
    """Splits a line into the parts painted at once, with their offsets: words, but single characters of words
    with figures.
    """
    # words recur in later texts, numbers do not
    if not _plain(text):
        return [(text, 0)]
    parts = [part for word in PARTS.findall(text) for part in (word if HAS_FIGURES(word) else (word,))]
    starts = accumulate((width(part, size, bold) for part in parts), initial=0.0)
    return [(part, int(start)) for part, start in zip(parts, starts, strict=False) if part != " "]


@lru_cache(maxsize=1024)
def word_mask(text: str, size: float, bold: bool, edge: float = 0) -> WordMask:
    """Renders a word, widened by `edge` pixels all around."""
    if edge or len(text) == 1 or not _plain(text):
        return _drawn(text, size, bold, edge)
    starts = accumulate((int(_advance(sign, size, bold)) for sign in text), initial=0)
    placed = [(start, word_mask(sign, size, bold)) for start, sign in zip(starts, text, strict=False)]
    left, top = (min(start + s.left for start, s in placed), min(s.top for _, s in placed))
    right = max(start + s.left + s.cover.width for start, s in placed)
    bottom = max(s.top + s.cover.height for _, s in placed)
    cover = Image.new("L", (right - left, bottom - top))
    for start, (sign, x, y) in placed:
        cover.paste(255, (start + x - left, y - top), sign)
    return WordMask(cover, left, top)


def _drawn(text: str, size: float, bold: bool, edge: float) -> WordMask:
    font = _font(text, size, bold)
    left, top, right, bottom = font.getbbox(text, anchor="ls", stroke_width=edge)
    x, y = ceil(-left) + 1, ceil(-top) + 1
    image = Image.new("L", (ceil(right) + x + 1, ceil(bottom) + y + 1))
    ImageDraw.Draw(image).text((x, y), text, fill=255, font=font, anchor="ls", stroke_width=edge)
    left, top, right, bottom = image.getbbox() or (0, 0, 1, 1)
    return WordMask(image.crop((left, top, right, bottom)), left - x, top - y)


@lru_cache(maxsize=2048)
def _advance(sign: str, size: float, bold: bool) -> float:
    return _font(sign, size, bold).getlength(sign)


def _fitting(words: list[str], room: float, size: float) -> int:
    """Returns how many words fit on one line, at least one."""
    lengths = range(1, len(words) + 1)
    return max(1, bisect_right(lengths, room, key=lambda n: width(" ".join(words[:n]), size)))


def _font(text: str, size: float, bold: bool) -> ImageFont.FreeTypeFont:
    """Returns Source Sans, or DejaVu for a text with characters that Source Sans lacks."""
    if not _plain(text):
        return _face("DejaVuSans.ttf", size)
    return _face("SourceSansPro-Semibold.ttf" if bold else "SourceSansPro-Regular.ttf", size)


@lru_cache(maxsize=2048)
def _plain(text: str) -> bool:
    """Tells whether Source Sans has all characters of the text."""
    # Its letters advance by whole pixels without kerning, so a word is its letters in a row.
    return all(map(_has, text))


@lru_cache(maxsize=4096)
def _has(sign: str) -> bool:
    font = _face("SourceSansPro-Regular.ttf", 20)
    return sign == " " or bytes(font.getmask(sign)) != bytes(font.getmask(NOWHERE))


@lru_cache(maxsize=256)
def _face(name: str, size: float) -> ImageFont.FreeTypeFont:
    with as_file(files("games.kit") / "fonts" / name) as path:
        # Not Raqm: letters look the same on every system.
        return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


# Masks of pixel coverage

FINE = 4  # masks are drawn this many times larger, then reduced: Pillow does not anti-alias
STRIP = 64  # pixels: the height of the parts in which a line is drawn

Coat = tuple[Colour, Image.Image]  # a colour and its coverage of each pixel
Layers = tuple[Coat, ...]  # in painting order, all of one size
Bounds = tuple[int, int, int, int]
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
def letters(shape: Letters) -> tuple[Stencil, ...]:
    """Renders a text relative to its start on the baseline."""
    return tuple(_word(shape, text, start) for text, start in parts(*shape[:3]))


def _word(shape: Letters, text: str, start: int) -> Stencil:
    placed = [(colour, *word_mask(text, *shape[1:3], edge)) for colour, edge in shape.coats]
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
            *box[:2],
            tuple((colour, _stroke_mask(shape, halo, box)) for colour, halo in shape.coats),
            outermost,
        )
        for box in _strips(shape)
        for outermost, _ in shape.coats[:1]
    )


def _stroke_mask(shape: Stroke, halo: float, box: Bounds) -> Image.Image:
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


def _strips(shape: Stroke) -> Iterator[Bounds]:
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


# Blending within a palette: pixels are indices


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

"""Type: how wide a text runs, where it breaks, and the masks to paint it with."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from importlib.resources import as_file, files
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

# From the baseline to the middle of capitals and figures, in parts of the size.
MIDDLE = 0.33
PARTS, HAS_FIGURES = re.compile(r" |[^ ]+"), re.compile(r".*\d").match
NOWHERE = "\uffff"  # no font has it: what looks the same is missing too


class Stencil(NamedTuple):
    """A mask, white on black, and where its corner lies from the start of the text on the baseline."""

    cover: Image.Image
    left: int
    top: int


@lru_cache(maxsize=4096)
def width(text: str, size: float, bold: bool = False) -> float:
    """Pixels from the start of a line of text to its end."""
    if not _plain(text):
        return _font(text, size, bold).getlength(text)
    return sum(_advance(sign, size, bold) for sign in text)


@lru_cache(maxsize=1024)
def fitted(text: str, room: float, size: float, bold: bool = False) -> str:
    """The text on one line of at most `room` pixels, its end left out where it must be."""
    text = " ".join(text.split())
    if width(text, size, bold) <= room:
        return text
    kept = bisect_right(range(len(text)), room, key=lambda n: width(f"{text[:n]}…", size, bold)) - 1
    return f"{text[: max(kept, 0)].rstrip()}…"


@lru_cache(maxsize=1024)
def wrapped(text: str, room: float, size: float, lines: int) -> tuple[str, ...]:
    """The text on at most so many lines, broken between words."""
    words, broken = text.split(), list[str]()
    while words and len(broken) < lines - 1:
        count = _fitting(words, room, size)
        broken.append(fitted(" ".join(words[:count]), room, size))
        words = words[count:]
    return (*broken, fitted(" ".join(words), room, size)) if words else tuple(broken)


@lru_cache(maxsize=64)
def middle(text: str, size: float) -> float:
    """Pixels from the baseline up to the middle of what is drawn."""
    _, top, _, bottom = _font(text, size, False).getbbox(text, anchor="ls")
    return -(top + bottom) / 2


def words(text: str, size: float, bold: bool) -> list[tuple[str, int]]:
    """What of a line is painted at once, and how far from its start: words, and signs of what has figures.

    The next line has the same words, and other numbers.
    """
    if not _plain(text):
        return [(text, 0)]
    parts = [part for word in PARTS.findall(text) for part in (word if HAS_FIGURES(word) else (word,))]
    starts = accumulate((width(part, size, bold) for part in parts), initial=0.0)
    return [(part, int(start)) for part, start in zip(parts, starts, strict=False) if part != " "]


@lru_cache(maxsize=1024)
def stencil(text: str, size: float, bold: bool, edge: float = 0) -> Stencil:
    """A word, wider by an `edge` all around."""
    if edge or len(text) == 1 or not _plain(text):
        return _drawn(text, size, bold, edge)
    starts = accumulate((int(_advance(sign, size, bold)) for sign in text), initial=0)
    placed = [(start, stencil(sign, size, bold)) for start, sign in zip(starts, text, strict=False)]
    left, top = (min(start + s.left for start, s in placed), min(s.top for _, s in placed))
    right = max(start + s.left + s.cover.width for start, s in placed)
    bottom = max(s.top + s.cover.height for _, s in placed)
    cover = Image.new("L", (right - left, bottom - top))
    for start, (sign, x, y) in placed:
        cover.paste(255, (start + x - left, y - top), sign)
    return Stencil(cover, left, top)


def _drawn(text: str, size: float, bold: bool, edge: float) -> Stencil:
    font = _font(text, size, bold)
    left, top, right, bottom = font.getbbox(text, anchor="ls", stroke_width=edge)
    x, y = ceil(-left) + 1, ceil(-top) + 1
    image = Image.new("L", (ceil(right) + x + 1, ceil(bottom) + y + 1))
    ImageDraw.Draw(image).text((x, y), text, fill=255, font=font, anchor="ls", stroke_width=edge)
    left, top, right, bottom = image.getbbox() or (0, 0, 1, 1)
    return Stencil(image.crop((left, top, right, bottom)), left - x, top - y)


@lru_cache(maxsize=2048)
def _advance(sign: str, size: float, bold: bool) -> float:
    return _font(sign, size, bold).getlength(sign)


def _fitting(words: list[str], room: float, size: float) -> int:
    """How many of the words go on one line; at least one must."""
    lengths = range(1, len(words) + 1)
    return max(1, bisect_right(lengths, room, key=lambda n: width(" ".join(words[:n]), size)))


def _font(text: str, size: float, bold: bool) -> ImageFont.FreeTypeFont:
    """Source Sans; DejaVu, which has almost every sign there is, for a text with one that Source Sans lacks."""
    if not _plain(text):
        return _face("DejaVuSans.ttf", size)
    return _face("SourceSansPro-Semibold.ttf" if bold else "SourceSansPro-Regular.ttf", size)


# Its letters stand whole pixels apart and none is moved nearer to another: a word is its letters in a row.
@lru_cache(maxsize=2048)
def _plain(text: str) -> bool:
    """Whether Source Sans has all of it."""
    return all(map(_has, text))


@lru_cache(maxsize=4096)
def _has(sign: str) -> bool:
    font = _face("SourceSansPro-Regular.ttf", 20)
    return sign == " " or bytes(font.getmask(sign)) != bytes(font.getmask(NOWHERE))


@lru_cache(maxsize=256)
def _face(name: str, size: float) -> ImageFont.FreeTypeFont:
    with as_file(files("games.kit") / "fonts" / name) as path:
        # Not Raqm, where it happens to be installed: the same letter should look the same everywhere.
        return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)

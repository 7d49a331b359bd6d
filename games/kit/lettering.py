"""Measures, breaks and renders text."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache
from importlib.resources import as_file, files
from itertools import accumulate
from math import ceil
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

# From the baseline to the middle of capitals and figures, relative to the font size.
MIDDLE = 0.33
PARTS, HAS_FIGURES = re.compile(r" |[^ ]+"), re.compile(r".*\d").match
NOWHERE = "\uffff"  # in no font: shows how missing characters look


class Stencil(NamedTuple):
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


def words(text: str, size: float, bold: bool) -> list[tuple[str, int]]:
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
def stencil(text: str, size: float, bold: bool, edge: float = 0) -> Stencil:
    """Renders a word, widened by `edge` pixels all around."""
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

"""Type: how wide a text runs, where it breaks, and its mask to paint with."""

from __future__ import annotations

from bisect import bisect_right
from functools import lru_cache
from importlib.resources import as_file, files
from math import ceil

from PIL import Image, ImageDraw, ImageFont

# From the baseline to the middle of capitals and figures, in parts of the size.
MIDDLE = 0.33
NOWHERE = "\uffff"  # no font has it: what looks the same is missing too


@lru_cache(maxsize=4096)
def width(text: str, size: float, bold: bool = False) -> float:
    """Pixels from the start of a line of text to its end."""
    return _font(text, size, bold).getlength(text)


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


@lru_cache(maxsize=2048)
def mask(text: str, size: float, bold: bool, edge: float = 0) -> tuple[Image.Image, int, int]:
    """The text in white on black, wider by an `edge` all around, and where its start on the baseline lies."""
    font = _font(text, size, bold)
    left, top, right, bottom = font.getbbox(text, anchor="ls", stroke_width=edge)
    x, y = ceil(-left) + 1, ceil(-top) + 1
    image = Image.new("L", (ceil(right) + x + 1, ceil(bottom) + y + 1))
    ImageDraw.Draw(image).text((x, y), text, fill=255, font=font, anchor="ls", stroke_width=edge)
    return image, x, y


def _fitting(words: list[str], room: float, size: float) -> int:
    """How many of the words go on one line; at least one must."""
    lengths = range(1, len(words) + 1)
    return max(1, bisect_right(lengths, room, key=lambda n: width(" ".join(words[:n]), size)))


def _font(text: str, size: float, bold: bool) -> ImageFont.FreeTypeFont:
    """Source Sans; DejaVu, which has almost every sign there is, for a text with one that Source Sans lacks."""
    if not all(map(_has, text)):
        return _face("DejaVuSans.ttf", size)
    return _face("SourceSansPro-Semibold.ttf" if bold else "SourceSansPro-Regular.ttf", size)


@lru_cache(maxsize=4096)
def _has(sign: str) -> bool:
    font = _face("SourceSansPro-Regular.ttf", 20)
    return sign == " " or bytes(font.getmask(sign)) != bytes(font.getmask(NOWHERE))


@lru_cache(maxsize=256)
def _face(name: str, size: float) -> ImageFont.FreeTypeFont:
    with as_file(files("games.kit") / "fonts" / name) as path:
        # Not Raqm, where it happens to be installed: the same letter should look the same everywhere.
        return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)

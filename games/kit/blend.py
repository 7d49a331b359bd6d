"""Colours laid over one another within a palette: pixels are indices, and stay so."""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

from PIL import Image, ImageChops

from games.kit.cover import Coats, Stencil
from games.kit.themes import Colour, Theme


class Ink(NamedTuple):
    """What a drawing is painted in: so many steps lie between two colours."""

    theme: Theme
    steps: int


class Veil(NamedTuple):
    """What a stencil makes of any pixels: what is below shows through its outermost coat, and only at the edges."""

    left: int
    top: int
    size: tuple[int, int]
    cover: bytes  # in steps
    outermost: Colour
    solid: Image.Image
    inside: Image.Image

    def over(self, below: bytes, ink: Ink) -> Image.Image:
        first = below[0]
        if below.count(first) == len(below):
            image = self._image(self.cover.translate(_over(first, self.outermost, ink)))
        else:
            image = self._image(below)
            for step in range(1, ink.steps):
                becomes = below.translate(_mixed(self.outermost, step, ink))
                image.paste(self._image(becomes), None, self._image(self.cover.translate(_only(step))))
        image.paste(self.solid, None, self.inside)
        return image

    @property
    def touched(self) -> Image.Image:
        """The mask of the pixels that change."""
        return self._image(self.cover.translate(_SOME))

    def _image(self, pixels: bytes) -> Image.Image:
        return Image.frombytes("L", self.size, pixels)


def veil(stencil: Stencil, ink: Ink) -> Veil:
    coats, size = stencil.coats, stencil.coats[0][1].size
    clear = ImageChops.invert(coats[0][1])
    for _, cover in coats[1:]:
        clear = ImageChops.multiply(clear, ImageChops.invert(cover))
    steps = ImageChops.invert(clear).tobytes().translate(_rounded(ink.steps))
    solid = _laid(bytes([index(ink.theme, stencil.outermost)]) * len(steps), coats, ink)
    inside = Image.frombytes("L", size, steps.translate(_only(ink.steps)))
    return Veil(stencil.left, stencil.top, size, steps, stencil.outermost, solid, inside)


@cache
def index(theme: Theme, colour: Colour) -> int:
    """In the palette, whose first are the colours themselves."""
    return theme.palette().index(theme.rgb(colour))


@cache
def colours(ink: Ink) -> bytes:
    """The palette as Pillow has it."""
    return bytes(part for colour in ink.theme.palette(ink.steps) for part in colour)


def _laid(below: bytes, coats: Coats, ink: Ink) -> Image.Image:
    """One coat after the other."""
    size = coats[0][1].size
    for colour, cover in coats:
        steps = cover.tobytes().translate(_rounded(ink.steps))
        image = Image.frombytes("L", size, below)
        for step in range(1, ink.steps + 1):
            becomes = Image.frombytes("L", size, below.translate(_mixed(colour, step, ink)))
            image.paste(becomes, None, Image.frombytes("L", size, steps.translate(_only(step))))
        below = image.tobytes()
    return image


_SOME = bytes(255 * (part > 0) for part in range(256))


@cache
def _rounded(steps: int) -> bytes:
    """A cover in steps."""
    return bytes(round(part * steps / 255) for part in range(256))


@cache
def _only(step: int) -> bytes:
    """The mask of what is covered so far."""
    return bytes(255 * (part == step) for part in range(256))


@cache
def _over(below: int, colour: Colour, ink: Ink) -> bytes:
    """What becomes of a pixel of one colour, by how far it is covered."""
    return bytes(_mixed(colour, min(part, ink.steps), ink)[below] for part in range(256))


@cache
def _mixed(colour: Colour, step: int, ink: Ink) -> bytes:
    """What becomes of each colour of the palette so many steps on the way to another."""
    palette = Image.new("P", (1, 1))
    palette.putpalette(colours(ink))
    every = Image.frombytes("P", (256, 1), bytes(range(256)))
    every.putpalette(colours(ink))
    flat = Image.new("RGB", every.size, ink.theme.rgb(colour))
    mixed = Image.blend(every.convert("RGB"), flat, step / ink.steps)
    return mixed.quantize(palette=palette, dither=Image.Dither.NONE).tobytes()

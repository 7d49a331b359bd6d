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
    """What a stencil makes of any pixels: they show through its outermost colour, and only at its edges."""

    left: int
    top: int
    size: tuple[int, int]
    cover: bytes  # in steps
    outermost: Colour
    solid: Image.Image
    inside: Image.Image

    def over(self, below: bytes, ink: Ink) -> Image.Image:
        image = _image(self.size, below)
        for step in range(1, ink.steps):
            becomes = below.translate(_mixed(self.outermost, step, ink))
            image.paste(
                _image(self.size, becomes), None, _image(self.size, self.cover.translate(_only(step)))
            )
        image.paste(self.solid, None, self.inside)
        return image


def veil(stencil: Stencil, ink: Ink) -> Veil:
    size, cover = stencil.coats[0][1].size, _cover(stencil.coats, ink)
    solid = laid(index(ink.theme, stencil.outermost), stencil.coats, ink)
    inside = _image(size, cover.translate(_only(ink.steps)))
    return Veil(stencil.left, stencil.top, size, cover, stencil.outermost, solid, inside)


def laid(ground: int, coats: Coats, ink: Ink) -> Image.Image:
    """One coat after the other on one colour."""
    (colour, cover), *rest = coats
    steps = cover.tobytes().translate(_rounded(ink.steps))
    image = _image(cover.size, steps.translate(_over(ground, colour, ink)))
    for colour, cover in rest:
        below, steps = image.tobytes(), cover.tobytes().translate(_rounded(ink.steps))
        for step in range(1, ink.steps + 1):
            becomes = _image(cover.size, below.translate(_mixed(colour, step, ink)))
            image.paste(becomes, None, _image(cover.size, steps.translate(_only(step))))
    return image


def touched(coats: Coats, ink: Ink) -> Image.Image:
    """The mask of the pixels that change."""
    return _image(coats[0][1].size, _cover(coats, ink).translate(_SOME))


@cache
def index(theme: Theme, colour: Colour) -> int:
    """In the palette, whose first are the colours themselves."""
    return theme.palette().index(theme.rgb(colour))


@cache
def colours(ink: Ink) -> bytes:
    """The palette as Pillow has it."""
    return bytes(part for colour in ink.theme.palette(ink.steps) for part in colour)


def _cover(coats: Coats, ink: Ink) -> bytes:
    """How much all of them cover together, in steps."""
    clear = ImageChops.invert(coats[0][1])
    for _, cover in coats[1:]:
        clear = ImageChops.multiply(clear, ImageChops.invert(cover))
    return ImageChops.invert(clear).tobytes().translate(_rounded(ink.steps))


def _image(size: tuple[int, int], pixels: bytes) -> Image.Image:
    return Image.frombytes("L", size, pixels)


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

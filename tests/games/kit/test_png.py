"""PNGs: what Pillow reads again is what was written, no matter who has compressed it."""

from io import BytesIO

import pytest
from PIL import Image

from games.kit import image as png

PALETTE = bytes(range(200)) + bytes(568)
SIXTEEN = bytes(range(48))


@pytest.mark.parametrize("compressor", [None, png.ISAL], ids=["zlib", "isal, where it is installed"])
@pytest.mark.parametrize("size", [(1, 1), (7, 3), (640, 880)])
def test_pillow_reads_what_was_written(monkeypatch, compressor, size):
    monkeypatch.setattr(png, "ISAL", compressor)
    pixels = Image.linear_gradient("L").resize(size)
    image = Image.open(BytesIO(png.encoded(pixels.crop((-1, 0, *size)), PALETTE)))
    assert (image.format, image.mode, image.size) == ("PNG", "P", size)
    assert image.tobytes() == pixels.tobytes()
    assert bytes(image.getpalette()) == PALETTE


@pytest.mark.parametrize("size", [(1, 1), (7, 3), (780, 980)])
def test_of_sixteen_colours_pillow_reads_two_pixels_in_a_byte(size):
    pixels = Image.linear_gradient("L").resize(size).point([shade // 16 for shade in range(256)])
    written = png.encoded(pixels.crop((-2, 0, *size)), SIXTEEN)
    image = Image.open(BytesIO(written))
    assert (written[24], image.mode, image.size) == (4, "P", size)
    assert image.tobytes() == pixels.tobytes()
    assert bytes(image.getpalette()[:48]) == SIXTEEN

"""Pictures look as if they were painted with care: with a look at what is below, and in all colours."""

from dataclasses import fields, replace

import pytest
from PIL import Image, ImageChops

from games.exhibits import exhibit
from games.kit.drawing import DEFAULT, THEMES, Box, Theme
from games.kit.image import _outline, _stencils, painted
from games.kit.layout import lay_out
from games.protocol import CANONICAL
from games.registry import names

# All but what lies below is black, so that it alone shows at a rim.
BLACK = dict.fromkeys((field.name for field in fields(DEFAULT)), "#000000")
GLARING = Theme(**BLACK | {"paper": "#ff0000", "ground": "#00ff00", "shaded": "#0000ff", "ring": "#ffff00"})
SHADE = 60  # that the same rim may differ, mixed in another order


@pytest.mark.parametrize("name", names())
def test_it_looks_the_same_with_a_look_at_what_is_below(name):
    words, still = exhibit(name, CANONICAL)
    known = lay_out(still.scene, words, still.caption, 640)
    unknown = replace(
        known, parts=tuple(replace(s, on=None) if hasattr(s, "on") else s for s in known.shapes)
    )
    one, other = (painted(drawing, GLARING).convert("RGB") for drawing in (known, unknown))
    assert worst(one, other).getextrema()[1] < SHADE


@pytest.mark.parametrize("name", names())
def test_it_looks_as_if_it_were_painted_in_all_colours(name):
    """Of 100,000 pixels at most 10 are off by a quarter of the range, and all together by less than 1 in 190."""
    words, still = exhibit(name, CANONICAL)
    for theme, width in zip(THEMES.values(), (320, 520, 640), strict=True):
        drawing = lay_out(still.scene, words, still.caption, width)
        off = worst(painted(drawing, theme).convert("RGB"), in_all_colours(drawing, theme)).histogram()
        pixels = drawing.width * drawing.height
        assert sum(off[64:]) <= 10 * pixels / 100_000
        assert sum(shade * count for shade, count in enumerate(off)) / pixels < 255 / 190


def in_all_colours(drawing, theme):
    """The same coats with as many steps between two colours as there are."""
    image = Image.new("RGB", (drawing.width, drawing.height), theme.rgb("paper"))
    for shape in drawing.shapes:
        if isinstance(shape, Box):
            box = (shape.x, shape.y, shape.x + shape.width, shape.y + shape.height)
            image.paste(theme.rgb(shape.fill), box)
            continue
        (x, y), outline = _outline(shape)
        for left, top, coats, _ in _stencils(outline):
            for colour, cover in coats:
                image.paste(theme.rgb(colour), (x + left, y + top), cover)
    return image


def worst(one, other):
    """Of the three parts of a colour the one that differs most, at each pixel."""
    red, green, blue = ImageChops.difference(one, other).split()
    return ImageChops.lighter(ImageChops.lighter(red, green), blue)

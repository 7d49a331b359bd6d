"""Contrasts of the themes (WCAG 2): 4.5 to 1 for what is read, 3 to 1 for what must be told apart."""

from dataclasses import replace

import pytest

from games.exhibits import exhibit
from games.kit.drawing import DEFAULT, THEMES, Text
from games.kit.layout import lay_out
from games.protocol import CANONICAL
from games.registry import names

READ, SEEN = 4.5, 3.0

# What, on what, and the least ratio. Of several parts of one thing the best counts: a piece or its outline.
TABLE = (
    ("ink", "paper", READ),  # the title
    ("muted", "paper", READ),  # coordinates, the name of a ring that has gone, notes
    ("told", "paper", READ),  # the last move in words
    ("label", "ground", READ),  # names in rings, players
    ("dark", "ground", READ),  # the player to move, what is in hand
    ("light", "dark", READ),  # the number on a black man
    ("dark", "light", READ),  # the number on a white man
    # a light man may be as light as a square: its outline tells them apart
    *((("light", "outline"), ground, SEEN) for ground in ("ground", "shaded", "ring", "tint")),
    *(
        ("dark", ground, 7) for ground in ("ground", "shaded", "light")
    ),  # on dark paper too the board is light
    *(("dark", ground, SEEN) for ground in ("ring", "tint")),
    *(("grey", ground, SEEN) for ground in ("ground", "ring", "tint", "light", "dark")),
    *(
        ("light", man, READ) for man in ("grey", "accent")
    ),  # letters on men; the dot in the middle of a grey marble
    ("dark", "ring", READ),  # letters on pale men
    ("outline", "light", SEEN),
    # on dark paper a ring is told by its band, on light paper by its outline
    (("ring", "outline"), "paper", SEEN),
    (("tint", "outline"), "paper", SEEN),
    ("outline", "ring", SEEN),  # its hole; the planks of a trapdoor
    *(("label", ground, SEEN) for ground in ("ground", "shaded", "tint")),  # lines printed on squares
    ("faint", "paper", SEEN),  # where a ring was; the hatching of vanished squares
    # The squares and rings of the last move are tinted, and marked in shapes as well: a dot, a circle, a cross.
    # Where these lie on a man, a light halo is between them.
    *(("accent", ground, SEEN) for ground in ("ground", "shaded", "ring", "tint", "paper", "light", "dark")),
)


def contrast(one, other):
    darker, lighter = sorted(map(_luminance, (one, other)))
    return (lighter + 0.05) / (darker + 0.05)


def _luminance(rgb):
    parts = (part / 255 for part in rgb)
    linear = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return sum(weight * part for weight, part in zip((0.2126, 0.7152, 0.0722), linear, strict=True))


def too_low(theme):
    """The rows that a theme breaks, each with its ratio."""
    broken = {}
    for what, on, least in TABLE:
        parts = (what,) if isinstance(what, str) else what
        ratio = max(contrast(theme.rgb(part), theme.rgb(on)) for part in parts)
        if ratio < least:
            broken[what, on] = round(ratio, 2)
    return broken


def test_black_on_white_has_the_highest_contrast_there_is():
    assert contrast((0, 0, 0), (255, 255, 255)) == pytest.approx(21)
    assert contrast((0x77,) * 3, (255, 255, 255)) == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_every_contrast_is_high_enough(theme):
    assert too_low(theme) == {}


def test_a_theme_that_breaks_one_is_found():
    assert ("grey", "ring") in too_low(replace(DEFAULT, grey="#8f8a81"))
    assert list(too_low(replace(DEFAULT, faint=DEFAULT.paper))) == [("faint", "paper")]


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
@pytest.mark.parametrize("name", names())
def test_every_text_of_a_picture_can_be_read(name, theme):
    words, still = exhibit(name, CANONICAL)
    for text in lay_out(still.scene, words, still.caption).shapes:
        if isinstance(text, Text) and text.text[0].isalnum():
            on = text.edge or text.on
            assert on, text
            assert contrast(theme.rgb(text.colour), theme.rgb(on)) >= READ, text

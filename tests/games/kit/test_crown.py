"""Kings: discs with a crown, in piles too."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image

from games.kit.drawing import THEMES, Disc, Line, Text
from games.kit.image import render_png
from games.kit.layout import Caption, lay_out
from games.kit.scene import Piece

WHITE, BLACK = Piece("white", "light"), Piece("black", "dark")
WHITE_KING, BLACK_KING = replace(WHITE, crown=True), replace(BLACK, crown=True)
QUIET = Caption("")


@pytest.fixture
def shapes(men, english):
    """Draws a single pile on d4, without marks."""

    def shapes(*pile, width=520):
        return lay_out(_scene(men, pile), english, QUIET, width).shapes

    return shapes


def _scene(men, pile):
    return replace(men, pieces={"d4": pile}, marks=(), arrows=(), trays=(), men=None)


def crowns(shapes):
    """The outline of each crown."""
    return [shape for shape in shapes if isinstance(shape, Line) and len(shape.points) > 4]


def discs(shapes):
    return [shape for shape in shapes if isinstance(shape, Disc) and shape.fill in ("light", "dark")]


def numbers(shapes):
    return {
        shape.text: shape
        for shape in shapes
        if isinstance(shape, Text) and shape.text.isdigit() and shape.edge
    }


@pytest.mark.parametrize(("king", "colour"), [(WHITE_KING, "dark"), (BLACK_KING, "light")])
def test_a_crown_lies_within_its_disc_in_the_other_colour(shapes, king, colour):
    drawn = shapes(king)
    (crown,), (disc,) = crowns(drawn), discs(drawn)
    assert crown.colour == colour
    assert all((x - disc.x) ** 2 + (y - disc.y) ** 2 < disc.radius**2 for x, y in crown.points)


def test_men_have_none(shapes):
    assert not crowns(shapes(WHITE))


@pytest.mark.parametrize("theme", THEMES.values())
@pytest.mark.parametrize("width", [320, 640])
def test_a_crown_is_filled(men, english, theme, width):
    drawn = lay_out(_scene(men, (BLACK_KING,)), english, QUIET, width).shapes
    picture = Image.open(
        BytesIO(render_png(_scene(men, (BLACK_KING,)), english, QUIET, theme, width))
    ).convert("RGB")
    (disc,) = discs(drawn)
    assert picture.getpixel((int(disc.x), int(disc.y))) == theme.rgb("light")


def test_a_king_below_others_has_a_small_crown_on_what_is_seen_of_it(shapes):
    drawn = shapes(BLACK_KING, BLACK, WHITE_KING)
    small, large = sorted(crowns(drawn), key=lambda crown: crown.points[2][0] - crown.points[1][0])
    lowest, middle, top = discs(drawn)[:3]
    assert (small.colour, large.colour) == ("light", "dark")
    assert middle.y + middle.radius < min(y for _, y in small.points)
    assert max(y for _, y in small.points) < lowest.y + lowest.radius
    assert max(y for _, y in large.points) < top.y + top.radius


def test_men_and_kings_of_a_side_are_counted_together_beside_the_crown(shapes):
    written = numbers(shapes(BLACK, BLACK_KING, BLACK, WHITE, WHITE_KING))
    assert set(written) == {"2", "3"}
    assert written["2"].x < written["3"].x
    assert written["2"].y == written["3"].y
    assert numbers(shapes(WHITE_KING, WHITE))["2"].y < written["2"].y, "without a crown on the top itself"

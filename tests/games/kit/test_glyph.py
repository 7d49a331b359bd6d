"""Pieces drawn as a character: chessmen, say."""

from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from games.kit import raster
from games.kit.drawing import DARK, DEFAULT, Disc, Text
from games.kit.image import render_png
from games.kit.layout import Caption, lay_out
from games.kit.scene import Mark, Piece
from games.kit.svg import svg
from games.kit.text import board

KING, QUEEN = Piece("white", "light", glyph="♚"), Piece("black", "dark", glyph="♛")
QUIET = Caption("")


@pytest.fixture
def chessmen(men):
    """Two chessmen, a captive, and nothing else."""
    return replace(
        men,
        pieces={"b3": (KING,), "d5": (QUEEN,)},
        marks=(Mark("captured", "b3", QUEEN),),
        arrows=(),
        men=(KING, QUEEN),
    )


def glyphs(scene, speech):
    return [s for s in lay_out(scene, speech, QUIET).shapes if isinstance(s, Text) and s.edge]


def test_a_glyph_stands_for_the_disc_on_the_board_beside_it_and_as_a_captive(english, chessmen):
    assert sorted(shape.text for shape in glyphs(chessmen, english)) == ["♚", "♚", "♛", "♛", "♛"]
    shapes = lay_out(chessmen, english, QUIET).shapes
    assert not [shape for shape in shapes if isinstance(shape, Disc) and shape.fill in ("light", "dark")]


@pytest.mark.parametrize("theme", [DEFAULT, DARK])
def test_each_has_its_own_colour_and_an_edge_of_the_other(english, chessmen, theme):
    image = Image.open(BytesIO(render_png(chessmen, english, QUIET, theme))).convert("RGB")
    white, black = (
        shape for shape in glyphs(chessmen, english) if shape.size == max(sizes(chessmen, english))
    )
    for shape, body, edge in ((white, "light", "dark"), (black, "dark", "light")):
        half = shape.size / 2
        around = image.crop(
            tuple(map(int, (shape.x - half, shape.y - shape.size, shape.x + half, shape.y + 4)))
        )
        counts = {colour: n for n, colour in around.getcolors(1 << 12)}
        assert counts[theme.rgb(body)] > counts.get(theme.rgb(edge), 0) > 20


def test_it_stands_in_the_middle_of_its_square(english, chessmen):
    for shape in glyphs(chessmen, english):
        mask, left, top = raster.word_mask(shape.text, shape.size, False)
        right, bottom = left + mask.width, top + mask.height
        across = (left + right) / 2 - raster.width(shape.text, shape.size) / 2
        assert abs(across) < 1
        assert abs((top + bottom) / 2 + raster.middle(shape.text, shape.size)) <= 1


def test_an_svg_paints_the_edge_first_and_no_emoji(english, chessmen):
    root = ElementTree.fromstring(svg(chessmen, english, QUIET))
    outlined = [element for element in root.iter() if element.get("paint-order") == "stroke"]
    assert {element.text for element in outlined} == {"♚\ufe0e", "♛\ufe0e"}


def test_text_has_letters_and_a_game_its_own_legend(english, chessmen):
    captive = replace(chessmen, marks=(Mark("captured", "c2", QUEEN),))
    assert "| W |" in board(captive, english)
    assert " *  captured" in board(captive, english)
    fallen = replace(english, phrases={**english.phrases, "legend": {"captured": "fallen"}})
    assert " *  fallen" in board(captive, fallen)


def sizes(scene, speech):
    return [shape.size for shape in glyphs(scene, speech)]

"""The same scene as SVG, drawn by a browser, and as PNG, painted by us, look the same: for every game."""

from base64 import b64encode
from importlib.resources import files
from io import BytesIO

import pytest
from PIL import Image
from playwright.sync_api import Browser

from games.exhibits import exhibit
from games.kit.drawing import DARK, DEFAULT, PRINT, Box
from games.kit.image import painted
from games.kit.layout import lay_out
from games.kit.svg import svg, svg_file
from games.protocol import CANONICAL
from games.registry import names
from tests.games.kit.test_likeness import worst

pytestmark = [pytest.mark.browser, pytest.mark.prove]
WIDTH, GRAIN = 640, 8  # rims and letters are smoothed in other ways: pixels are compared in squares of 8
MOST, MEAN = 80, 2.5  # of 255; a man that is not there, or letters of another font, are off by more than 100
FONT = '@font-face {{ font-family: "Source Sans 3"; font-weight: {weight}; src: url(data:font/ttf;base64,{data}) }}'


def fonts():
    folder = files("games.kit") / "fonts"
    for weight, name in (("normal", "SourceSansPro-Regular"), ("bold", "SourceSansPro-Semibold")):
        font = next(file for file in folder.iterdir() if file.name.startswith(name))
        yield FONT.format(weight=weight, data=b64encode(font.read_bytes()).decode())


def test_a_browser_draws_what_pillow_paints(chromium: Browser):
    page = chromium.new_page(viewport={"width": WIDTH, "height": 1200})
    styles = f"<style>{' '.join(fonts())} body {{ margin: 0 }} svg {{ display: block }}</style>"
    page.set_content(f"<!DOCTYPE html>{styles}<p>warm <b>up</b></p>")
    page.evaluate("document.fonts.ready")
    seen = {}
    for number, name in enumerate(names()):
        words, still = exhibit(name, CANONICAL)
        theme = (DEFAULT, PRINT)[number % 2]
        picture = svg(still.scene, words, still.caption, theme, WIDTH)
        page.evaluate("(svg) => { document.body.innerHTML = svg; return document.fonts.ready }", picture)
        drawn = Image.open(BytesIO(page.locator("svg").screenshot())).convert("RGB")
        ours = painted(lay_out(still.scene, words, still.caption, WIDTH), theme).convert("RGB")
        assert drawn.size == ours.size, name
        off = worst(drawn.reduce(GRAIN), ours.reduce(GRAIN))
        seen[name] = off.getextrema()[1], sum(off.tobytes()) / (off.width * off.height)
    page.close()
    assert seen.keys() == {*names()}
    assert {name: each for name, each in seen.items() if each[0] > MOST or each[1] > MEAN} == {}


@pytest.mark.parametrize(("scheme", "theme"), [("light", DEFAULT), ("dark", DARK)])
def test_a_file_follows_the_scheme_of_the_page(chromium: Browser, scheme, theme):
    """Corners of the picture and of a plate below the board have the colours of that theme."""
    page = chromium.new_page(viewport={"width": WIDTH, "height": 1200}, color_scheme=scheme)
    words, still = exhibit("loa", CANONICAL)
    data = b64encode(svg_file(still.scene, words, still.caption, WIDTH).encode()).decode()
    page.set_content(
        f"<meta name=color-scheme content='light dark'><img src='data:image/svg+xml;base64,{data}'>"
    )
    drawn = Image.open(BytesIO(page.locator("img").screenshot())).convert("RGB")
    page.close()
    drawing = lay_out(still.scene, words, still.caption, WIDTH)
    plate = [shape for shape in drawing.shapes if isinstance(shape, Box) and shape.fill == "ground"][-1]
    assert drawn.size == (drawing.width, drawing.height)
    assert drawn.getpixel((1, 1)) == theme.rgb("paper")
    assert drawn.getpixel((plate.x + 2, plate.y + 2)) == theme.rgb("ground")

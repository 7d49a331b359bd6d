"""The gallery: a picture of each game and variant in each theme, and a sheet of all games in each."""

from io import BytesIO

import pytest
from PIL import Image

from games import __main__
from games.exhibits import exhibit
from games.kit.drawing import THEMES
from games.kit.layout import WIDTH
from games.registry import names


@pytest.fixture
def few(monkeypatch):
    """Two names are enough."""
    monkeypatch.setattr(__main__, "names", lambda: ("loa:6x6", "zertz"))


@pytest.mark.usefixtures("few")
def test_it_has_a_picture_of_each_in_each_theme_and_sheets_of_the_games(tmp_path):
    paths = list(__main__.gallery(tmp_path / "new"))
    assert [path.name for path in paths] == [
        *("loa-6x6.default.png", "loa-6x6.dark.png", "loa-6x6.print.png"),
        *("zertz.default.png", "zertz.dark.png", "zertz.print.png"),
        *("sheet.default.png", "sheet.dark.png", "sheet.print.png"),
    ]
    sizes = [Image.open(BytesIO(path.read_bytes())).size for path in paths]
    assert {width for width, _ in sizes[: -len(THEMES)]} == {WIDTH}
    assert {width for width, _ in sizes[-len(THEMES) :]} == {320 * __main__.ACROSS}


@pytest.mark.parametrize("name", names())
def test_it_shows_a_move_and_always_the_same(name):
    _, still = exhibit(name, __main__.CANONICAL)
    assert still.scene.marks
    assert still.caption.subtitle == name
    assert exhibit(name, __main__.CANONICAL)[1] == still

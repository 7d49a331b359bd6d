"""SVG: well-formed, with the same things in the same places as the PNG."""

import re
from collections import Counter
from dataclasses import asdict, fields, replace
from io import BytesIO
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from games.kit.drawing import CSS, DARK, DEFAULT, Theme
from games.kit.image import render_png
from games.kit.layout import WIDTH, Caption, lay_out
from games.kit.scene import SquareBoard
from games.kit.svg import RINGED, cell, sheet, svg, svg_file, targets
from games.kit.words import speech
from games.protocol import Notation
from games.registry import find
from tests.examples import examples

CAPTION = Caption("Zèrtz", "match 105 · move 7 · Bruno to play", "Alice: g5×e3, taking black on f4")
QUIET = Caption("Zèrtz")
SPACE = "{http://www.w3.org/2000/svg}"


def elements(scene, speech, caption=CAPTION, **rest):
    root = ElementTree.fromstring(svg(scene, speech, caption, **rest))
    return root, [(element.tag.rpartition("}")[2], element) for element in root.iter()]


def test_it_is_as_large_as_the_png(english, jump):
    root, _ = elements(jump, english)
    image = Image.open(BytesIO(render_png(jump, english, CAPTION)))
    assert (int(root.get("width")), int(root.get("height"))) == image.size


def test_it_is_small_and_plain(english, jump):
    _, all_of_it = elements(jump, english)
    tags = Counter(tag for tag, _ in all_of_it)
    assert tags.keys() == {"svg", "title", "desc", "rect", "circle", "polyline", "polygon", "text"}
    assert len(svg(jump, english, CAPTION)) < 20_000


def test_it_says_in_words_what_it_shows(english, jump):
    _, all_of_it = elements(jump, english)
    words = next(element.text for tag, element in all_of_it if tag == "desc")
    assert words == " ".join(english.position(jump))


def test_coordinates_players_and_counts_are_text(english, jump):
    _, all_of_it = elements(jump, english)
    shown = [element.text for tag, element in all_of_it if tag == "text"]
    assert {"Zèrtz", "a1", "g7", "Pool", "Alice", "Bruno", "10", CAPTION.last} <= set(shown)


def test_letters_take_the_room_that_is_left_for_them_in_any_font(english, jump):
    """A font that is not there is replaced by a wider one: a note ran over the edge of the picture."""
    root, all_of_it = elements(jump, english)
    assert root.get("font-family").startswith("'Source Sans 3',"), (
        "without quotes the list of fonts is invalid"
    )
    texts = [element for tag, element in all_of_it if tag == "text" and len(element.text) > 1]
    assert texts
    for element in texts:
        room = WIDTH * {"start": 1, "middle": 2, "end": 1}[element.get("text-anchor")]
        assert 0 < float(element.get("textLength")) < room


def test_the_accent_speaks_of_the_last_move_alone(english, jump, bare):
    assert DEFAULT.accent in svg(jump, english, QUIET)
    assert DEFAULT.accent not in svg(bare, english, QUIET)
    assert DEFAULT.paper not in svg(jump, english, QUIET, theme=DARK)


def test_a_page_around_it_gives_the_colours(english, jump, bare):
    """Those of CSS, and of nothing else: dark mode is a matter of the style sheet."""
    for scene in (jump, bare):
        drawn = svg(scene, english, CAPTION, CSS, links={"d3": "?s=d3"})
        assert "#" not in drawn
        names = set(re.findall(r"var\(--(\w+)\)", drawn))
        assert {"paper", "ground", "ring", "label"} <= names <= {field.name for field in fields(Theme)}


def test_a_file_has_both_palettes_of_its_own(english, jump):
    drawn = svg_file(jump, english, CAPTION)
    style = ElementTree.fromstring(drawn).find(f"{SPACE}style").text
    light, dark = style.split("@media(prefers-color-scheme:dark)")
    assert all(f"--{name}:{colour}" in light for name, colour in asdict(DEFAULT).items())
    assert all(f"--{name}:{colour}" in dark for name, colour in asdict(DARK).items())
    assert drawn.replace(f"<style>{style}</style>", "") == svg(jump, english, CAPTION, CSS)


def test_links_lie_over_their_cells_in_reading_order(english, jump):
    links = {"f6": "?s=f6&t=1", "d4": "?s=d4", "e4": "/en/"}
    root, _ = elements(jump, english, links=links)
    anchors = root.findall(f"{SPACE}a")
    assert [(a.get("href"), a.get("aria-label")) for a in anchors] == [
        ("?s=d4", "d4: white marble"),
        ("/en/", "e4: empty"),
        ("?s=f6&t=1", "f6: empty"),
    ]
    board = lay_out(jump, english, CAPTION).board
    places = {cell.name: board.at(cell) for cell in jump.cells}
    for anchor, name in zip(anchors, ("d4", "e4", "f6"), strict=True):
        hit = anchor.findall(f"{SPACE}circle")[-1]
        middle = float(hit.get("cx")), float(hit.get("cy"))
        assert middle == pytest.approx(places[name], abs=0.05)
        assert float(hit.get("r")) == pytest.approx(board.unit / 2, abs=0.05)


def test_with_links_it_is_a_group_whose_picture_is_not_read_aloud(english, jump):
    root, _ = elements(jump, english, QUIET, links={"d4": "?s=d4"})
    assert root.get("role") == "group"
    hidden = root.find(f"{SPACE}g")
    assert hidden.get("aria-hidden") == "true"
    assert {child.tag.removeprefix(SPACE) for child in root} == {"title", "desc", "g", "a"}
    plain, _ = elements(jump, english, QUIET)
    assert plain.get("role") is None
    assert [element.attrib for element in hidden] == [
        element.attrib for element in plain if element.tag.removeprefix(SPACE) not in ("title", "desc")
    ]


def test_few_links_are_ringed(english, men):
    """On most of a board rings would tell nothing."""
    wide = replace(men, cells=SquareBoard(7).scene_cells, edges=())
    for count, circles in ((RINGED - 1, 3), (RINGED, 1)):
        root, _ = elements(wide, english, links={cell.name: "?" for cell in wide.cells[:count]})
        anchors = root.findall(f"{SPACE}a")
        assert [len(anchor) for anchor in anchors] == [circles] * count


def test_targets_of_dark_squares_alone_reach_to_their_corners(english, draughts):
    """Their nearest neighbours are diagonal, and the light squares between them no cells."""
    board = lay_out(draughts, english, QUIET).board
    assert targets(draughts, board)["d4"].radius == pytest.approx(board.unit / 2**0.5)


def test_a_picture_without_a_title_is_named_by_the_turn(english, jump):
    root, _ = elements(jump, english, Caption(""))
    assert root.find(f"{SPACE}title").text == "Bruno to play"


def test_a_name_cannot_write_markup(english, jump):
    sly = replace(english, players=("<script>alert(1)</script>", 'a"b&c\x00\x1b'))
    _, all_of_it = elements(jump, sly, Caption("</text>", "&lt;"))
    assert "script" not in {tag for tag, _ in all_of_it}
    sly = replace(english, label=lambda cell: f'"><script>{cell}</script>')
    _, all_of_it = elements(jump, sly, links={"d4": '"><script>'})
    assert "script" not in {tag for tag, _ in all_of_it}


@examples(60)
@given(data=st.data(), text=st.text(max_size=80))
def test_whatever_there_is_to_see_is_well_formed(scenes, english, data, text):
    speech = replace(english, players=(text, "Bruno"))
    root, _ = elements(data.draw(scenes), speech, Caption(text, text, text))
    assert root.get("width") == str(WIDTH)


def test_coordinates_stand_outside_the_board_on_two_sides() -> None:
    """Emergo has them on all four: each letter above another, each number beside another."""
    game, _ = find("emergo")
    position = game.start(game.presets[""], "")
    words = speech(game, position.rules, Notation())
    picture = ElementTree.fromstring(svg(game.scene(None, None, position), words, Caption("Emergo")))
    frame = picture.findall(f"{SPACE}rect")[1]
    left, top, height = (float(frame.get(name, 0)) for name in ("x", "y", "height"))
    found = {
        text.text or "": (float(text.get("x", 0)), float(text.get("y", 0)))
        for text in picture.iter(f"{SPACE}text")
        if len(text.text or "") == 1 and (text.text or "").isalnum()
    }
    assert len(found) == 9 + 9
    assert len({found[number][0] for number in "123456789"}) == 1
    assert all(found[number][0] < left for number in "123456789")
    assert len({found[letter][1] for letter in "abcdefghi"}) == 1
    assert all(found[letter][1] > top + height for letter in "abcdefghi")


def test_boards_of_a_sheet_lie_below_an_empty_place(english, jump):
    root = ElementTree.fromstring(
        sheet({"whole": cell(jump, english), "small": cell(jump, english, square=True)})
    )
    views = {view.get("id"): view.get("viewBox") for view in root.iter(f"{SPACE}view")}
    height = lay_out(jump, english, Caption("")).height
    assert root.get("viewBox") == f"0 0 {WIDTH} {WIDTH}"
    assert views == {
        "whole": f"0 {WIDTH} {WIDTH} {height}",
        "small": f"0 {WIDTH + height} {WIDTH} {WIDTH}",
    }
    assert [group.get("transform") for group in root.iter(f"{SPACE}g")] == [
        f"translate(0 {WIDTH})",
        f"translate(0 {WIDTH + height})",
    ]

"""SVG: well-formed, with the same things in the same places as the PNG."""

from collections import Counter
from dataclasses import replace
from io import BytesIO
from xml.etree import ElementTree

from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from games.kit.drawing import DARK, DEFAULT
from games.kit.image import render_png
from games.kit.layout import WIDTH, Caption
from games.kit.svg import svg
from games.kit.words import speech
from games.protocol import Notation
from games.registry import find
from tests.examples import examples

CAPTION = Caption("Zèrtz", "match 105 · move 7 · Bruno to play", "Alice: g5×e3, taking black on f4")
QUIET = Caption("Zèrtz")


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


def test_a_name_cannot_write_markup(english, jump):
    sly = replace(english, players=("<script>alert(1)</script>", 'a"b&c\x00\x1b'))
    _, all_of_it = elements(jump, sly, Caption("</text>", "&lt;"))
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
    space = "{http://www.w3.org/2000/svg}"
    frame = picture.findall(f"{space}rect")[1]
    left, top, height = (float(frame.get(name, 0)) for name in ("x", "y", "height"))
    found = {
        text.text or "": (float(text.get("x", 0)), float(text.get("y", 0)))
        for text in picture.iter(f"{space}text")
        if len(text.text or "") == 1 and (text.text or "").isalnum()
    }
    assert len(found) == 9 + 9
    assert len({found[number][0] for number in "123456789"}) == 1
    assert all(found[number][0] < left for number in "123456789")
    assert len({found[letter][1] for letter in "abcdefghi"}) == 1
    assert all(found[letter][1] > top + height for letter in "abcdefghi")

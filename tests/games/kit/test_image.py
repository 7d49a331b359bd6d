"""PNGs: how large, in which colours, and what a few of their pixels show."""

from dataclasses import fields, replace
from io import BytesIO
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image

from games.exhibits import exhibit, random_game
from games.film import watched
from games.kit import raster
from games.kit.drawing import DARK, DEFAULT, FEW, PRINT, SIXTEEN, THEMES, Box, Disc, Line, Text
from games.kit.image import SHIFT, render_png
from games.kit.layout import DENSE, WIDTH, Caption, lay_out
from games.kit.men import STACKED, man
from games.kit.scene import Arrow, Mark, Piece, Tray
from games.kit.words import label
from games.protocol import CANONICAL, Side
from games.registry import names
from tests.examples import examples

WHITE, BLACK = Piece("white", "light"), Piece("black", "dark")
CAPTION = Caption("Zèrtz", "match 105 · move 7 · Bruno to play", "Alice: g5×e3, taking black on f4")
QUIET = Caption("Zèrtz", "match 105 · move 7 · Bruno to play")


def painted(scene, speech, caption=CAPTION, **rest):
    return Image.open(BytesIO(render_png(scene, speech, caption, **rest)))


def colours(image):
    return {colour for _, colour in image.convert("RGB").getcolors(1 << 16)}


def rims(scene, speech):
    """A pixel on the band of each ring in play, in the order of the cells."""
    discs = [s for s in lay_out(scene, speech, QUIET).shapes if isinstance(s, Disc) and s.fill == "ring"]
    return [(int(disc.x), int(disc.y - 0.82 * disc.radius)) for disc in discs]


@pytest.mark.parametrize("width", [320, 640, 960])
def test_it_is_as_wide_as_asked_and_about_as_high(english, jump, men, width):
    for scene in (jump, men):
        image = painted(scene, english, width=width)
        assert image.format == "PNG"
        assert image.width == width
        assert width < image.height < 1.6 * width


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_twice_as_wide_is_as_crisp(english, jump, theme):
    """Between two flat colours lie as many steps as before: they grow with the edges, not with the area."""
    named = {theme.rgb(field.name) for field in fields(theme)}
    blends = [
        sum(n for n, rgb in picture.convert("RGB").getcolors(1 << 16) if rgb not in named)
        for picture in (painted(jump, english, theme=theme, width=width) for width in (320, 640))
    ]
    assert 1.5 * blends[0] < blends[1] < 2.5 * blends[0]


@pytest.mark.parametrize("width", [320, 640, 1280])
def test_between_a_man_and_the_ring_around_him_there_is_a_gap(english, placement, width):
    """On a grey printer the accent is nearly black."""
    discs = [s for s in lay_out(placement, english, QUIET, width).shapes if isinstance(s, Disc)]
    (ring,) = (disc for disc in discs if disc.line == "accent" and not disc.dashed)
    man, dot = (d for d in discs if (d.x, d.y) == (ring.x, ring.y) and d.fill in ("light", "grey", "dark"))
    assert (man.fill, dot.fill) == ("grey", "light")
    gap = ring.radius - ring.thickness / 2 - man.radius - man.thickness / 2
    assert gap > width / 400


@pytest.mark.parametrize("name", names())
def test_a_picture_of_a_letter_is_small(name):
    """With what a letter says beside it, 9 to 12 kB, and the third that base64 adds, it stays below 60 kB."""
    words, stills = watched(random_game(name), CANONICAL)
    for theme, still in product(THEMES.values(), stills[8::12]):
        assert len(render_png(still.scene, words, Caption(""), theme, DENSE)) < 36_000


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_in_a_letter_two_pixels_are_one_byte(english, jump, theme):
    """Sixteen colours are all, those of the theme among them."""
    image = painted(jump, english, Caption(""), theme=theme, width=DENSE)
    assert len(theme.palette(FEW)) == SIXTEEN
    assert {theme.rgb(field.name) for field in fields(theme)} <= set(theme.palette(FEW))
    assert colours(image) <= set(theme.palette(FEW))
    assert (image.mode, image.width) == ("P", DENSE)


@pytest.mark.parametrize("theme", [DEFAULT, DARK, PRINT])
def test_it_has_the_colours_of_its_theme_and_no_others(english, jump, theme):
    assert len(theme.palette()) <= 256
    image = painted(jump, english, theme=theme)
    assert image.mode == "P"
    assert colours(image) <= set(theme.palette())
    assert {theme.rgb("paper"), theme.rgb("ink"), theme.rgb("dark"), theme.rgb("light")} <= colours(image)


def test_the_accent_speaks_of_the_last_move_alone(english, jump, bare, men):
    accent = DEFAULT.rgb("accent")
    assert accent not in colours(painted(bare, english, QUIET))
    assert accent in colours(painted(jump, english, QUIET))
    assert accent in colours(painted(replace(men, arrows=(Arrow(("b1", "b3")),), marks=()), english, QUIET))
    assert accent not in colours(
        painted(replace(men, marks=(Mark("target", "b2"),), arrows=()), english, QUIET)
    )


def test_a_ring_that_has_gone_is_not_drawn(english, bare):
    whole = replace(bare, cells=tuple(replace(cell, ground="plain") for cell in bare.cells), pieces={})
    without = replace(
        whole, cells=tuple(replace(c, ground="gone") if c.name == "a1" else c for c in whole.cells)
    )
    spots = rims(whole, english)
    assert len(spots) == 37
    before, after = (painted(scene, english, QUIET).convert("RGB") for scene in (whole, without))
    ring, paper = DEFAULT.rgb("ring"), DEFAULT.rgb("paper")
    assert [before.getpixel(spot) for spot in spots] == [ring] * 37
    assert [after.getpixel(spot) for spot in spots] == [paper] + [ring] * 36


def test_free_places_are_dots_on_a_ring_and_without_any_it_is_closed(english, bare):
    cells = tuple(replace(cell, ground="plain", free=number % 5) for number, cell in enumerate(bare.cells))
    drawn = lay_out(replace(bare, cells=cells), english, QUIET).shapes
    assert sum(isinstance(s, Disc) and s.fill == "label" for s in drawn) == 7 * (1 + 2 + 3 + 4) + 1
    closed = {(s.x, s.y) for s in drawn if isinstance(s, Disc) and s.fill == "ring" and not s.hole}
    assert len(closed) == 8
    names = {text.text for text in drawn if isinstance(text, Text)}
    assert "a2" in names
    assert not names & {cell.name for cell in cells if not cell.free and cell.name[1] not in "147"}


def test_what_is_printed_shows_through_rings_and_between_them(english, printed):
    """At the middle of each cell its line, or a dot where one can go."""
    shapes = lay_out(printed, english, QUIET).shapes
    ends = [shape.points for shape in shapes if isinstance(shape, Line) and shape.colour == "label"]
    middles = dict.fromkeys((int((x + x2) / 2), int((y + y2) / 2)) for (x, y), (x2, y2) in ends)
    assert (len(ends), len(middles)) == (11, 9), "two cells have two lines"
    image = painted(printed, english, QUIET).convert("RGB")
    colours = [image.getpixel(middle) for middle in middles]
    line, where_one_can_go = DEFAULT.rgb("label"), DEFAULT.rgb("accent")
    assert colours == [line] * 3 + [where_one_can_go, line, where_one_can_go] + [line] * 3


@pytest.mark.parametrize("look", ["light", "grey", "dark"])
def test_a_ring_has_a_hole_and_a_rim_of_its_colour(look):
    rim, body = man(Piece("any", look, hollow=True), (20.5, 20.5), 20, 1)
    assert (rim.fill, body.fill) == (None, None)
    assert (rim.line, body.line) == ("outline", look)
    hole = body.radius - rim.thickness / 2
    assert 10 < hole < body.radius + body.thickness / 2 < 20
    dot = ["light"] if look == "grey" else []
    assert [disc.fill for disc in man(Piece("any", look), (20.5, 20.5), 20, 1)] == [look, *dot]


def test_a_captive_is_shown_where_it_stood(english, jump, bare):
    spots = dict(zip([c.name for c in jump.cells if c.ground != "gone"], rims(bare, english), strict=True))
    here = spots["f4"]
    pictures = (painted(scene, english, QUIET).convert("RGB") for scene in (jump, bare))
    shown, empty = (image.crop((here[0] - 20, here[1], here[0] + 20, here[1] + 40)) for image in pictures)
    assert DEFAULT.rgb("dark") in colours(shown)
    assert DEFAULT.rgb("dark") not in colours(empty)


def texts(scene, speech):
    return [shape.text for shape in lay_out(scene, speech, QUIET).shapes if isinstance(shape, Text)]


def test_the_ring_that_has_just_gone_still_says_its_name(english, placement):
    assert texts(placement, english).count("c1") == 1


def test_a_pile_says_from_the_top_how_many_lead_it_and_how_many_are_below(english, draughts):
    plain = replace(draughts, trays=(), edges=())
    stack = (BLACK,) * 3 + (WHITE,) * 7
    shown = texts(replace(plain, pieces={"d4": stack}), english)
    assert [text for text in shown if text.isdecimal()] == ["7", "3"]
    two = [text for text in texts(replace(plain, pieces={"d4": (BLACK, WHITE)}), english) if text.isdecimal()]
    assert two == ["1"], "one alone on top is not counted, as in text and words"
    same = [
        text for text in texts(replace(plain, pieces={"d4": (WHITE, WHITE)}), english) if text.isdecimal()
    ]
    assert same == ["2"]
    alone = texts(replace(plain, pieces={"d4": (WHITE,)}), english)
    assert not [text for text in alone if text.isdecimal()]


def test_every_man_of_a_tall_stack_is_seen(english, draughts):
    stack = (BLACK,) * 3 + (WHITE,) * 7
    plain = replace(draughts, trays=(), men=None, marks=(), arrows=(), pieces={"d4": stack})
    discs = [s for s in lay_out(plain, english, QUIET).shapes if isinstance(s, Disc)]
    *column, badge = discs
    assert [disc.fill for disc in column] == ["dark"] * 3 + ["light"] * 7
    assert [disc.y for disc in column] == sorted((disc.y for disc in column), reverse=True)
    unit = column[0].radius / STACKED
    assert column[0].y - column[-1].y < 1.1 * unit, "it stays below the next square of its file"
    assert badge.fill == "dark"


@pytest.mark.parametrize("width", [320, 640])
def test_a_pile_on_the_last_row_hides_neither_frame_nor_coordinates(english, draughts, width):
    stack = (BLACK,) * 12 + (WHITE,) * 12
    shapes = lay_out(
        replace(draughts, pieces={"a5": stack}, marks=(), arrows=()), english, QUIET, width
    ).shapes
    squares = next(s for s in shapes if isinstance(s, Box) and s.fill == "ground")
    men = [s for s in shapes if isinstance(s, Disc) and s.y < squares.y + squares.height]
    assert squares.y < min(s.y - s.radius - s.thickness / 2 for s in men)
    assert max(s.y + s.radius for s in men[:24]) < squares.y + squares.height / 5


def test_two_numbers_on_a_pile_are_explained_once(english, draughts):
    explained = "2 on 2: two on top, two of the other colour below."
    assert texts(draughts, english).count(explained) == 1
    assert explained not in texts(replace(draughts, pieces={"d4": (WHITE,) * 3}), english)
    assert explained not in texts(replace(draughts, men=None), english), (
        "in a strip it would be said of each board"
    )


@pytest.mark.parametrize("name", names())
def test_coordinates_can_be_read_on_a_phone(name):
    """Eleven pixels high, all of one size, and none of them below a man."""
    words, still = exhibit(name, CANONICAL)
    cells = {words.label(cell.name) for cell in still.scene.cells}
    cells |= {label(edge, words) for edge in still.scene.edges}
    drawn = lay_out(still.scene, words, Caption(""), 320).shapes
    named = [
        s for s in drawn if isinstance(s, Text) and s.text in cells and s.anchor == "middle" and not s.edge
    ]
    assert len({s.size for s in named}) == 1
    assert named[0].size >= 11


def test_both_ends_of_the_last_move_are_tinted(english, men, jump):
    squares = [s for s in lay_out(men, english, QUIET).shapes if isinstance(s, Box) and s.fill == "tint"]
    rings = [s for s in lay_out(jump, english, QUIET).shapes if isinstance(s, Disc) and s.fill == "tint"]
    assert (len(squares), len(rings)) == (2, 2)
    assert squares[0].width == squares[0].height


def test_a_man_fills_84_hundredths_of_his_square(english, men):
    shapes = lay_out(men, english, QUIET, 640).shapes
    square = next(s for s in shapes if isinstance(s, Box) and s.fill == "tint")
    man = next(
        s for s in shapes if isinstance(s, Disc) and s.fill == "dark" and s.y < square.y + 6 * square.width
    )
    assert 2 * man.radius / square.width == pytest.approx(0.84)


def test_a_captive_beside_its_captor_is_crossed_out_by_14_pixels_on_a_phone(english, men):
    scene = replace(men, marks=(Mark("captured", "b3", WHITE),), arrows=())
    crosses = [
        s for s in lay_out(scene, english, QUIET, 320).shapes if isinstance(s, Line) and s.colour == "accent"
    ]
    assert len(crosses) == 2
    for cross in crosses:
        (x, _), (x2, _) = cross.points
        assert abs(x - x2) >= 14


def test_a_man_that_changed_sides_has_a_dot_seven_pixels_wide_on_a_phone(english, men):
    scene = replace(men, marks=(Mark("to", "b3"), Mark("turned", "b5")), arrows=())
    rim, dot = (
        s
        for s in lay_out(scene, english, QUIET, 320).shapes
        if isinstance(s, Disc) and "accent" in (s.fill, s.line)
    )
    assert rim.fill is None
    assert 2 * dot.radius >= 7


def test_the_ends_of_rows_keep_their_names_when_their_rings_have_gone_or_are_taken(english, bare):
    """Also those of the widest row, which leaves no room beside them."""
    gone = tuple(replace(c, ground="gone") if c.name == "d7" else c for c in bare.cells)
    scene = replace(bare, cells=gone, pieces={"d1": (WHITE,), "g4": (WHITE,)})
    shown = [s for s in lay_out(scene, english, QUIET).shapes if isinstance(s, Text)]
    for name in ("a1", "a4", "c1", "d1", "d7", "g4"):
        (text,) = (s for s in shown if s.text == name)
        assert text.colour == "muted"
        assert text.size == next(s.size for s in shown if s.text == "b1")


def test_a_vanished_square_is_no_white_one_on_white_paper(english, men):
    whole = replace(men, cells=tuple(replace(cell, ground="plain") for cell in men.cells))
    hatched, none = (
        [s for s in lay_out(scene, english, QUIET).shapes if isinstance(s, Line) and s.colour == "faint"]
        for scene in (men, whole)
    )
    assert len(hatched) >= 2 * 3
    assert none == []


@pytest.mark.parametrize("players", [("Alessandra", "Bruno"), ("Al", "Gianbattista")])
def test_a_name_that_does_not_fit_beside_the_other_has_a_plate_as_wide_as_the_picture(english, men, players):
    held = tuple(Tray(side, ((piece, 13),), "hand") for side, piece in zip(Side, men.men, strict=True))
    spoken, scene = replace(english, players=players), replace(men, trays=held)
    assert set(players) <= set(texts(scene, spoken))
    short = texts(scene, replace(english, players=("Al", "Bo")))
    assert {"Al", "Bo"} <= set(short)
    heights = [lay_out(scene, who, QUIET).height for who in (spoken, replace(english, players=("Al", "Bo")))]
    assert heights[0] > heights[1]


def test_what_is_written_below_the_board_begins_where_the_title_does(english, jump, men):
    for scene in (jump, replace(men, men=None, trays=(Tray(None, ()),))):
        drawn = lay_out(scene, english, CAPTION, 520).shapes
        starts = {s.text: s.x for s in drawn if isinstance(s, Text) and s.anchor == "start"}
        assert starts["Pool"] == pytest.approx(starts["Zèrtz"])


def test_a_tray_of_lost_men_says_so(english, men):
    lost = replace(men, trays=(Tray(Side.FIRST, ((WHITE, 2),), "lost"), Tray(Side.SECOND, (), "lost")))
    assert texts(lost, english).count("lost") == 1


def test_pieces_differ_in_lightness_not_in_hue(english):
    for theme in (DEFAULT, DARK, PRINT):
        looks = ("dark", "grey", "light")
        dark, grey, light = (sum(theme.rgb(look)) / 3 for look in looks)
        assert dark + 60 < grey < light - 60
        for colour in looks:
            assert max(theme.rgb(colour)) - min(theme.rgb(colour)) < 20


@pytest.mark.parametrize("length", [0, 1, 60, 4000])
def test_any_caption_fits(english, jump, length):
    text = "Wit " * length
    image = painted(jump, english, Caption(text, text, text))
    assert image.size[0] == WIDTH
    assert image.size[1] < 1.6 * WIDTH


@pytest.mark.prove
@examples(60)
@given(data=st.data(), text=st.text(max_size=80), width=st.sampled_from([320, 640]))
def test_whatever_there_is_to_see_is_drawn(scenes, english, data, text, width):
    speech = replace(english, players=(text, "Bruno"))
    assert painted(data.draw(scenes), speech, Caption(text, text, text), width=width).width == width


def test_a_name_that_source_sans_lacks_is_written_in_dejavu():
    assert raster._font("Zèrtz · g5×e3 – Ελένη, Привет", 16, True).getname() == (
        "Source Sans Pro",
        "Semibold",
    )
    assert raster._font("שלום", 16, True).getname()[0] == "DejaVu Sans"


def test_a_man_on_another_ground_is_no_stamp_of_the_first(english, men):
    """What a shape makes of the pixels below is kept: it has to be asked for by them too."""
    plain = replace(men, marks=(), arrows=(), pieces={"a1": (BLACK,)})
    moved = replace(men, marks=(), arrows=(), pieces={"b1": (BLACK,)})
    for scene, ground in ((plain, "shaded"), (moved, "ground"), (plain, "shaded")):
        disc = next(
            s for s in lay_out(scene, english, QUIET).shapes if isinstance(s, Disc) and s.fill == "dark"
        )
        image = painted(scene, english, QUIET).convert("RGB")
        corner = round(disc.x + 0.9 * disc.radius), round(disc.y - 0.9 * disc.radius)
        assert image.getpixel(corner) == DEFAULT.rgb(ground)
        assert image.getpixel((round(disc.x), round(disc.y))) == DEFAULT.rgb("dark")


@pytest.mark.parametrize("width", [320, 640])
def test_empty_rings_say_what_they_are_called_and_taken_ones_do_not(english, bare, width):
    shown = [
        s.text
        for s in lay_out(bare, english, QUIET, width).shapes
        if isinstance(s, Text) and s.colour == "label"
    ]
    assert {"b1", "d1", "d7"} <= set(shown)
    assert not {"a1", "d2", "d4"} & set(shown), "gone, or taken"


def test_no_coordinate_is_cut_off(english, bare, men, draughts):
    for scene in (bare, men, draughts):
        for text in (s for s in lay_out(scene, english, QUIET, 320).shapes if isinstance(s, Text)):
            start = text.x - SHIFT[text.anchor] * raster.width(text.text, text.size, text.bold)
            assert start >= 0
            assert start + raster.width(text.text, text.size, text.bold) <= 320


def test_a_hatch_lies_within_its_square(english, men):
    trap = Piece("grey", "grey", hatch=True)
    shapes = list(man(trap, (50.5, 50.5), 30, 1))
    frame = shapes[0]
    assert isinstance(frame, Box)
    assert frame.width == frame.height < 60
    assert len([shape for shape in shapes if isinstance(shape, Box)]) == 5

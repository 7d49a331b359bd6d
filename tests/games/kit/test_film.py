"""Films and strips: the last position first, one palette, every frame as its picture."""

from dataclasses import replace
from io import BytesIO

import pytest
from PIL import Image, ImageChops, ImageSequence

from games.kit.drawing import FEW, THEMES
from games.kit.image import END, FILM, MOVE, UNCHANGED, film, painted, strip
from games.kit.layout import Caption, Still, lay_out_series


@pytest.fixture
def stills(bare, placement, jump):
    """Three moments, the second with a caption of two lines and a longer column beside the board."""
    longer = replace(placement, notes=placement.notes * 2)
    said = ("Alice to play", "1. Alice: " + "a long story " * 9, "2. Bruno: g5xe3")
    scenes = (bare, longer, jump)
    return tuple(Still(scene, Caption("Zèrtz", "A – B", s)) for scene, s in zip(scenes, said, strict=True))


def frames(gif):
    return [frame.convert("RGB") for frame in ImageSequence.Iterator(Image.open(BytesIO(gif)))]


def differ(one, other):
    return ImageChops.difference(one, other).getbbox() is not None


@pytest.mark.parametrize("theme", THEMES.values(), ids=THEMES)
def test_a_film_shows_the_last_position_and_then_all(stills, english, theme):
    pictures = [painted(d, theme, FEW).convert("RGB") for d in lay_out_series(stills, english, FILM)]
    shown = frames(film(stills, english, theme))
    assert len(shown) == 4
    for frame, picture in zip(shown, [pictures[-1], *pictures], strict=True):
        assert not differ(frame, picture)


def test_it_rests_on_the_last_position_and_never_ends(stills, english):
    gif = Image.open(BytesIO(film(stills, english)))
    assert [frame.info["duration"] for frame in ImageSequence.Iterator(gif)] == [END, MOVE, MOVE, END]
    assert gif.info["loop"] == 0


def test_one_still_is_a_film_too(stills, english):
    assert len(frames(film(stills[-1:], english))) == 1


def test_all_frames_share_one_palette(stills, english):
    assert local_palettes(film(stills, english)) == [False] * 4


def test_no_colour_of_a_theme_means_unchanged():
    for theme in THEMES.values():
        assert UNCHANGED not in theme.palette(FEW)


def test_the_board_of_a_series_stays_where_it_is(stills, english):
    series = lay_out_series(stills, english)
    assert len({(drawing.width, drawing.height) for drawing in series}) == 1
    firsts = {(shape.x, shape.y) for drawing in series for shape in drawing.shapes[2:3]}
    assert len(firsts) == 1


@pytest.mark.parametrize("width", [320, 640])
@pytest.mark.parametrize("count", [1, 2, 3])
def test_a_strip_is_two_boards_wide_at_most(stills, english, count, width):
    image = Image.open(BytesIO(strip("Zèrtz", stills[:count], english, width=width)))
    assert image.format == "PNG"
    assert image.width == (width // 2 if count == 1 else width)
    row = Image.open(BytesIO(strip("Zèrtz", stills[:1] * 2, english, width=width))).height
    assert row * (2 if count == 3 else 1) * 0.8 < image.height < row * (2 if count == 3 else 1) * 1.2


def test_a_strip_has_each_board(stills, english):
    pair, same = (
        Image.open(BytesIO(strip("Zèrtz", two, english))).convert("RGB")
        for two in ((stills[0], stills[2]), (stills[2], stills[2]))
    )
    left, right = ((0, 60, 320, pair.height), (320, 60, 640, pair.height))
    assert differ(pair.crop(left), pair.crop(right))
    assert not differ(same.crop(left), same.crop(right))


def test_in_one_column_each_board_is_as_wide_as_the_picture(stills, english):
    one, two = (Image.open(BytesIO(strip("Zèrtz", stills, english, width=400, most=n))) for n in (1, 2))
    assert one.width == two.width == 400
    assert one.height > 2.5 * two.height


def test_what_is_said_of_a_board_stands_nearer_to_it_than_to_the_next(english, men):
    still = Still(replace(men, trays=(), notes=()), Caption("", last="1. Alice: b1-b3"))
    picture = Image.open(BytesIO(strip("", [still] * 4, english))).convert("RGB")
    paper, line, words, names = (
        THEMES["default"].rgb(part) for part in ("paper", "outline", "told", "muted")
    )
    rows = [{rgb for _, rgb in picture.crop((0, y, 320, y + 1)).getcolors()} for y in range(picture.height)]
    said = [y for y, row in enumerate(rows) if words in row and line not in row and paper in row]
    first = [y for y in said if y < said[0] + 20]
    edges = [y for y, row in enumerate(rows) if line in row]
    above = first[0] - max(y for y in range(first[0]) if names in rows[y])
    below = min(y for y in edges if y > first[-1]) - first[-1]
    assert above < below


def test_nothing_is_not_shown(english):
    for show in (lambda: film((), english), lambda: strip("Zèrtz", (), english)):
        with pytest.raises(ValueError, match="empty"):
            show()


def local_palettes(gif):
    """Of each frame, whether it brings colours of its own."""
    at, found = 13 + 3 * 2 ** ((gif[10] & 7) + 1), []
    while gif[at] != 0x3B:
        if gif[at] == 0x21:
            at += 2
        else:
            flags = gif[at + 9]
            found.append(bool(flags & 0x80))
            at += 11 + (3 * 2 ** ((flags & 7) + 1) if flags & 0x80 else 0)
        while gif[at]:
            at += gif[at] + 1
        at += 1
    return found

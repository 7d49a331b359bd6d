"""What readers choose: colours and size of the picture, letters of text alone, letters as short as can be."""

from __future__ import annotations

from io import BytesIO
from random import Random
from typing import Any

import pytest
from PIL import Image

from games.export import Course
from games.kit.drawing import THEMES
from games.kit.layout import DENSE
from games.protocol import CANONICAL
from pbem.matches.models import Match
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.board import board_at
from pbem.outbox.rendering.compose import Composed, compose
from pbem.outbox.rendering.recipient import SHEETS, Look
from pbem.outbox.rendering.strip import Strip, tried
from pbem.players.models import Player
from tests.mail_fixtures import Correspondent
from tests.players_fixtures import Begin

LOOKS = [Look(theme, width) for theme in THEMES for width in Player.PictureSize.values]
SHORT = 5000  # bytes
LARGEST = 60_000  # bytes of six boards, so that the letter stays below 100 kB


@pytest.mark.parametrize("look", LOOKS, ids=str)
def test_the_picture_has_the_colours_that_the_reader_likes(zertz: Match, look: Look) -> None:
    png = board_at(zertz, 0, CANONICAL, look).picture
    assert png is not None
    picture = Image.open(BytesIO(png)).convert("RGB")
    assert picture.width == look.pixels == DENSE
    assert picture.getpixel((0, 0)) == look.palette.rgb("paper")
    assert look.sheet.paper == look.palette.paper  # so that the picture has no edge


@pytest.mark.parametrize("game", ["trapdoor", "insert"])
def test_six_boards_are_as_large_as_a_letter_can_bear(begin: Begin, game: str) -> None:
    match = begin(game)
    course, moves = Course(match.game, match.start_position()), []
    for _ in range(6):
        moves.append(course.position.sample(Random(game)))
        course.play(moves[-1])
    line = tried(match, 0, [str(move) for move in moves], CANONICAL)
    for many, width in ((1, DENSE), (6, 400)):
        frames = Strip(match, tuple(line.steps[:many]), CANONICAL, look=Look(width=640)).page
        assert [Image.open(BytesIO(frame.picture)).width for frame in frames] == [width] * many
        assert sum(len(frame.picture) for frame in frames) < LARGEST


def test_every_choice_of_a_player_has_its_palette() -> None:
    assert set(Player.Theme.values) == set(THEMES) == set(SHEETS)


def test_text_alone_has_neither_html_nor_pictures_and_nothing_is_amiss(
    zertz: Match, alice: Correspondent
) -> None:
    letter = rewritten(alice, text_only=True)
    assert (letter.html, letter.pictures, letter.verdict) == ("", (), "")
    assert b"multipart" not in letter.raw
    assert "In words:" in letter.text


@pytest.mark.parametrize("game", ["zertz:+24", "emergo", "insert", "loa", "gemma", "trapdoor"])
def test_a_letter_for_a_slow_line_is_short(begin: Begin, alice: Correspondent, game: str) -> None:
    begin(game)
    letter = rewritten(alice, low_bandwidth=True)
    assert len(letter.raw) <= SHORT
    assert letter.html == ""
    assert "In words:" not in letter.text
    assert letter.text.startswith("Your turn · ")


def rewritten(reader: Correspondent, **wishes: Any) -> Composed:
    """The newest letter to `reader`, had they wished so."""
    Player.objects.filter(name=reader.name).update(**wishes)
    return compose(OutboundMail.objects.filter(address=reader.email).latest("pk"))

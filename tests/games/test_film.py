"""A record to look at: what is said of each position, and how large the files are."""

from dataclasses import replace
from io import BytesIO
from random import Random

import pytest
from PIL import Image

from games.film import film_strip, replay_gif, watched
from games.kit.drawing import THEMES
from games.protocol import IllegalMove, Notation, Outcome, Side
from games.record import Course, Record
from games.registry import find, games

ITALIAN = Notation("it", "gipf")
OPENING = Record("zertz", 1, ("Wd4,a1", "Bf4,a2"), players=("Alice", "Bruno"))
RESIGNED = replace(OPENING, result=Outcome(Side.FIRST, "resigned"))


def captions(record, notation=ITALIAN):
    return [still.caption.last for still in watched(record, notation)[1]]


def test_each_position_says_the_move_that_led_there_as_the_reader_writes_it():
    assert captions(OPENING) == ["Tocca ad Alice", "1. Alice: Bd4,a1", "1... Bruno: Nf2,a2"]


def test_a_board_that_was_laid_is_named_as_the_reader_counts():
    words, stills = watched(Record("zertz", 1, ("Wd6,a1",), setup="a1-4 b1-5 c1-6 d3-6"), ITALIAN)
    assert stills[-1].caption.last == "1. Primo: Bd4,a1"
    assert words.changes(stills[-1].scene) == "colloca una biglia bianca in d4 e rimuove l'anello a1"


def test_the_last_position_says_how_the_game_ended():
    words, stills = watched(RESIGNED)
    assert stills[-1].caption.last == "1... Bruno: Bf4,a2 · Bruno resigns, and Alice wins."
    assert [still.scene.to_move for still in stills] == [Side.FIRST, Side.SECOND, None]
    assert words.players == ("Alice", "Bruno")


def test_a_draw_by_repetition_is_said():
    there_and_back = ("d1-d3", "a4-c4", "d3-d1", "c4-a4")
    assert "a draw" in captions(Record("loa", 1, there_and_back * 2), Notation())[-1]


def test_sides_without_names_are_called_by_their_colours():
    _, stills = watched(Record("loa", 1))
    assert (stills[0].caption.subtitle, stills[0].caption.last) == ("Black – White", "Black to play")


def test_the_film_of_sixty_plies_is_small():
    game, rules = find("loa")
    course, moves, rng = Course(game, game.start(rules, "")), [], Random(3)
    while len(moves) < 60:
        moves.append(str(course.position.sample(rng)))
        course.play(game.move(moves[-1]))
    gif = replay_gif(Record("loa", 1, tuple(moves)))
    assert len(gif) < 160_000
    assert Image.open(BytesIO(gif)).n_frames == 62


def test_a_strip_shows_the_plies_asked_for():
    one, two = (Image.open(BytesIO(film_strip(OPENING, plies=plies))) for plies in ((2,), (0, 2)))
    assert (one.width, two.width) == (320, 640)
    assert film_strip(OPENING) == film_strip(OPENING, plies=(0, 1, 2))
    with pytest.raises(IndexError):
        film_strip(OPENING, plies=(3,))


@pytest.mark.parametrize("theme", ["default", "dark"])
@pytest.mark.parametrize("name", games())
def test_six_boards_of_any_game_fit_into_a_small_letter(name, theme):
    game, rules = find(name)
    rng = Random(3)
    setup = game.draw_setup(rules, rng) if game.draw_setup else ""
    course, moves = Course(game, game.start(rules, setup)), []
    while len(moves) < 12:
        moves.append(str(course.position.sample(rng)))
        course.play(game.move(moves[-1]))
    record = Record(name, game.version, tuple(moves), setup, players=("Alice", "Bruno"))
    assert len(film_strip(record, theme=THEMES[theme])) < 60_000


def test_what_cannot_be_played_cannot_be_shown():
    with pytest.raises(IllegalMove):
        replay_gif(replace(OPENING, moves=("Wd4,a1", "Wd4,a2")))

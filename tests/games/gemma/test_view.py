"""What a player sees of Gemma."""

import pytest

from games.gemma import GAME
from games.kit.scene import Arrow, Mark, Piece
from games.kit.text import board as text_board
from games.kit.words import speech
from games.lines_of_action.rules import Rules
from games.protocol import Notation

RULES = Rules()
START = GAME.start(RULES, "")
STUCK = GAME.position(RULES, "8/7x/1x6/4o3/3o4/8/#7/o1#3x1 o")  # a1 cannot move


def scene_after(before, text):
    move = GAME.move(text)
    return GAME.scene(before, move, before.play(move))


def changes(scene, language):
    return speech(GAME, RULES, Notation(language)).changes(scene)


def gone(scene):
    return {cell.name for cell in scene.cells if cell.ground == "gone"}


def test_the_start_has_all_its_squares():
    scene = GAME.scene(None, None, START)
    assert gone(scene) == set()
    assert len(scene.pieces) == 24


def test_a_vanished_square_is_a_hole_where_the_arrow_begins():
    scene = scene_after(START, "c1xa3")
    assert gone(scene) == {"c1"}
    assert scene.arrows == (Arrow(("c1", "a3")),)
    assert scene.marks == (
        Mark("from", "c1"),
        Mark("to", "a3"),
        Mark("captured", "a3", Piece("white", "light")),
    )


def test_a_removal_is_marked_and_has_no_arrow():
    scene = scene_after(STUCK, "xa1")
    assert gone(scene) == {"a1", "a2", "c1"}
    assert (scene.marks, scene.arrows) == ((Mark("removed", "a1"),), ())
    assert scene.to_move is None


@pytest.mark.parametrize(
    ("language", "before", "text", "said"),
    [
        ("en", START, "b1-b3", "moves from b1, which vanishes, to b3"),
        ("it", START, "b1-b3", "muove da b1, che svanisce, a b3"),
        ("en", START, "c1xa3", "moves from c1, which vanishes, to a3 and captures a white man"),
        ("it", START, "c1xa3", "muove da c1, che svanisce, ad a3 e cattura una pedina bianca"),
        ("en", STUCK, "xa1", "removes a black man from a1, which vanishes"),
        ("it", STUCK, "xa1", "rimuove una pedina nera da a1, che svanisce"),
    ],
)
def test_a_turn_in_words(language, before, text, said):
    assert changes(scene_after(before, text), language) == said


def test_white_removes_white_men():
    before = GAME.position(RULES, "8/7o/1o6/4x3/3x4/8/#7/x1#3o1 x")
    assert changes(scene_after(before, "xa1"), "en") == "removes a white man from a1, which vanishes"


def test_the_holes_of_the_text_board():
    words = speech(GAME, RULES, Notation("en"))
    picture = text_board(scene_after(STUCK, "xa1"), words).splitlines()
    assert [row[:35].rstrip() for row in picture[-6:]] == [
        "  +---+---+---+---+---+---+---+---+",
        "2  ///|   |   |   |   |   |   |   |",
        "      +---+---+---+---+---+---+---+",
        "1  /#/|   |///|   |   |   | O |   |",
        "      +---+   +---+---+---+---+---+",
        "    a   b   c   d   e   f   g   h",
    ]


@pytest.mark.parametrize(
    ("language", "sentence"), [("en", "Vanished squares: a2 and c1."), ("it", "Caselle svanite: a2 e c1.")]
)
def test_the_holes_are_read_out(language, sentence):
    words = speech(GAME, RULES, Notation(language))
    assert sentence in words.position(GAME.scene(None, None, STUCK))


def test_every_objection_and_outcome_has_its_sentence_in_both_languages():
    for language in ("en", "it"):
        phrases = GAME.phrases(language)
        assert set(phrases["outcomes"]) == {"joined", "joined_by_loser", "both_mover", "both_draw"}
        assert {"vanished", "can_move", "no_pass"} <= set(phrases["objections"])

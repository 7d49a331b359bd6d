"""What a player sees of Lines of Action."""

from games.kit.scene import Arrow, Mark, Piece
from games.kit.words import speech
from games.lines_of_action import GAME
from games.lines_of_action.rules import Rules
from games.protocol import Notation, Side

RULES = Rules()
START = GAME.start(RULES, "")


def scene_after(before, text):
    move = GAME.move(text)
    return GAME.scene(before, move, before.play(move))


def said(scene, language):
    voice = speech(GAME, RULES, Notation(language))
    return voice.changes(scene), *(voice.remark("notes", note) for note in scene.notes)


def test_the_start_has_twelve_men_a_side_and_nothing_happened():
    scene = GAME.scene(None, None, START)
    assert scene.pieces["b1"] == (Piece("black", "dark"),)
    assert scene.pieces["h7"] == (Piece("white", "light"),)
    assert len(scene.pieces) == 24
    assert len(scene.cells) == 64
    assert scene.to_move == Side.FIRST
    assert (scene.marks, scene.arrows, scene.changes) == ((), (), ())


def test_a_capture_is_shown_with_the_man_taken():
    scene = scene_after(START, "c1xa3")
    assert scene.marks == (
        Mark("from", "c1"),
        Mark("to", "a3"),
        Mark("captured", "a3", Piece("white", "light")),
    )
    assert scene.arrows == (Arrow(("c1", "a3")),)
    assert scene.pieces["a3"] == (Piece("black", "dark"),)
    assert "c1" not in scene.pieces


def test_a_move_in_words():
    scene = scene_after(START, "c1xa3")
    assert said(scene, "en") == (
        "moves from c1 to a3 and captures a white man",
        "Groups: black 4, white 3.",
    )
    assert said(scene, "it") == (
        "muove da c1 ad a3 e cattura una pedina bianca",
        "Gruppi: nero 4, bianco 3.",
    )


def test_white_moves_white_men():
    scene = scene_after(START.play(GAME.move("b1-b3")), "a2-c2")
    assert said(scene, "en") == ("moves from a2 to c2", "Groups: black 3, white 3.")
    assert scene.to_move == Side.FIRST


def test_a_pass_moves_nothing(board):
    stuck = board(
        """
        o x o
        . . .
        o x o
        """,
        rules=Rules(size=3),
    )
    scene = scene_after(stuck, "pass")
    assert (scene.marks, scene.arrows) == ((), ())
    assert said(scene, "en")[0] == "has no move and passes"
    assert said(scene, "it")[0] == "non ha mosse e passa"


def test_nobody_is_to_move_when_the_game_is_over(board):
    over = board("""
        o . x
        o . .
        o . x
    """)
    assert GAME.scene(None, None, over).to_move is None


def test_every_objection_and_outcome_has_its_sentence_in_both_languages():
    english, italian = GAME.phrases("en"), GAME.phrases("it")
    assert set(english["objections"]) == set(italian["objections"])
    assert set(english["outcomes"]) == {
        *("joined", "joined_by_loser", "both_mover", "both_draw", "stuck", "deadlock"),
    }

"""How a position of TAMSK is shown: picture, text board, words."""

from games.kit.drawing import Disc
from games.kit.layout import Caption, lay_out
from games.kit.text import board, grid
from games.kit.words import speech
from games.protocol import Notation
from games.tamsk import GAME
from games.tamsk.rules import Rules, start


def words(language):
    return speech(GAME, Rules(), Notation(language), ("Alice", "Bruno"))


def test_glasses_and_free_places_as_text(at_the_end):
    assert grid(GAME.scene(None, None, start(Rules())), words("it"))[6] == (
        "d1 (N1)  (2 )  (3 )  (4 )  (3 )  (2 )  (R1) d7"
    )
    assert grid(GAME.scene(None, None, at_the_end("a1=r0 a2=1 d4=b2")), words("en"))[0] == (
        "         a1 (R )  (1 )   .     .   a4"
    )


def test_a_move_is_told_and_marked(at_the_end, played):
    before = start(Rules())
    move = GAME.move("a1-b2")
    scene = GAME.scene(before, move, before.play(move))
    assert words("en").changes(scene) == "moves from a1 to b2 and leaves a ring there"
    assert words("it").changes(scene) == "muove da a1 a b2 e ci lascia un anello"
    assert [(mark.kind, mark.cell) for mark in scene.marks] == [("from", "a1"), ("to", "b2")]
    filled = GAME.scene(before, GAME.move("a1-a2"), before.play(GAME.move("a1-a2")))
    assert words("en").changes(filled) == "moves from a1 to a2 and fills that space"
    waiting = at_the_end("a1=r0 d4=b1 d5=1")
    passed = GAME.scene(waiting, GAME.move("pass"), played(waiting, "pass"))
    assert words("it").changes(passed) == "non può muovere nessuna clessidra e passa"


def test_free_places_are_told_and_drawn(at_the_end):
    scene = GAME.scene(None, None, at_the_end("a1=r0 a2=1 d4=b2 d5=3", "7,8"))
    assert words("en").position(scene) == (
        "1 red glass: a1.",
        "1 black glass: d4.",
        "Free places, 3: d5.",
        "Free places, 2: d4.",
        "Free places, 1: a2.",
        "Alice has in hand: 7 rings.",
        "Bruno has in hand: 8 rings.",
        "Alice to play.",
    )
    drawn = lay_out(scene, words("en"), Caption("")).shapes
    assert sum(isinstance(s, Disc) and s.fill == "label" for s in drawn) == 1 + 2 + 3
    assert sum(isinstance(s, Disc) and s.fill == "ring" and s.hole is None for s in drawn) == 37 - 3, "closed"
    assert "number: places" in board(scene, words("en"))

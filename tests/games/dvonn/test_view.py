"""How a position of DVONN is shown: picture, text board, words."""

import pytest

from games.dvonn import GAME
from games.dvonn.board import PASS
from games.dvonn.rules import Rules, start
from games.kit.drawing import Disc, Text
from games.kit.layout import Caption, lay_out
from games.kit.text import board as drawn
from games.kit.words import speech
from games.protocol import Notation

PLAYERS = "Alice", "Bruno"


def words(language):
    return speech(GAME, Rules(), Notation(language), PLAYERS)


@pytest.fixture
def cut(few):
    """White has moved from c3 to b3, which has cut off d3."""
    before = few("a3:r a2:rrb b3:b c3:w d3:bb")
    move = GAME.move("c3-b3")
    return GAME.scene(before, move, before.play(move))


def test_the_text_board_has_lines_heights_and_the_red_piece_below(cut):
    assert drawn(cut, words("en")).splitlines()[:9] == [
        "      5   .  -  .  -  .  -  .  -  .  -  .  -  .  -  .  -  .",
        "        /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\",
        "   4   .  -  .  -  .  -  .  -  .  -  .  -  .  -  .  -  .  -  .",
        "     /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\",
        "3   R  -[ W2]-[ . ]-  *  -  .  -  .  -  .  -  .  -  .  -  .  -  .",
        "     \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /     k",
        "   2  B3R -  .  -  .  -  .  -  .  -  .  -  .  -  .  -  .  -  .",
        "        \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /  \\  /     j",
        "      1   .  -  .  -  .  -  .  -  .  -  .  -  .  -  .  -  .",
    ]
    assert " *  cut off" in drawn(cut, words("en"))
    assert "B, N" not in drawn(cut, words("it"))
    assert "Pezzi posseduti: Bianco 2, Nero 3." in drawn(cut, words("it"))


def test_it_is_told_in_words(cut):
    assert words("en").changes(cut) == "moves the stack of 1 from c3 to b3 and cuts off d3: 2 black pieces"
    assert words("it").changes(cut) == "muove la pila di 1 da c3 a b3 e isola d3: 2 pezzi neri"
    told = words("en").position(cut)
    assert "b3: 1 white piece and 1 black piece, from the top down." in told
    assert "a2: 1 black piece and 2 red pieces, from the top down." in told
    assert "1 red piece: a3." in told


def test_the_picture_has_a_number_for_each_stack_and_a_dot_for_red(cut):
    shapes = lay_out(cut, words("en"), Caption("")).shapes
    assert sorted(s.text for s in shapes if isinstance(s, Text) and s.edge) == ["2", "3"]
    dots = [s for s in shapes if isinstance(s, Disc) and (s.fill, s.line) == ("accent", "light")]
    assert len(dots) == 1
    assert any("Red dot" in s.text for s in shapes if isinstance(s, Text))


def test_while_pieces_are_placed_it_says_whose_and_how_many(played):
    begun = start(Rules())
    assert [str(note) for note in GAME.scene(None, None, begun).notes] == ["reds 3"]
    position = played(begun, "f3 a1 k5 b2")
    scene = GAME.scene(played(begun, "f3 a1 k5"), GAME.move("b2"), position)
    assert [str(note) for note in scene.notes] == ["own"]
    assert words("en").changes(scene) == "places a black piece on b2"
    assert [sum(n for _, n in tray.pieces) for tray in scene.trays] == [23, 22]


def test_a_skipped_turn_has_its_reason(few, board):
    full = board(
        """
              w b w b w b w b w
             b w b w b w b w b w
            b w b w b r b w b w b
             w b w b w r w b w b
              b w b w r w b w b
        """,
        "black",
        placing=True,
    )
    assert str(GAME.scene(None, None, full).notes[0]) == "full"
    assert [str(change) for change in GAME.scene(full, PASS, full.play(PASS)).changes] == ["leaves"]
    stuck = few("c3:rrrw d3:b e3:b")
    assert [str(change) for change in GAME.scene(stuck, PASS, stuck.play(PASS)).changes] == ["passes"]

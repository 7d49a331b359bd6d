"""What a player sees of Othello, and what one hears who sees nothing."""

import pytest

from games.kit.image import render_png
from games.kit.layout import WIDTH, Caption
from games.kit.scene import Mark, Piece
from games.kit.text import board as text_board
from games.kit.words import speech
from games.othello import GAME
from games.othello.rules import PASS, Move, Rules
from games.protocol import Notation, Side
from games.registry import in_words

BLACK, WHITE = Piece("black", "dark"), Piece("white", "light")

TEXT = """
  +---+---+---+---+---+---+
1 |   |   |   |   |   |   |
  +---+---+---+---+---+---+      X Alice
2 |   | + |[X]| + |   |   |    > O Bruno
  +---+---+---+---+---+---+
3 |   |   |(X)| X |   |   |    Discs: black 4, white 1.
  +---+---+---+---+---+---+
4 |   | + | X | O |   |   |    O white, X black
  +---+---+---+---+---+---+    [ ] last move
5 |   |   |   |   |   |   |    ( ) turned over
  +---+---+---+---+---+---+     +  playable
6 |   |   |   |   |   |   |
  +---+---+---+---+---+---+
    a   b   c   d   e   f
"""


@pytest.fixture
def scene():
    """Black has played c2 on a board of 6x6 and turned c3 over."""
    before = GAME.start(Rules(6), "")
    return GAME.scene(before, Move("c2"), before.play(Move("c2")))


def voice(language):
    return speech(GAME, Rules(), Notation(language), ("Alice", "Bruno"))


def said(scene, language):
    words = voice(language)
    return words.changes(scene), *(words.remark("notes", note) for note in scene.notes)


def test_the_text_board_shows_what_was_turned_over_and_where_to_play(scene):
    assert text_board(scene, voice("en")) == TEXT.strip("\n")


def test_the_marks_of_the_scene(scene):
    assert scene.marks == (
        Mark("to", "c2"),
        Mark("turned", "c3"),
        *(Mark("target", square) for square in ("b2", "d2", "b4")),
    )
    assert scene.pieces == {"c2": (BLACK,), "c3": (BLACK,), "d3": (BLACK,), "c4": (BLACK,), "d4": (WHITE,)}
    assert (scene.men, scene.to_move) == ((BLACK, WHITE), Side.SECOND)


def test_a1_is_at_the_upper_left(scene):
    assert {(cell.x, cell.y): cell.name for cell in scene.cells}[0, 0] == "a1"
    assert [edge.cell for edge in scene.edges if edge.part == "letter"] == [
        "a6",
        "b6",
        "c6",
        "d6",
        "e6",
        "f6",
    ]


def test_a_move_in_words(scene):
    assert said(scene, "en") == (
        "places a black disc on c2 and turns over 1 white disc on c3",
        "Discs: black 4, white 1.",
    )
    assert said(scene, "it") == (
        "colloca una pedina nera in c2 e gira 1 pedina bianca in c3",
        "Pedine: nero 4, bianco 1.",
    )


def test_a_position_in_words(scene):
    assert voice("en").position(scene) == (
        "4 black discs: c2, c3, d3 and c4.",
        "1 white disc: d4.",
        "Playable squares: b2, d2 and b4.",
        "Bruno to play.",
    )
    assert "Caselle giocabili: b2, d2 e b4." in voice("it").position(scene)


def test_a_pass_marks_nothing(board):
    before = board(". O X X X X X X", "o")
    scene = GAME.scene(before, PASS, before.play(PASS))
    assert scene.marks == (Mark("target", "a1"),)
    assert said(scene, "en")[0] == "has no square to play and passes"
    assert said(scene, "it")[0] == "non ha caselle giocabili e passa"


def test_the_centre_of_reversi_turns_nothing_over():
    before = GAME.start(Rules(opening="reversi"), "")
    scene = GAME.scene(before, Move("d4"), before.play(Move("d4")))
    assert scene.marks == (Mark("to", "d4"), *(Mark("target", square) for square in ("e4", "d5", "e5")))
    assert said(scene, "en")[0] == "places a black disc on d4"


def test_a_finished_game_asks_for_nothing(board):
    over = board("X X X")
    assert (GAME.scene(None, None, over).to_move, GAME.scene(None, None, over).marks) == (None, ())
    for language, end in (
        ("en", "No square is playable any more: Alice, with more discs, wins."),
        ("it", "Non ci sono più caselle giocabili: Alice ha più pedine e vince."),
    ):
        assert voice(language).outcome(over.outcome()) == end


def test_variants_in_words():
    assert in_words("othello:6,anti", "en") == "6x6; fewest discs win"
    assert in_words("othello:10,reversi", "it").startswith("10x10; come nel vecchio Reversi")


def test_a_picture_of_a_letter_is_small():
    positions = [GAME.start(Rules(10), "")]
    while not positions[-1].outcome() and len(positions) < 70:
        positions.append(positions[-1].play(next(positions[-1].moves())))
    before, after = positions[-2:]
    move = next(before.moves())
    scene = GAME.scene(before, move, after)
    for width, most in ((320, 20_000), (WIDTH, 32_000), (640, 40_000)):
        assert len(render_png(scene, voice("it"), Caption("Othello", "105", str(move)), width=width)) < most

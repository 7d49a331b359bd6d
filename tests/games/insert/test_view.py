"""What a player sees of Insert, and what one hears who sees nothing."""

import pytest

from games.insert import GAME
from games.insert.rules import Move
from games.kit.image import render_png
from games.kit.layout import WIDTH, Caption
from games.kit.scene import Mark, Piece
from games.kit.text import board as text_board
from games.kit.words import speech
from games.protocol import Notation, Side

WHITE, BLACK = Piece("white", "light", hollow=True), Piece("black", "dark", hollow=True)

TEXT = r"""
6   X/    |    /  ( \)   |    -    > O Alice  11 in hand
                                     X Bruno  11 in hand
5    -    |   X|* [X|]  X\*   /
                                   The last ring points along its
4    \    -    /  ( -)   -    \    column. Free there: d1, d2, d4 and
                                   d6.
3    /    -    |   O|    -    \    Largest groups: white 1, black 3.

2    /   O-   X\  ( \)  O/    |    O white, X black; - | \ / the lines
                                   [ ] last move
1    \    /    |  ( -)   \    /      * captured
                                   ( ) reachable
    a    b    c    d    e    f
"""


@pytest.fixture
def before(board):
    return board(
        """
        x . . . . .
        . . o . o .
        . . . . . .
        . . . o . .
        . o x . o .
        . . . . . .
        """,
        last="d3",
    )


@pytest.fixture
def after(before):
    """Black has just taken c5 and e5; White has to answer in column d."""
    return before.play(Move("d5"))


def voice(position, language):
    return speech(GAME, position.rules, Notation(language), ("Alice", "Bruno"))


def test_the_text_board_shows_marks_rings_and_where_to_play(before, after):
    scene = GAME.scene(before, Move("d5"), after)
    assert text_board(scene, voice(after, "en")) == TEXT.strip("\n")


def test_the_marks_of_the_scene(before, after):
    scene = GAME.scene(before, Move("d5"), after)
    assert scene.marks == (
        Mark("to", "d5"),
        Mark("captured", "c5", WHITE),
        Mark("captured", "e5", WHITE),
        *(Mark("target", cell) for cell in ("d1", "d2", "d4", "d6")),
    )
    assert scene.pieces["c5"] == scene.pieces["d5"] == (BLACK,)
    assert scene.pieces["d3"] == (WHITE,)
    assert {cell.name: cell.lines for cell in scene.cells} == after.layout.at
    assert [(tray.owner, *tray.pieces) for tray in scene.trays] == [
        (Side.FIRST, (WHITE, 11)),
        (Side.SECOND, (BLACK, 11)),
    ]


def test_the_last_move_in_words(before, after):
    scene = GAME.scene(before, Move("d5"), after)
    assert (
        voice(after, "en").changes(scene) == "puts a black ring on d5 and captures 2 white rings on c5 and e5"
    )
    assert (
        voice(after, "it").changes(scene)
        == "colloca un anello nero in d5 e cattura 2 anelli bianchi in c5 ed e5"
    )


def test_words_name_the_mark_of_each_cell_that_may_be_played(before, after):
    scene = GAME.scene(before, Move("d5"), after)
    assert "Reachable: d1 (row), d2 (NW-SE diagonal), d4 (row) and d6 (NW-SE diagonal)." in voice(
        after, "en"
    ).position(scene)
    assert (
        "Raggiungibili: d1 (traversa), d2 (diagonale NO-SE), d4 (traversa) e d6 (diagonale NO-SE)."
        in voice(after, "it").position(scene)
    )


def test_words_name_the_mark_of_every_empty_cell(layout):
    start = GAME.start(GAME.presets[""], layout)
    said = voice(start, "en").position(GAME.scene(None, None, start))
    assert said[1] == "Empty, with row: f6, a5, b4, d4, e4, b3, e3, b2 and d1."
    assert len([sentence for sentence in said if sentence.startswith("Empty, with")]) == 4


@pytest.mark.parametrize(
    ("language", "notes"),
    [
        (
            "en",
            (
                "The last ring points along its column. Free there: d1, d2, d4 and d6.",
                "Largest groups: white 1, black 3.",
            ),
        ),
        (
            "it",
            (
                "L'ultimo anello indica la sua colonna. Caselle libere: d1, d2, d4 e d6.",
                "Gruppi più grandi: bianco 1, nero 3.",
            ),
        ),
    ],
)
def test_notes_say_where_to_play_and_count_groups(after, language, notes):
    scene = GAME.scene(None, None, after)
    assert tuple(voice(after, language).remark("notes", note) for note in scene.notes) == notes


def test_nothing_is_marked_where_the_choice_is_free(layout, board):
    start = GAME.start(GAME.presets[""], layout)
    assert GAME.scene(None, None, start).marks == ()
    assert GAME.scene(None, None, start).notes[0].code == "opening"
    corner = start.play(Move("a1"))
    assert GAME.scene(start, Move("a1"), corner).marks == (Mark("to", "a1"),)
    assert GAME.scene(start, Move("a1"), corner).notes[0].code == "line_full"


def test_a_finished_game_asks_for_nothing(board):
    over = board(
        """
        o o o o o .
        . . . . . .
        . . . . . .
        x x x x . .
        . . . . . .
        . . . . . .
        """,
        last="e6",
    )
    scene = GAME.scene(None, None, over)
    assert scene.to_move is None
    assert scene.marks == ()
    assert [note.code for note in scene.notes] == ["groups"]
    assert voice(over, "en").outcome(over.outcome()) == "Alice has five rings in an unbroken line."


def test_a_picture_of_a_letter_is_small(before, after):
    for width, most in ((320, 15_000), (WIDTH, 27_000), (640, 35_000)):
        scene = GAME.scene(before, Move("d5"), after)
        assert len(render_png(scene, voice(after, "it"), Caption("Insert", "105", "d5"), width=width)) < most


def test_every_mark_has_its_sentences():
    for language in ("en", "it"):
        phrases = GAME.phrases(language)
        lines = {"row", "column", "falling", "rising", "cross", "saltire"}
        assert lines < phrases["notes"].keys()
        assert lines < phrases["objections"].keys()

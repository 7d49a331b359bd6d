"""What a position of Zèrtz shows, and how it is told in both languages."""

from string import Formatter

import pytest

from games.kit.scene import Arrow, Mark, Piece
from games.kit.words import speech
from games.protocol import LANGUAGES, Notation, Remark, Side
from games.zertz import GAME
from games.zertz.rules import start
from games.zertz.variants import Rules


def seen(position, text):
    move = GAME.move(text)
    assert position.objection(move) is None
    return GAME.scene(position, move, position.play(move))


def told(scene, language="en", coordinates="seed"):
    return speech(GAME, Rules(), Notation(language, coordinates), ("Alice", "Bruno")).changes(scene)


@pytest.fixture
def jump(board):
    return board("""
            - - - -
           . . . . .
          - . . . . .
         . B . W . B .
          . . . . . .
           . B . . .
            . W . .
    """)


@pytest.fixture
def neck(board):
    return board("""
            . - - -
           W - . . .
          - - . . . .
         G . . . . . .
          - . . . . .
           . . B . .
            . . . .
    """)


def test_the_board_at_the_start():
    scene = GAME.scene(None, None, start(Rules()))
    assert scene.shape == "ring"
    assert [cell.name for cell in scene.cells[:5]] == ["a1", "a2", "a3", "a4", "b1"]
    assert {cell.ground for cell in scene.cells} == {"plain"}
    assert (scene.pieces, scene.changes, scene.marks, scene.arrows) == ({}, (), (), ())
    assert scene.to_move is Side.FIRST
    assert [tray.owner for tray in scene.trays] == [None, Side.FIRST, Side.SECOND]
    assert [n for _, n in scene.trays[0].pieces] == [6, 8, 10]
    assert scene.notes == (Remark("goals", numbers=(3, 4, 5, 6)),)


def test_each_row_is_named_at_both_ends():
    edges = GAME.scene(None, None, start(Rules())).edges
    assert [edge.cell for edge in edges if edge.dx < 0] == ["a1", "b1", "c1", "d1", "e2", "f3", "g4"]
    assert [edge.cell for edge in edges if edge.dx > 0] == ["a4", "b5", "c6", "d7", "e7", "f7", "g7"]


def test_a_placement(board):
    scene = seen(start(Rules()), "Wd4,a1")
    assert scene.pieces == {"d4": (Piece("white", "light"),)}
    assert {cell.name for cell in scene.cells if cell.ground == "gone"} == {"a1"}
    assert scene.marks == (Mark("to", "d4"), Mark("removed", "a1"))
    assert told(scene) == "puts a white marble on d4 and removes ring a1"
    assert told(scene, "it") == "colloca una biglia bianca in d4 e rimuove l'anello a1"


def test_a_jump(jump):
    scene = seen(jump, "g5xe3")
    black = Piece("black", "dark")
    assert scene.marks == (Mark("from", "g5"), Mark("to", "e3"), Mark("captured", "f4", black))
    assert scene.arrows == (Arrow(("g5", "e3")),)
    assert told(scene) == "jumps from g5 to e3, taking a black marble"
    assert told(scene, "it", "gipf") == "salta da g2 a e2 e cattura una biglia nera"


def test_a_chain(board):
    scene = seen(
        board("""
            - . . -
           . . . . B
          - . . . G .
         - . . . . . -
          - . . W . -
           . G . . .
            . . - -
        """),
        "b5xd5xf5xf3",
    )
    assert scene.arrows == (Arrow(("b5", "d5", "f5", "f3")),)
    assert [mark.cell for mark in scene.marks if mark.kind == "captured"] == ["c5", "e5", "f4"]
    assert (
        told(scene) == "jumps from b5 to d5, on to f5 and on to f3, taking 2 grey marbles and 1 white marble"
    )
    assert (
        told(scene, "it")
        == "salta da b5 a d5, poi a f5 e poi a f3 e cattura 2 biglie grigie e 1 biglia bianca"
    )


def test_islands(neck):
    scene = seen(neck, "Ba1,d2")
    assert {mark.cell: mark.piece.look for mark in scene.marks if mark.kind == "captured"} == {
        "a1": "dark",
        "b1": "light",
        "d1": "grey",
    }
    assert told(scene).endswith(
        "takes 1 black marble, 1 white marble and 1 grey marble isolated on a1, b1 and d1"
    )


def test_empty_rings_cut_off_in_the_reading_of_fogliaccio_6(board):
    position = board(
        """
            . . - -
           . - - . .
          . - . . . .
         - . . . . . .
          . . . . . .
           . . . . .
            . . . .
        """,
        rules=Rules(islands="any"),
    )
    scene = seen(position, "Wd4,c1")
    assert [mark.cell for mark in scene.marks if mark.kind == "removed"] == ["c1", "a1", "a2", "b1"]
    assert told(scene).endswith("removes ring c1 and clears away what is cut off: a1, a2 and b1")


def test_notes_tell_of_a_compulsory_jump_and_of_an_empty_pool(board, jump):
    assert Remark("must_jump") in GAME.scene(None, None, jump).notes
    rows = ". . . .\n. . . . .\n. . . . . .\n. . . . . . .\n. . . . . .\n. . . . .\n. . . ."
    rules = Rules(marbles=(2, 2, 2))
    placing = board(rows, rules=rules, first=(1, 1, 1), second=(1, 1, 1))
    assert Remark("pool_empty") in GAME.scene(None, None, placing).notes
    scene = seen(placing, "Wd4,a1")
    assert scene.changes[0] == Remark("place_captive", ("d4",), ("white",))
    assert told(scene, "it").startswith("colloca in d4 una biglia bianca già catturata")


@pytest.mark.parametrize(
    ("language", "sentence"),
    [
        ("en", "To win, capture 3 of each colour, or 4 white, 5 grey or 6 black."),
        ("it", "Per vincere bisogna catturare 3 biglie di ogni colore, oppure 4 bianche, 5 grigie o 6 nere."),
    ],
)
def test_what_wins_is_told_with_its_numbers(language, sentence):
    scene = GAME.scene(None, None, start(Rules()))
    words = speech(GAME, Rules(), Notation(language), ("Alice", "Bruno"))
    assert words.remark("notes", scene.notes[0]) == sentence


def placeholders(sentence):
    return {name for _, name, _, _ in Formatter().parse(sentence) if name}


def test_both_languages_say_the_same_things():
    english, italian = (GAME.phrases(language) for language in LANGUAGES)
    for table in ("changes", "objections", "outcomes", "notes"):
        assert english[table].keys() == italian[table].keys()
        for code, sentence in english[table].items():
            assert placeholders(sentence) == placeholders(italian[table][code]), code

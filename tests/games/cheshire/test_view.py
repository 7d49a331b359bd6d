"""What a player sees of Cheshire Cat Chess."""

import re
from pathlib import Path

import pytest

from games import cheshire
from games.cheshire import GAME
from games.cheshire.position import Rules
from games.kit.chess import notation
from games.kit.chess.men import Kind
from games.kit.chess.view import man
from games.kit.scene import Arrow, Mark
from games.kit.text import board as text_board
from games.kit.words import speech
from games.protocol import Notation, Side

RULES = Rules()
START = GAME.start(RULES, "")
SOURCES = [*Path(cheshire.__file__).parent.glob("*.py"), Path(notation.__file__)]


def scene_after(before, text):
    move = GAME.move(text)
    return GAME.scene(before, move, before.play(move))


def said(scene, language):
    voice = speech(GAME, RULES, Notation(language), ("Alice", "Bruno"))
    return voice.changes(scene), *(voice.remark("notes", note) for note in scene.notes)


def gone(scene):
    return {cell.name for cell in scene.cells if cell.ground == "gone"}


def test_the_start_has_all_its_squares():
    scene = GAME.scene(None, None, START)
    assert (gone(scene), len(scene.pieces), scene.trays) == (set(), 32, ())
    assert scene.pieces["e1"] == (man(Side.FIRST, Kind.KING),)
    assert len(GAME.scene(None, None, GAME.start(GAME.presets["10x10"], "")).pieces) == 40


def test_a_vanished_square_is_a_hole_where_the_arrow_begins():
    before = START.play(GAME.move("e2-e4")).play(GAME.move("d7-d5"))
    scene = scene_after(before, "e4xd5")
    assert gone(scene) == {"e2", "d7", "e4"}
    assert scene.arrows == (Arrow(("e4", "d5")),)
    pawn = man(Side.SECOND, Kind.PAWN)
    assert scene.marks == (Mark("from", "e4"), Mark("to", "d5"), Mark("captured", "d5", pawn))
    assert scene.trays[1].pieces == ((pawn, 1),)


@pytest.mark.parametrize(
    ("fen", "text", "english", "italian"),
    [
        (
            "4k3/8/8/8/8/p7/1P6/4K3 w - -",
            "b2xa3",
            "moves a white pawn from b2, which vanishes, to a3 and captures a black pawn",
            "muove un pedone bianco da b2, che svanisce, ad a3 e cattura un pedone nero",
        ),
        (
            "4k3/8/8/8/Pp6/8/8/4K3 b - a3",
            "b4xa3",
            "moves a black pawn from b4, which vanishes, to a3 and captures a white pawn on a4 en passant",
            "muove un pedone nero da b4, che svanisce, ad a3 e cattura en passant un pedone bianco in a4",
        ),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - -",
            "a7-a8=Q",
            "moves a white pawn from a7, which vanishes, to a8, promotes it to a white queen and gives check",
            "muove un pedone bianco da a7, che svanisce, ad a8, lo promuove: una donna bianca e dà scacco",
        ),
    ],
)
def test_a_turn_in_words(fen, text, english, italian):
    scene = scene_after(GAME.position(RULES, fen), text)
    assert (said(scene, "en")[0], said(scene, "it")[0]) == (english, italian)


@pytest.mark.parametrize(
    ("fen", "english", "italian"),
    [
        (
            "4k3/8/8/8/4r3/8/8/4K3 w K -",
            "Check: the white king is attacked."
            " The white king has not moved yet: its first move may be like a queen's.",
            "Scacco: è attaccato il re bianco."
            " Non ha ancora mosso il re bianco: la sua prima mossa può essere come quella di una donna.",
        ),
        (
            "4k3/8/8/8/8/4K3/4*3/7R w k -",
            "Check: the white king is attacked by the other king, which has not moved yet."
            " The black king has not moved yet: its first move may be like a queen's.",
            "Scacco: il re bianco è attaccato dall'altro re, che non ha ancora mosso."
            " Non ha ancora mosso il re nero: la sua prima mossa può essere come quella di una donna.",
        ),
        (
            "4k3/8/8/8/Pp6/8/8/3K4 b - a3",
            "The pawn on a4 can be taken en passant on a3.",
            "Il pedone in a4 si può catturare en passant in a3.",
        ),
    ],
)
def test_what_else_there_is_to_know(fen, english, italian):
    scene = GAME.scene(None, None, GAME.position(RULES, fen))
    assert " ".join(said(scene, "en")[1:]) == english
    assert " ".join(said(scene, "it")[1:]) == italian


def test_nobody_is_to_move_when_the_game_is_over():
    over = GAME.position(RULES, "8/8/8/8/R7/*7/**6/k*2K3 b - -")
    scene = GAME.scene(None, None, over)
    assert over.outcome()
    assert (scene.to_move, scene.notes) == (None, ())


def test_the_holes_of_the_text_board_and_of_the_words():
    position = GAME.position(RULES, "6k1/8/8/8/8/8/*7/R*2K3 w K -")
    words = speech(GAME, RULES, Notation("it"), ("Alice", "Bruno"))
    picture = text_board(GAME.scene(None, None, position), words)
    assert [row[:35].rstrip() for row in picture.splitlines()[-6:]] == [
        "  +---+---+---+---+---+---+---+---+",
        "2  ///|   |   |   |   |   |   |   |",
        "  +---+---+---+---+---+---+---+---+",
        "1 | T |///|   |   | R |   |   |   |",
        "  +---+   +---+---+---+---+---+---+",
        "    a   b   c   d   e   f   g   h",
    ]
    assert "Caselle svanite: a2 e b1." in words.position(GAME.scene(None, None, position))


def test_every_code_of_the_sources_has_its_sentence():
    """And no sentence is left without a code."""
    said_somewhere = "".join(path.read_text("utf-8") for path in SOURCES)
    for table in ("changes", "objections", "outcomes", "notes"):
        for code in GAME.phrases("en")[table]:
            assert re.search(f'"{code}"', said_somewhere), code

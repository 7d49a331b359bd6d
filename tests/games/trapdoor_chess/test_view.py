"""What a player sees of trapdoor chess."""

import re
from pathlib import Path

import pytest

from games import trapdoor_chess
from games.kit.chess import notation
from games.kit.chess.men import Kind
from games.kit.chess.view import man
from games.kit.scene import Arrow, Mark
from games.kit.text import board as text_board
from games.kit.words import speech
from games.protocol import Notation, Side
from games.trapdoor_chess import GAME
from games.trapdoor_chess.position import Rules
from games.trapdoor_chess.view import TRAP

RULES = Rules()
START = GAME.start(RULES, "")
SOURCES = [*Path(trapdoor_chess.__file__).parent.glob("*.py"), Path(notation.__file__)]


def scene_after(before, text):
    move = GAME.move(text)
    return GAME.scene(before, move, before.play(move))


def said(scene, language):
    voice = speech(GAME, RULES, Notation(language), ("Alice", "Bruno"))
    return voice.changes(scene), *(voice.remark("notes", note) for note in scene.notes)


def test_the_start_has_thirty_two_men_and_no_trap():
    scene = GAME.scene(None, None, START)
    assert len(scene.pieces) == 32
    assert scene.pieces["e1"] == (man(Side.FIRST, Kind.KING),)
    assert scene.pieces["d8"] == (man(Side.SECOND, Kind.QUEEN),)
    assert (scene.marks, scene.arrows, scene.changes) == ((), (), ())
    assert said(scene, "en")[1:] == ("The trap is not on the board yet.",)


def test_both_halves_of_a_turn_are_shown():
    scene = scene_after(START.play(GAME.move("e2-e4@d6")), "e7-e5@d3")
    assert scene.pieces["d3"] == (TRAP,)
    assert "d6" not in scene.pieces
    assert scene.marks == (Mark("from", "e7"), Mark("to", "e5"), Mark("to", "d3"))
    assert scene.arrows == (Arrow(("e7", "e5")),)
    assert said(scene, "en") == (
        "moves a black pawn from e7 to e5 and moves the trap from d6 to d3",
        "The trap is on d3.",
    )
    assert said(scene, "it") == (
        "muove un pedone nero da e7 a e5 e sposta il trabocchetto da d6 a d3",
        "Il trabocchetto è in d3.",
    )


FALL = """
    . . . . k
    . . . . .
    @ . . . .
    . . . . .
    R . . . K
"""


def test_whoever_falls_lies_where_he_fell(board):
    scene = scene_after(board(FALL), "a1-a3@h8")
    assert scene.marks == (
        Mark("from", "a1"),
        Mark("to", "h8"),
        Mark("captured", "a3", man(Side.FIRST, Kind.ROOK)),
    )
    assert said(scene, "en")[0] == (
        "moves a white rook from a1 to a3, loses it in the trap and moves the trap from a3 to h8"
    )
    assert said(scene, "it")[0] == (
        "muove una torre bianca da a1 ad a3, perde il pezzo nel trabocchetto"
        " e sposta il trabocchetto da a3 a h8"
    )


def test_a_text_board_in_italian(board):
    scene = scene_after(board(FALL.replace(". . . . k", "p . . . k")), "a1-a3@c2")
    shown = text_board(scene, speech(GAME, RULES, Notation("it"), ("Alice", "Bruno")))
    assert shown.splitlines()[3:] == [
        "7 |   |   |   |   |   |   |   |   |      R Alice",
        "  +---+---+---+---+---+---+---+---+        persi: D T2 A2 C2 P8",
        "6 |   |   |   |   |   |   |   |   |    > r Bruno",
        "  +---+---+---+---+---+---+---+---+        persi: d t2 a2 c2 p7",
        "5 | p |   |   |   | r |   |   |   |",
        "  +---+---+---+---+---+---+---+---+    Il trabocchetto è in c2.",
        "4 |   |   |   |   |   |   |   |   |",
        "  +---+---+---+---+---+---+---+---+    Maiuscole il Bianco, minuscole il",
        "3 | * |   |   |   |   |   |   |   |    Nero, @ il trabocchetto",
        "  +---+---+---+---+---+---+---+---+    [ ] ultima mossa",
        "2 |   |   |[@]|   |   |   |   |   |     *  fuori dal gioco",
        "  +---+---+---+---+---+---+---+---+",
        "1 |[ ]|   |   |   | R |   |   |   |",
        "  +---+---+---+---+---+---+---+---+",
        "    a   b   c   d   e   f   g   h",
    ]


@pytest.mark.parametrize(
    ("fen", "text", "english", "italian"),
    [
        (
            "4k3/8/8/8/8/p7/1P6/4K3 w - - 0 1 h8",
            "b2xa3@h7",
            "moves a white pawn from b2 to a3, captures a black pawn and moves the trap from h8 to h7",
            "muove un pedone bianco da b2 ad a3, cattura un pedone nero e sposta il trabocchetto da h8 a h7",
        ),
        (
            "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1 a3",
            "b4xa3@h7",
            "moves a black pawn from b4 to a3, captures a white pawn on a4 en passant, loses it in the trap"
            " and moves the trap from a3 to h7",
            "muove un pedone nero da b4 ad a3, cattura en passant un pedone bianco in a4, perde il pezzo nel"
            " trabocchetto e sposta il trabocchetto da a3 a h7",
        ),
        (
            "4k3/P7/8/8/8/8/8/4K3 w - - 0 1 h7",
            "a7-a8=Q@h6",
            "moves a white pawn from a7 to a8, promotes it to a white queen, moves the trap from h7 to h6"
            " and gives check",
            "muove un pedone bianco da a7 ad a8, lo promuove: una donna bianca, sposta il trabocchetto da h7 a"
            " h6 e dà scacco",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 -",
            "e1-g1@h6",
            "castles on the king's side and puts the trap on h6",
            "arrocca corto e colloca il trabocchetto in h6",
        ),
        (
            "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1 -",
            "e1-c1@h6",
            "castles on the queen's side and puts the trap on h6",
            "arrocca lungo e colloca il trabocchetto in h6",
        ),
        (
            "4k3/8/8/8/4r3/8/3B4/4K3 w - - 0 1 a5",
            "d2-e3",
            "moves a white bishop from d2 to e3 and leaves the trap on a5, having been in check",
            "muove un alfiere bianco da d2 a e3 e lascia il trabocchetto in a5, perché era sotto scacco",
        ),
        (
            "k7/8/8/8/8/P1r5/8/2K5 w - - 0 1 c2",
            "a3-a4@c2",
            "moves a white pawn from a3 to a4 and leaves the trap on c2, where it shields the king",
            "muove un pedone bianco da a3 ad a4 e lascia il trabocchetto in c2, dove ripara il re",
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
            "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1 a5",
            "Check to the white king: the trap does not move this turn. The trap is on a5.",
            "Scacco: è attaccato il re bianco, e con questa mossa il trabocchetto non si sposta."
            " Il trabocchetto è in a5.",
        ),
        (
            "4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1 a5",
            "The trap is on a5. The pawn on a4 can be taken en passant on a3.",
            "Il trabocchetto è in a5. Il pedone in a4 si può catturare en passant in a3.",
        ),
        (
            "r3k2r/8/8/8/8/8/8/R3K2R w Kkq - 60 99 a5",
            "The trap is on a5. The white king can no longer castle on the queen's side."
            " 30 moves a side without a capture, a fall or a pawn move: at 50 the game is drawn.",
            "Il trabocchetto è in a5. Non può più arroccare lungo il re bianco."
            " 30 mosse a testa senza catture, cadute o mosse di pedone: a 50 è patta.",
        ),
        (
            "r3k3/8/8/8/8/8/8/4K2R w - - 0 99 a5",
            "The trap is on a5. The white king can no longer castle on the king's side."
            " The black king can no longer castle on the queen's side.",
            "Il trabocchetto è in a5. Non può più arroccare corto il re bianco."
            " Non può più arroccare lungo il re nero.",
        ),
    ],
)
def test_what_else_there_is_to_know(fen, english, italian):
    scene = GAME.scene(None, None, GAME.position(RULES, fen))
    assert " ".join(said(scene, "en")[1:]) == english
    assert " ".join(said(scene, "it")[1:]) == italian


def test_in_the_other_reading_check_says_nothing_of_the_trap():
    other = GAME.switches["incheck"].apply(RULES, "after")
    scene = GAME.scene(None, None, GAME.position(other, "4k3/8/8/8/4r3/8/8/4K3 w - - 0 1 a5"))
    assert said(scene, "en")[1] == "Check: the white king is attacked."
    assert said(scene, "it")[1] == "Scacco: è attaccato il re bianco."


def test_nobody_is_to_move_when_the_game_is_over():
    over = GAME.position(RULES, "8/8/8/8/8/1K6/8/k6R b - - 0 1 h3")
    assert (GAME.scene(None, None, over).to_move, GAME.scene(None, None, over).notes) == (None, ())


def test_every_code_of_the_sources_has_its_sentence():
    """And no sentence is left without a code."""
    said_somewhere = "".join(path.read_text("utf-8") for path in SOURCES)
    for table in ("changes", "objections", "outcomes", "notes"):
        for code in GAME.phrases("en")[table]:
            stem = re.sub("_(k|q|kq)$", "_", code)
            assert f'"{code}"' in said_somewhere or f'"{stem}{{' in said_somewhere, code


def test_a_tray_has_whom_each_side_has_lost(board):
    assert GAME.scene(None, None, START).trays == ()
    scene = scene_after(board(FALL), "a1-a3@h8")
    white, black = scene.trays
    assert (white.owner, white.held) == (Side.FIRST, "lost")
    kinds = (Kind.QUEEN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT, Kind.PAWN)
    assert white.pieces == tuple(
        (man(Side.FIRST, kind), n) for kind, n in zip(kinds, (1, 2, 2, 2, 8), strict=True)
    )
    assert [n for _, n in black.pieces] == [1, 2, 2, 2, 8]
    words = speech(GAME, RULES, Notation(), ("Alice", "Bruno")).position(scene)
    assert (
        "Alice has lost: 1 white queen, 2 white rooks, 2 white bishops, 2 white knights and 8 white pawns."
        in words
    )


def test_whoever_was_promoted_is_no_lost_pawn():
    promoted = GAME.position(RULES, "4k3/8/8/8/8/8/PPPPPP2/QQNBRKBR w - - 0 40 -")
    white, _ = GAME.scene(None, None, promoted).trays
    assert dict(white.pieces) == {man(Side.FIRST, Kind.KNIGHT): 1, man(Side.FIRST, Kind.PAWN): 1}


def test_black_may_look_from_the_other_side():
    turned = GAME.scene(None, None, START).flipped()
    shown = text_board(turned, speech(GAME, RULES, Notation(), ("Alice", "Bruno"))).splitlines()
    assert shown[1].startswith("1 | R | N | B | K | Q |")
    assert shown[-1].split() == list("hgfedcba")

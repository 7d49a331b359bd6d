"""What a player sees of Bashni, and how it is told in both languages."""

import pytest

from games.bashni import GAME
from games.bashni.rules import Rules, start
from games.kit import text
from games.kit.scene import Arrow, Mark, Piece
from games.kit.words import speech
from games.protocol import LANGUAGES, Notation

WHITE, WHITE_KING = Piece("white_man", "light"), Piece("white_king", "light", crown=True)
BLACK, BLACK_KING = Piece("black_man", "dark"), Piece("black_king", "dark", crown=True)


def voice(language):
    return speech(GAME, Rules(), Notation(language), ("Alice", "Bruno"))


def seen(position, written):
    move = GAME.move(written)
    assert position.objection(move) is None
    return GAME.scene(position, move, position.play(move))


def noted(scene, language="en"):
    return [voice(language).remark("notes", note) for note in scene.notes]


def refused(position, written, language="en"):
    return voice(language).remark("objections", position.objection(GAME.move(written)))


@pytest.fixture
def chain(board):
    """White takes a man and a king, becomes a king on the way, and frees a man."""
    return board("""
          .   .   .   .
        .   .   .   b
          .   .   .   bw
        .   .   .   .
          wB  .   .   .
        .   .   .   .
          .   .   .   b
        .   .   .   .
    """)


def test_the_start_is_two_armies_on_dark_squares():
    scene = GAME.scene(None, None, start(Rules()))
    assert len(scene.cells) == 32
    assert scene.chequered
    assert (scene.pieces["a1"], scene.pieces["h8"]) == ((WHITE,), (BLACK,))
    assert len(scene.pieces) == 24
    assert (scene.marks, scene.arrows, scene.trays, scene.changes, scene.notes) == ((), (), (), (), ())
    assert scene.men == (WHITE, BLACK)


def test_every_letter_and_number_stands_once():
    edges = GAME.scene(None, None, start(Rules())).edges
    assert "".join(edge.cell[0] for edge in edges if edge.part == "letter") == "abcdefgh"
    assert "".join(edge.cell[1] for edge in edges if edge.part == "number") == "12345678"


def test_black_sees_the_board_from_its_own_side():
    assert GAME.facing
    turned = GAME.scene(None, None, start(Rules())).flipped()
    assert next(cell for cell in turned.cells if (cell.x, cell.y) == (0, 7)).name == "h8"
    assert "".join(edge.cell[0] for edge in turned.edges if edge.part == "letter") == "hgfedcba"


def test_a_column_has_its_prisoners_below_and_kings_their_crowns(board):
    position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   B
        .   .   .   .
          .   .   .   .
        .   Bbw .   .
          .   .   .   .
        W   .   .   .
    """)
    pieces = GAME.scene(None, None, position).pieces
    assert (pieces["c3"], pieces["h6"], pieces["a1"]) == (
        (BLACK_KING, BLACK, WHITE),
        (BLACK_KING,),
        (WHITE_KING,),
    )


def test_a_chain_is_shown_with_the_pieces_it_took(chain):
    scene = seen(chain, "h6xf8xa3")
    assert scene.marks == (
        *(Mark("from", "h6"), Mark("to", "a3")),
        *(Mark("captured", "g7", BLACK), Mark("captured", "b4", BLACK_KING)),
    )
    assert scene.arrows == (Arrow(("h6", "f8", "a3")),)
    assert scene.pieces["a3"] == (BLACK_KING, BLACK, BLACK, WHITE_KING)


def test_a_chain_in_words(chain):
    scene = seen(chain, "h6xf8xa3")
    assert voice("en").changes(scene) == (
        "takes 1 black man and 1 black king by jumping from h6 to f8 and on to a3, "
        "frees what was below on b4 and gets a king"
    )
    assert voice("it").changes(scene) == (
        "cattura 1 pedina nera e 1 dama nera saltando da h6 a f8 e poi a a3, "
        "libera i pezzi rimasti in b4 e fa dama"
    )


def test_a_column_jumped_twice_is_marked_once(board):
    position = board("""
          .   .   .   .
        .   .   .   .
          b   b   .   .
        .   .   .   .
          b   bb  .   .
        .   w   .   .
          .   .   .   .
        .   .   .   .
    """)
    scene = seen(position, "c3xe5xc7xa5xc3xe5")
    assert [mark.cell for mark in scene.marks if mark.kind == "captured"] == ["d4", "d6", "b6", "b4"]
    assert voice("en").changes(scene).startswith("takes 5 black men")


def test_a_board_in_words(chain):
    assert voice("en").position(seen(chain, "h6xf8xa3")) == (
        "1 white man: b4.",
        "1 black man: h2.",
        "a3: 1 white king, 2 black men and 1 black king, from the top down.",
        "Bruno to play.",
    )


def test_a_board_in_text(chain):
    assert text.board(seen(chain, "h6xf8xa3"), voice("it")) == PICTURE.strip("\n")


PICTURE = """
8        .       .       .       .

7    .       .       .       *

6        .       .       .     [    ]
                                           b Alice
5    .       .       .       .           > n Bruno

4        b       .       .       .       b bianca, n nera; B, N dame; in
                                         bn2 la b è in cima
3  [Bn2N]    .       .       .           [ ] ultima mossa
                                          *  cattura
2        .       .       .       n

1    .       .       .       .

     a   b   c   d   e   f   g   h
"""


def test_a_step_and_a_promotion_in_words(board):
    assert voice("en").changes(seen(start(Rules()), "c3-d4")) == "moves from c3 to d4"
    assert voice("it").changes(seen(start(Rules()), "c3-d4")) == "muove da c3 a d4"
    position = board("""
          .   .   .   .
        .   w   .   .
          .   .   .   b
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
    """)
    scene = seen(position, "c7-d8")
    assert voice("en").changes(scene) == "moves from c7 to d8 and gets a king"
    assert voice("it").changes(scene) == "muove da c7 a d8 e fa dama"


def test_a_compulsory_capture_is_announced(chain):
    assert noted(GAME.scene(None, None, chain)) == ["A capture is compulsory."]
    assert noted(GAME.scene(None, None, chain), "it") == ["La presa è obbligatoria."]


@pytest.mark.parametrize(("quiet", "notes"), [(19, 0), (20, 1)])
def test_the_draw_by_kings_is_announced_when_it_is_near(quiet, notes):
    position = GAME.position(Rules(), f"a1=W h2=B quiet={quiet} move=white")
    scene = GAME.scene(None, None, position)
    assert len(scene.notes) == notes
    if notes:
        assert noted(scene) == [
            "Kings alone have moved and nothing was captured for 20 turns: after 30 the game is drawn."
        ]


def test_objections_say_what_would_be_legal(chain):
    assert refused(chain, "h6-g7") == "You must capture: from h6 you can jump to f8 and on to a3."
    assert refused(chain, "h6-g7", "it") == "La presa è obbligatoria: da h6 puoi saltare a f8 e poi a a3."
    assert refused(chain, "h6xf8") == "A capture is played to its end: from f8 you can jump on to a3."
    assert refused(start(Rules()), "c3-e5", "it") == (
        "La pedina muove di una sola casella, quindi non da c3 a e5: più lontano va solo la dama."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_end_has_its_sentence(language):
    assert set(GAME.phrases(language)["outcomes"]) == {"all_taken", "blocked", "quiet"}

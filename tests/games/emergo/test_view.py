"""What a player sees of Emergo, and how it is told in both languages."""

import pytest

from games.emergo import GAME
from games.emergo.rules import Rules, start
from games.kit import text
from games.kit.scene import Arrow, Mark, Piece, Tray
from games.kit.words import speech
from games.protocol import LANGUAGES, Notation, Side

WHITE, BLACK = Piece("white", "light"), Piece("black", "dark")


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
    """White takes d4, e7 twice, and two more."""
    return board("""
        .   .   .   .   .
          .   .   .   .
        .   .  B2W  B   .
          .  W2B  .   .
        .   .  BW2 B2   .
          .   .   .   .
        W   .   .   .   B
          .   .   .   .
        .   .   .   .   .
    """)


def test_the_start_is_an_empty_board_and_two_full_hands():
    scene = GAME.scene(None, None, start(Rules()))
    assert len(scene.cells) == 41
    assert scene.chequered
    assert (scene.pieces, scene.marks, scene.arrows, scene.changes, scene.notes) == ({}, (), (), (), ())
    assert scene.men == (WHITE, BLACK)
    assert scene.trays == (
        Tray(Side.FIRST, ((WHITE, 12),), "hand"),
        Tray(Side.SECOND, ((BLACK, 12),), "hand"),
    )


def test_every_letter_and_number_stands_on_both_sides():
    edges = GAME.scene(None, None, start(Rules())).edges

    def named(*, on):
        return " ".join(edge.cell for edge in edges if on(edge))

    assert named(on=lambda edge: edge.dy > 0) == "a1 b2 c1 d2 e1 f2 g1 h2 i1"
    assert named(on=lambda edge: edge.dy < 0) == "a9 b8 c9 d8 e9 f8 g9 h8 i9"
    assert named(on=lambda edge: edge.dx < 0) == "a1 b2 a3 b4 a5 b6 a7 b8 a9"
    assert named(on=lambda edge: edge.dx > 0) == "i1 h2 i3 h4 i5 h6 i7 h8 i9"


def test_a_column_has_its_prisoners_below(chain):
    assert GAME.scene(None, None, chain).pieces["e5"] == (WHITE, WHITE, BLACK)


def test_a_chain_is_shown_with_the_men_it_took(chain):
    scene = seen(chain, "d6xf8xh6xf4xd6xf8")
    captured = tuple(Mark("captured", cell, BLACK) for cell in ("e7", "g7", "g5", "e5"))
    assert scene.marks == (Mark("from", "d6"), Mark("to", "f8"), *captured)
    assert scene.arrows == (Arrow(("d6", "f8", "h6", "f4", "d6", "f8")),)
    assert scene.pieces["f8"] == (BLACK,) * 6 + (WHITE,) * 2


def test_a_chain_in_words(chain):
    scene = seen(chain, "d6xf8xh6xf4xd6xf8")
    assert voice("en").changes(scene) == (
        "takes 5 black men by jumping from d6 to f8, on to h6, on to f4, on to d6 and on to f8 "
        "and frees the men below on e7 and e5"
    )
    assert voice("it").changes(scene) == (
        "cattura 5 pedine nere saltando da d6 a f8, poi a h6, poi a f4, poi a d6 e poi a f8 "
        "e libera le prigioniere in e7 ed e5"
    )


def test_a_board_in_words(chain):
    scene = seen(chain, "d6xf8xh6xf4xd6xf8")
    assert voice("en").position(scene) == (
        "2 white men: e7 and a3.",
        "2 black men: g5 and i3.",
        "f8: 2 white men and 6 black men, from the top down.",
        "e5: 2 white men, from the top down.",
        "Alice has in hand: 6 white men.",
        "Bruno has in hand: 4 black men.",
        "Bruno to play.",
    )


def test_a_board_in_text(chain):
    drawn = text.board(seen(chain, "d6xf8xh6xf4xd6xf8"), voice("it"))
    assert drawn == PICTURE.strip("\n")


PICTURE = """
     a   b   c   d   e   f   g   h   i

9    .       .       .       .       .     9

8        .       .     [B2N6]    .         8

7    .       .       B       *       .     7
                                                  B Alice   6 in mano
6        .     [    ]    .       .         6    > N Bruno   4 in mano

5    .       .       B2      N       .     5    B bianca, N nera; in BN2
                                                la B è in cima
4        .       .       .       .         4    [ ] ultima mossa
                                                 *  cattura
3    B       .       .       .       N     3

2        .       .       .       .         2

1    .       .       .       .       .     1

     a   b   c   d   e   f   g   h   i
"""


def test_the_phases_in_words(board):
    assert voice("en").changes(seen(start(Rules()), "d6")) == "enters a white man on d6"
    assert voice("it").changes(seen(start(Rules()), "d6")) == "colloca una pedina bianca in d6"
    shadow = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
       W7   .   .   .  B12
    """)
    assert noted(GAME.scene(None, None, shadow)) == [
        "All 5 men left in hand enter together, as the shadow piece."
    ]
    scene = seen(shadow, "e5")
    assert voice("en").changes(scene) == "enters the shadow piece on e5: 5 white men at once"
    assert voice("it").changes(scene) == "colloca in e5 il pezzo ombra, 5 pedine bianche in una volta"
    assert scene.trays == ()
    after = shadow.play(GAME.move("e5"))
    assert voice("en").changes(seen(after, "i1-h2")) == "moves from i1 to h2"


def test_a_compulsory_capture_is_announced(chain):
    assert noted(GAME.scene(None, None, chain)) == ["A capture of 5 men is compulsory."]
    assert noted(GAME.scene(None, None, chain), "it") == ["È obbligatoria una cattura di 5 pedine."]


def test_columns_under_attack_are_named(board):
    position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   W   .   .
        .   B   .   .   .
          B   .   .   .
        .   .   .   .   .
    """)
    scene = GAME.scene(None, None, position)
    assert noted(scene) == ["Under attack: d4. So a man may enter on any empty square."]
    assert noted(scene, "it") == [
        "Sotto attacco: d4. Si può quindi collocare una pedina in qualsiasi casella libera."
    ]


def test_objections_say_what_would_be_legal(chain):
    assert refused(chain, "e9") == (
        "You must capture as many men as you can: now 5, for example along d6, f8, h6, f4, d6 and f8."
    )
    assert refused(chain, "d6xf4xh6xf8xd6") == (
        "That capture takes 4 of the 5 men that you must take: for example along d6, f8, h6, f4, d6 and f8."
    )
    after = start(Rules()).play(GAME.move("e3"))
    assert refused(after, "d4") == (
        "A man entered on d4 could be jumped from e3, which "
        "is not allowed while none of your columns is under attack."
    )
    assert refused(after, "f4", "it") == (
        "In f4 potrebbe essere saltata dalla colonna in e3: non si può offrire una cattura "
        "finché nessuna delle proprie colonne è sotto attacco."
    )


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_end_has_its_sentence(language):
    assert set(GAME.phrases(language)["outcomes"]) == {
        "all_taken",
        "blocked_draw",
        "blocked_loss",
        "no_entry",
    }

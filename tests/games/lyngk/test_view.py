"""How a position of LYNGK is shown: picture, text board, words."""

import pytest

from games.kit.drawing import Disc, Text
from games.kit.layout import Caption, lay_out
from games.kit.text import board
from games.kit.words import speech
from games.lyngk import GAME
from games.lyngk.rules import Rules
from games.protocol import Notation


def words(language):
    return speech(GAME, Rules(), Notation(language), ("Alice", "Bruno"))


@pytest.fixture
def double(few):
    """A claim wins a stack that waited, and the move another."""
    before = few("e4:IKBGR e6:GR e2:IKJ b2:B c6:I h2:I h3:B", second="K1")
    move = GAME.move("R,e6-e2")
    return GAME.scene(before, move, before.play(move))


def test_a_turn_is_told_and_marked(double):
    assert words("en").changes(double) == (
        "claims red, wins what waited on e4, moves from e6 onto e2 and wins this stack of five"
    )
    assert words("it").changes(double) == (
        "rivendica il colore rosso, vince ciò che aspettava in e4, muove da e6 su e2 e vince questa pila di cinque"
    )
    assert [(mark.kind, mark.cell) for mark in double.marks] == [
        ("from", "e6"),
        ("to", "e2"),
        ("captured", "e4"),
        ("captured", "e2"),
    ]


def test_an_arrow_has_the_turning_points(few):
    before = few("c1:R c4:BR f5:GK", "R0")
    move = GAME.move("c1-f5")
    (arrow,) = GAME.scene(before, move, before.play(move)).arrows
    assert arrow.cells == ("c1", "c4", "f5")


def test_claims_and_what_is_left_are_told(double):
    assert words("en").position(double)[-4:] == (
        "Unclaimed: ivory, blue and green.",
        "Claimed by Alice: red (2).",
        "Claimed by Bruno: black (1).",
        "Bruno to play.",
    )
    text = " ".join(board(double, words("it")).split())
    assert all(said in text for said in ("Liberi A B V", "Alice R2", "> Bruno N1"))


def test_each_piece_of_a_stack_is_seen_told_and_lettered(few):
    scene = GAME.scene(None, None, few("c1:IBRGK c2:J"))
    assert words("it").position(scene)[1] == "c1: nero, verde, rosso, blu e avorio, dall'alto in basso."
    assert "ABRVN" in board(scene, words("it"))
    drawn = lay_out(scene, words("it"), Caption("")).shapes
    (at,) = [s.x for s in drawn if isinstance(s, Text) and s.text == "ABRV"]
    rims = [s.fill for s in drawn if isinstance(s, Disc) and s.x == at and s.line == "outline"]
    assert rims == ["light", "grey", "accent", "ring", "dark"]


def test_what_else_happens_is_told(few):
    stuck = few("c1:R c2:KG", "I0B0", "R0G0")
    passed = GAME.scene(stuck, GAME.move("pass"), stuck.play(GAME.move("pass")))
    assert words("en").changes(passed) == "has no move and passes"
    before = few("c1:RGB c2:KIJ", "B0", preset="six")
    move = GAME.move("c1-c2")
    scene = GAME.scene(before, move, before.play(move))
    assert words("en").changes(scene) == "moves from c1 onto c2 and completes a stack of six"
    assert scene.to_move is None

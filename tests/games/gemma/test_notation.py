"""Moves as players write them, removals above all."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.gemma import GAME
from games.gemma.rules import Removal
from games.lines_of_action.board import Move
from games.lines_of_action.rules import Rules
from games.protocol import IllegalMove, Notation, UnreadableMove
from tests.examples import examples

ENGLISH, ITALIAN = Notation("en"), Notation("it")
START = GAME.start(Rules(), "")
STUCK = GAME.position(Rules(), "8/7x/1x6/4o3/3o4/8/#7/o1#3x1 o")  # a1 cannot move


@pytest.mark.parametrize("notation", [ENGLISH, ITALIAN])
@pytest.mark.parametrize(
    "text", ["xa1", "XA1", "x a1", " x a 1 ", "×a1", "xa1.", "xa1!", "xa1\u200b", "x\u00a0a1"]
)
def test_a_removal_however_it_is_typed(text, notation):
    assert GAME.read(STUCK, text, notation) == Removal("a1")


@pytest.mark.parametrize(
    ("text", "move"), [("b1-b3", "b1-b3"), ("B1 b3", "b1-b3"), ("c1:a3", "c1xa3"), ("c1-a3x", "c1xa3")]
)
def test_the_other_moves_are_typed_as_in_lines_of_action(text, move):
    assert str(GAME.read(START, text, ENGLISH)) == move


@pytest.mark.parametrize(
    "text", ["", "x", "a1", "xx", "xa", "x1", "xa0", "xa1b", "xxa1", "xa1 it is", "x" * 99]
)
def test_talk_is_not_a_move(text):
    with pytest.raises(UnreadableMove, match="is not a move"):
        GAME.read(STUCK, text, ENGLISH)


@pytest.mark.parametrize(
    ("text", "objection"),
    [
        ("xb1", "can_move b1"),
        ("xa2", "not_yours a2"),
        ("x d4", "empty d4"),
        ("xk1", "off_board k1"),
        ("passo", "no_pass"),
    ],
)
def test_an_illegal_move_is_told_why(text, objection):
    with pytest.raises(IllegalMove) as caught:
        GAME.read(START, text, ITALIAN)
    assert str(caught.value.objection).startswith(objection)


@pytest.mark.parametrize("text", ["", "x", "XA1", "xa1 ", "x a1", "xa100", "a1", "xa1xb2"])
def test_only_the_canonical_form_is_a_recorded_move(text):
    with pytest.raises(ValueError, match="not a canonical move"):
        GAME.move(text)


def test_a_removal_is_no_slide():
    assert GAME.move("xa1") == Removal("a1") != Move("a1", "")
    assert str(Removal("a1")) == "xa1"


@examples(60)
@given(
    st.randoms(use_true_random=False),
    st.integers(0, 64),
    st.sampled_from([*GAME.presets.values(), Rules(size=6)]),
)
def test_whatever_is_legal_can_be_written_and_read(rng: Random, plies, rules):
    position = after_turns(rng, plies, rules)
    assert GAME.position(rules, str(position)) == position
    for move in position.moves():
        assert GAME.move(str(move)) == move
        for notation in (ENGLISH, ITALIAN):
            assert GAME.read(position, GAME.write(position, move, notation), notation) == move


@examples(20)
@given(st.randoms(use_true_random=False), st.integers(0, 36))
def test_exactly_the_legal_moves_meet_no_objection(rng: Random, plies):
    position = after_turns(rng, plies, Rules(size=6))
    cells = position.rules.board.bits
    every = {GAME.move(f"{a}{sign}{b}") for a in cells for b in cells for sign in "-x"}
    every |= {Removal(cell) for cell in cells}
    assert {move for move in every if not position.objection(move)} == set(position.moves())


def after_turns(rng, turns, rules):
    position = GAME.start(rules, "")
    while turns and not position.outcome():
        position, turns = position.play(position.sample(rng)), turns - 1
    return position

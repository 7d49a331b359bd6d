"""Moves as players write them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.lines_of_action import GAME
from games.lines_of_action.rules import Rules
from games.protocol import IllegalMove, Notation, UnreadableMove
from tests.examples import examples

ENGLISH, ITALIAN = Notation("en"), Notation("it")
START = GAME.start(Rules(), "")


@pytest.mark.parametrize("notation", [ENGLISH, ITALIAN])
@pytest.mark.parametrize(
    "text",
    [
        *("b1-b3", "b1b3", "b1:b3", "b1xb3", "B1-B3", " b1 - b3 ", "b1 b3", "b 1-b 3", "b1->b3"),
        *(
            "b1–b3",
            "b1—b3",
            "b1−b3",
            "b1‑b3",
            "b1×b3",
            "b1-b3.",
            "b1\u00a0-\u00a0b3",
            "b1-b3\u200b",
            "b1-b3!",
        ),
    ],
)
def test_a_move_however_it_is_typed(text, notation):
    assert str(GAME.read(START, text, notation)) == "b1-b3"


@pytest.mark.parametrize("text", ["c1xa3", "c1-a3", "c1a3", "C1:A3", "c1-a3x", "c1-a3+", "c1×a3."])
def test_a_capture_however_it_is_typed(text):
    assert str(GAME.read(START, text, ENGLISH)) == "c1xa3"


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            " ",
            "b1",
            "b1-",
            "-b3",
            "b1-b3-b5",
            "b1-b3, see you",
            "I play b1-b3",
            "b0-b3",
            "b1-b01",
            "11-33",
        ),
        *("Thanks, a good game!", "Buona mossa, e ora?", "ok", "I pass on that", "resign", "è-1", "b¹-b³ b1"),
        *("b1-b3" + " " * 40, "x" * 100_000, "а1-а3"),  # the last is Cyrillic
    ],
)
def test_talk_is_not_a_move(text):
    with pytest.raises(UnreadableMove, match="is not a move"):
        GAME.read(START, text, ENGLISH)


MIDDLE = "4x3/8/1x1o4/8/x2oo1x1/8/1x6/3o4 o"


@pytest.mark.parametrize(
    ("text", "objection"),
    [
        ("i1-b3", "off_board i1"),
        ("b1-b9", "off_board b9"),
        ("e1-e2", "empty e1"),
        ("b2-b3", "not_yours b2"),
        ("d4-e6", "off_line d4 e6"),
        ("d4-d4", "off_line d4 d4"),
        ("d4-d5", "distance d4 d5 3 1"),
        ("d4-h4", "blocked d4 g4"),
        ("d1-d4", "own_man d4"),
        ("pass", "no_pass"),
        ("Passo.", "no_pass"),
    ],
)
def test_an_illegal_move_is_told_why(text, objection):
    position = GAME.position(Rules(), MIDDLE)
    with pytest.raises(IllegalMove) as caught:
        GAME.read(position, text, ITALIAN)
    assert str(caught.value.objection) == objection


@pytest.mark.parametrize(
    ("canonical", "objection"), [("b1xb3", "no_capture b3"), ("c1-a3", "unmarked_capture a3")]
)
def test_the_canonical_form_tells_captures(canonical, objection):
    assert str(START.objection(GAME.move(canonical))) == objection


@pytest.mark.parametrize("text", ["", "b1b3", "b1:b3", "B1-B3", "b1-b3 ", "passo", "b1-b100"])
def test_only_the_canonical_form_is_a_recorded_move(text):
    with pytest.raises(ValueError, match="not a canonical move"):
        GAME.move(text)


@pytest.mark.prove
@examples(60)
@given(
    st.randoms(use_true_random=False),
    st.integers(0, 120),
    st.sampled_from([*GAME.presets.values(), Rules(size=6)]),
)
def test_whatever_is_legal_can_be_written_and_read(rng: Random, plies, rules):
    position = GAME.start(rules, "")
    while plies and not position.outcome():
        position = position.play(position.sample(rng))
        plies -= 1
    assert GAME.position(rules, str(position)) == position
    for move in position.moves():
        assert GAME.move(str(move)) == move
        for notation in (ENGLISH, ITALIAN):
            assert GAME.read(position, GAME.write(position, move, notation), notation) == move


@examples(20)
@given(st.randoms(use_true_random=False), st.integers(0, 120))
def test_exactly_the_legal_moves_meet_no_objection(rng: Random, plies):
    position = GAME.start(Rules(size=6), "")
    while plies and not position.outcome():
        position = position.play(position.sample(rng))
        plies -= 1
    cells = position.rules.board.bits
    every = {GAME.move(f"{a}{sign}{b}") for a in cells for b in cells for sign in "-x"} | {GAME.forced_pass}
    assert {move for move in every if not position.objection(move)} == set(position.moves())

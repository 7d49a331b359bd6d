"""The turns of Emergo as players write them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.emergo import GAME
from games.emergo.rules import Rules, start
from games.protocol import AmbiguousMove, IllegalMove, Notation, UnreadableMove
from tests.examples import examples

ALICE, BRUNO = Notation("en"), Notation("it")
BOTH = [ALICE, BRUNO]


def read(position, text, notation=ALICE):
    return str(GAME.read(position, text, notation))


@pytest.fixture
def empty():
    return start(Rules())


@pytest.fixture
def two_jumps(board):
    """Black takes e3 and g5."""
    return board(
        """
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   W   .
          .   .   .   .
        .   .   W   .   .
          B   B   .   .
        .   .   .   .   .
        """,
        "black",
    )


@pytest.mark.parametrize("notation", BOTH)
@pytest.mark.parametrize(
    "text", ["d6", "D6", " d6 ", "d6.", "d6!", "d6(1)", "d6 (1)", "d6\u200b", "\u00a0d6"]
)
def test_an_entry_however_it_is_typed(empty, text, notation):
    assert read(empty, text, notation) == "d6"


@pytest.mark.parametrize("notation", BOTH)
@pytest.mark.parametrize(
    "text",
    [
        *("d2xf4xh6", "d2-f4-h6", "d2 f4 h6", "D2xF4xH6", "d2f4h6", "d2:f4:h6", "d2->f4->h6", "d2×f4×h6"),
        *("d2–f4–h6", "d2—f4—h6", "d2-f4-h6x", "d2 x f4 x h6 x", "d2xf4xh6.", "d2xh6", "d2-h6", "D2 h6"),
    ],
)
def test_a_capture_however_it_is_typed(two_jumps, text, notation):
    assert read(two_jumps, text, notation) == "d2xf4xh6"


@pytest.mark.parametrize("text", ["b4-c5", "B4c5", "b4 c5", "b4xc5", "b4 – C5", "b4>c5."])
def test_a_step_however_it_is_typed(board, text):
    position = board("""
        .   .   .   .  B12
          .   .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
         W12  .   .   .
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
    """)
    assert read(position, text) == "b4-c5"


@pytest.mark.parametrize("notation", BOTH)
@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "d", "6", "6d", "j5", "d10", "d0", "d 6", "d6?", "d6 d7 or e5", "d6, e5", "e5()", "e5(x)"),
        *("I play d6", "d6 and good luck", "Thanks, d6 was good", "a", "ok", "gr8", "see you", "e poi?"),
        *("x", "xx", "d2x", "d2xf4xj6", "d2--f4", "1. d6", "pass", "passo", "d6 " * 60, "d6" * 10_000),
    ],
)
def test_talk_is_not_a_move(empty, two_jumps, text, notation):
    for position in (empty, two_jumps):
        with pytest.raises(UnreadableMove, match="is not a move"):
            GAME.read(position, text, notation)


@pytest.mark.parametrize(
    ("text", "objection"),
    [
        ("e5", "must_capture_most d2 f4 h6 2"),
        ("d2-c3", "must_capture_most d2 f4 h6 2"),
        ("d2xf4", "too_few d2 f4 h6 1 2"),
        ("b2xh6", "not_a_jump b2 h6"),
        ("d2xh7", "no_square h7"),
        ("e3xc1", "not_yours e3"),
        ("a3xc5", "nothing_there a3"),
    ],
)
def test_an_illegal_move_is_told_why(two_jumps, text, objection):
    with pytest.raises(IllegalMove) as caught:
        GAME.read(two_jumps, text, BRUNO)
    assert str(caught.value.objection) == objection


def test_ends_that_fit_two_captures_are_ambiguous(board):
    position = board("""
        .   .   .   .   .
          .   .   .   .
        .   .   .   .   .
          B   B   .   .
        .   .   .   .   .
          B   B   .   .
        .   W   .   .   .
          .   .   .   .
        .   .   .   .   .
    """)
    with pytest.raises(AmbiguousMove) as caught:
        GAME.read(position, "c3xc3", ALICE)
    assert set(caught.value.readings) == {"c3xa5xc7xe5xc3", "c3xe5xc7xa5xc3"}


@pytest.fixture
def shadow(board):
    return board("""
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


def test_the_shadow_piece_is_written_with_its_men(shadow):
    move = GAME.move("e5")
    assert GAME.write(shadow, move, BRUNO) == "e5(5)"
    assert [read(shadow, text) for text in ("e5", "e5(5)", "E5 (5)")] == ["e5"] * 3
    with pytest.raises(IllegalMove, match="other_count e5 5 4"):
        GAME.read(shadow, "e5(4)", ALICE)


def test_a_single_man_is_written_without(empty):
    assert GAME.write(empty, GAME.move("d6"), ALICE) == "d6"


@pytest.mark.parametrize(
    "text", ["", "D6", "d6x", "d6 ", "d2xf4-h6", "d2-f4-h6", "d10", "j1", "e5(5)", "pass"]
)
def test_only_the_canonical_form_is_a_recorded_move(text):
    with pytest.raises(ValueError, match="not the canonical form"):
        GAME.move(text)


@pytest.mark.prove
@examples(60)
@given(st.randoms(use_true_random=False), st.integers(0, 120))
def test_whatever_is_legal_can_be_written_and_read(rng: Random, plies):
    position = start(Rules())
    while plies and not position.outcome():
        position = position.play(position.sample(rng))
        plies -= 1
    assert GAME.position(Rules(), str(position)) == position
    for move in position.moves():
        assert GAME.move(str(move)) == move
        for notation in BOTH:
            assert GAME.read(position, GAME.write(position, move, notation), notation) == move
            assert GAME.read(position, str(move).replace("x", "-").upper(), notation) == move


@examples(30)
@given(st.randoms(use_true_random=False), st.integers(0, 120))
def test_exactly_the_legal_moves_meet_no_objection(rng: Random, plies):
    position = start(Rules())
    while plies and not position.outcome():
        position = position.play(position.sample(rng))
        plies -= 1
    cells = [f"{letter}{number}" for letter in "abcdefghi" for number in range(1, 10)]
    pairs = [f"{one}{sign}{other}" for one in cells[::2] for other in cells[::2] for sign in "-x"]
    legal = set(position.moves())
    every = {*map(GAME.move, [*cells, *pairs]), *legal}
    short = {move for move in legal if len(move.path) < 3}
    assert {move for move in every if not position.objection(move)} == legal
    assert short <= every

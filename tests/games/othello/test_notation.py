"""Moves as players write them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games import lenient_parser
from games.kit.words import speech
from games.othello import GAME
from games.othello.rules import PASS, Move, Rules
from games.protocol import IllegalMove, Notation, Objection, UnreadableMove
from tests.examples import examples

ENGLISH, ITALIAN = Notation("en"), Notation("it")
START = GAME.start(Rules(), "")


@pytest.mark.parametrize("notation", [ENGLISH, ITALIAN])
@pytest.mark.parametrize("text", ["d3", "D3", " d 3 ", "d3.", "D3!", "\u200bd3", "ｄ３", "d3 ;"])
def test_a_square_however_it_is_typed(text, notation):
    assert GAME.read(START, text, notation) == Move("d3")


@pytest.mark.parametrize("text", ["a disc on d3", "in d3", "una pedina in d3", "on D3", "my disc on d3"])
def test_a_square_as_people_say_it(text):
    assert lenient_parser.parse(GAME, START, text, ITALIAN) == Move("d3")


@pytest.mark.parametrize("text", ["pass", "Pass.", "PASSO", "passo!", "passa", "--"])
def test_a_pass_however_it_is_typed(board, text):
    position = board(". O X X X X X X", "o")
    assert GAME.read(position, text, ITALIAN) == PASS
    assert GAME.write(position, PASS, ITALIAN) == "pass"


def test_ten_rows_have_two_digits():
    position = GAME.position(Rules(10), "10/10/10/10/4oxxxxo/4xo4/8xo/9x/9o/10 x")
    assert GAME.read(position, "J10", ENGLISH) == Move("j10")


@pytest.mark.parametrize(
    "text",
    [
        *("", "3", "d", "d0", "d03", "dd3", "d3 e3", "d3-d4", "d3xd4", "11", "k9", "a12", "j3", "è3"),
        *("Thanks, a good game!", "Passo a prenderti alle 8", "I pass on that", "x" * 100_000),
    ],
)
def test_talk_is_not_a_move(text):
    with pytest.raises(UnreadableMove, match="is not a move"):
        GAME.read(START, text, ENGLISH)


@pytest.mark.parametrize(
    ("text", "objection", "english", "italian"),
    [
        (
            "i4",
            Objection("off_board", ("i4",)),
            "There is no square i4 on this board.",
            "Su questo tavoliere la casella i4 non esiste.",
        ),
        ("E4", Objection("occupied", ("e4",)), "There is already a disc on e4.", "In e4 c'è già una pedina."),
        (
            "a1",
            Objection("touches_nothing", ("a1",)),
            "No opposing disc is beside a1: a disc there turns nothing over.",
            "Accanto ad a1 non ci sono pedine avversarie: lì non gireresti nulla.",
        ),
        (
            "c3",
            Objection("outflanks_nothing", ("c3",)),
            "From c3 no row of opposing discs ends at one of yours: a disc there turns nothing over.",
            "Da c3 nessuna fila di pedine avversarie arriva a una tua: lì non gireresti nulla.",
        ),
        (
            "passo",
            Objection("no_pass", ("d3", "c4", "f5", "e6")),
            "You may pass only when you can outflank nothing. Playable squares: d3, c4, f5 and e6.",
            "Si può passare solo quando non si può imprigionare nulla. Caselle giocabili: d3, c4, f5 ed e6.",
        ),
    ],
)
def test_an_illegal_move_is_answered_with_the_reason(text, objection, english, italian):
    with pytest.raises(IllegalMove) as illegal:
        GAME.read(START, text, ENGLISH)
    assert illegal.value.objection == objection
    for language, sentence in (("en", english), ("it", italian)):
        assert speech(GAME, Rules(), Notation(language)).remark("objections", objection) == sentence


@pytest.mark.parametrize("text", ["", "D3", "d3 ", "d 3", "d03", "passo", "d100", "--"])
def test_only_the_canonical_form_is_a_recorded_move(text):
    with pytest.raises(ValueError, match="not a canonical move"):
        GAME.move(text)


@examples(30)
@given(st.integers(0, 2**32), st.integers(0, 90), st.sampled_from(sorted(GAME.presets)))
def test_exactly_the_legal_moves_meet_no_objection_and_are_read_again(seed, plies, preset):
    rules, rng = GAME.presets[preset], Random(seed)
    position = GAME.start(rules, "")
    while plies and not position.outcome():
        position = position.play(position.sample(rng))
        plies -= 1
    assert GAME.position(rules, str(position)) == position
    every = {*map(GAME.move, rules.board.bits), PASS}
    moves = set(position.moves())
    assert {move for move in every if not position.objection(move)} == moves
    for move in moves:
        assert GAME.read(position, GAME.write(position, move, ITALIAN), ITALIAN) == move

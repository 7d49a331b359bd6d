"""Moves as players write them."""

from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.insert import GAME
from games.insert.rules import Move
from games.kit.words import speech
from games.protocol import CANONICAL, IllegalMove, Notation, Objection, UnreadableMove

ITALIAN = Notation("it")


@pytest.fixture
def position(board):
    """Black is to move; c4 takes six rings."""
    return board(
        """
        . . . . . x
        . o o . . .
        . o . o . .
        . . x x . .
        . . o . o .
        . . . . . .
        """,
        last="b4",
    )


@pytest.mark.parametrize(
    "text",
    [
        *("c4", "C4", " c 4 ", "c4.", "c4!", "\u200bc4", "ｃ４", "C4 ,"),
        "c4 (c2,e2,b4,d4,b5,c5)",
        "C4 (B4, D4, C5, C2, B5, E2)",
        "c4(b4 d4;c5 c2 b5 e2)",
        "c4 [b4,d4,c5,c2,b5,e2].",
        "c4xb4,d4,c5,c2,b5,e2",
        "c4 × b4, d4, c5, c2, b5, e2",
        "c4: b4, d4, c5, c2, b5, e2",
    ],
)
@pytest.mark.parametrize("notation", [CANONICAL, ITALIAN])
def test_a_cell_is_enough_and_its_captures_may_follow(position, text, notation):
    assert GAME.read(position, text, notation) == Move("c4")


def test_captures_are_written(position):
    assert GAME.write(position, Move("c4"), CANONICAL) == "c4 (c2,e2,b4,d4,b5,c5)"
    assert GAME.write(position, Move("a4"), ITALIAN) == "a4"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "4",
        "c",
        "c0",
        "cc4",
        "c4 d4",
        "c4 (",
        "c4 ()",
        "c4-d4",
        "pass",
        "c4 " * 60,
        "S19",
        "k9",
        "a12",
        "é4",
        "c4 (b4 e d4)",
    ],
)
def test_the_rest_is_not_a_move(position, text):
    with pytest.raises(UnreadableMove):
        GAME.read(position, text, CANONICAL)


@pytest.mark.parametrize(
    ("text", "objection", "english", "italian"),
    [
        (
            "c6",
            Objection("row", ("a4", "c4", "e4", "f4")),
            "The last ring points along its row, and you must play there. Free: a4, c4, e4 and f4.",
            "L'ultimo anello indica la sua traversa, ed è lì che devi giocare. Caselle libere: a4, c4, e4 e f4.",
        ),
        (
            "d4",
            Objection("occupied", ("d4",)),
            "There is already a ring on d4.",
            "In d4 c'è già un anello.",
        ),
        (
            "G4",
            Objection("no_such_cell", ("g4",)),
            "There is no cell g4 on this board.",
            "Su questo tavoliere la casella g4 non esiste.",
        ),
        (
            "c4 (b4,d4)",
            Objection("captures_other", ("c2", "e2", "b4", "d4", "b5", "c5")),
            "That ring captures different ones: those on c2, e2, b4, d4, b5 and c5.",
            "Quell'anello non cattura gli anelli che hai scritto, ma questi: c2, e2, b4, d4, b5 e c5.",
        ),
        (
            "a4 (d4)",
            Objection("captures_nothing", ("a4",)),
            "A ring on a4 captures nothing.",
            "Un anello in a4 non cattura nulla.",
        ),
    ],
)
def test_an_illegal_move_is_answered_with_the_reason(position, text, objection, english, italian):
    with pytest.raises(IllegalMove) as illegal:
        GAME.read(position, text, CANONICAL)
    assert illegal.value.objection == objection
    for language, sentence in (("en", english), ("it", italian)):
        words = speech(GAME, position.rules, Notation(language))
        assert words.remark("objections", objection) == sentence


@pytest.mark.parametrize("text", ["", "d", "44", "D4", "d4 ", "d 4", "d4 (c4,e4)", "d04"])
def test_only_a_bare_cell_is_canonical(text):
    with pytest.raises(ValueError, match="is not a canonical move"):
        GAME.move(text)


@given(seed=st.integers(0, 2**32), preset=st.sampled_from(["", "x+"]), language=st.sampled_from(["en", "it"]))
def test_what_is_written_is_read_and_positions_come_back(seed, preset, language):
    rules, rng, notation = GAME.presets[preset], Random(seed), Notation(language)
    position = GAME.start(rules, GAME.draw_setup(rules, rng))
    while not position.outcome():
        move = position.sample(rng)
        assert GAME.read(position, GAME.write(position, move, notation), notation) == move
        assert GAME.read(position, str(move).upper(), notation) == GAME.move(str(move)) == move
        position = position.play(move)
        assert GAME.position(rules, str(position)) == position


@given(st.text(max_size=20))
def test_no_text_breaks_the_reader(text):
    position = GAME.start(GAME.presets[""], "-" * 36)
    assert reading(position, text) in {*position.moves(), repr(text)}


def reading(position, text):
    """The move, or the text where the refusal quotes it."""
    try:
        return GAME.read(position, text, CANONICAL)
    except (UnreadableMove, IllegalMove) as refused:
        return repr(text) if repr(text) in str(refused) else str(refused)

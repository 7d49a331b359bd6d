"""The turns of Bashni as players write them."""

import pytest

from games import lenient_parser
from games.bashni import GAME
from games.bashni.rules import Rules, start
from games.protocol import AmbiguousMove, IllegalMove, Notation, UnreadableMove

BOTH = [Notation("en"), Notation("it")]
ALICE = BOTH[0]


def read(position, text, notation=ALICE):
    return str(GAME.read(position, text, notation))


def refused(position, text):
    with pytest.raises(IllegalMove) as raised:
        read(position, text)
    return str(raised.value.objection)


@pytest.fixture
def two_jumps(board):
    return board("""
          .   .   .   .
        .   .   .   .
          .   .   b   .
        .   .   .   .
          b   b   .   .
        .   w   .   .
          .   .   .   .
        .   .   .   .
    """)


@pytest.mark.parametrize("notation", BOTH)
@pytest.mark.parametrize(
    "text",
    [
        *(
            "c3-d4",
            "C3-D4",
            "c3 d4",
            "c3d4",
            "c3 – d4",
            "c3—d4",
            "c3->d4",
            "c3>d4.",
            "c3xd4",
            "c3:d4!",
            "c3 - d4;",
        ),
        "c3\u200b-d4",
    ],
)
def test_a_step_however_it_is_typed(text, notation):
    assert read(start(Rules()), text, notation) == "c3-d4"


@pytest.mark.parametrize("notation", BOTH)
@pytest.mark.parametrize(
    "text",
    [
        *("c3xe5xg7", "c3:e5:g7", "C3:E5:G7", "c3-e5-g7", "c3 e5 g7", "c3e5g7", "c3×e5×g7", "c3*e5*g7"),
        *("c3xg7", "c3:g7", "c3-g7", "c3 g7", "c3 x e5 x g7."),
    ],
)
def test_a_capture_however_it_is_typed(two_jumps, text, notation):
    assert read(two_jumps, text, notation) == "c3xe5xg7"


@pytest.mark.parametrize(("language", "text"), [("en", "c3 to d4"), ("it", "da c3 a d4"), ("it", "с3-d4")])
def test_in_everyday_words_and_with_a_russian_keyboard(language, text):
    assert str(lenient_parser.parse(GAME, start(Rules()), text, Notation(language))) == "c3-d4"


def test_the_other_way_round_is_the_same_turn(board):
    position = board("""
          .   .   .   .
        .   .   .   .
          .   b   b   .
        .   w   .   .
          .   b   b   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
    """)
    assert read(position, "c5xe7xg5xe3xc5") == "c5xe3xg5xe7xc5"
    assert read(position, "c5xc5") == "c5xe3xg5xe7xc5"


def test_start_and_end_are_not_enough_for_two_captures(board):
    position = board("""
          .   .   .   .
        .   .   .   .
          .   b   b   .
        .   w   .   .
          .   B   b   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
    """)
    with pytest.raises(AmbiguousMove) as raised:
        read(position, "c5xc5")
    assert set(raised.value.readings) == {"c5xe3xg5xe7xc5", "c5xe7xg5xe3xc5"}
    assert read(position, "c5xe7xg5xc5") == "c5xe7xg5xe3xc5"


@pytest.mark.parametrize("notation", BOTH)
@pytest.mark.parametrize(
    "text",
    [
        *("", " ", "c", "3", "c3", "c3-", "c3-i4", "c9-d4", "c3--d4", "c3 d4?", "c3-d4, e3-d4", "c3xx"),
        *("I play c3-d4", "c3-d4 and good luck", "Thanks, c3 was good", "ok", "pass", "passo", "1. c3-d4"),
        *("c3 " * 60, "c3" * 10_000),
    ],
)
def test_talk_is_not_a_move(two_jumps, text, notation):
    for position in (start(Rules()), two_jumps):
        with pytest.raises(UnreadableMove):
            GAME.read(position, text, notation)


def test_what_breaks_a_rule_is_told(two_jumps):
    assert refused(two_jumps, "c3-d2") == "must_capture c3 a5"
    assert refused(two_jumps, "c3xe5") == "unfinished e5 g7"
    assert refused(two_jumps, "c3-e5") == "unfinished e5 g7"
    assert refused(two_jumps, "c3xa1") == "nothing_to_jump c3 a1"
    assert refused(start(Rules()), "c3-c4") == "no_square c4"
    assert refused(start(Rules()), "c3-b2") == "backwards c3 b2"
    assert refused(start(Rules()), "c3xe5") == "nothing_to_jump c3 e5"
    assert refused(start(Rules()), "c3-e5") == "one_square c3 e5"
    assert refused(start(Rules()), "c3-e5-g7") == "nothing_to_jump c3 e5"


def test_nothing_is_read_after_the_end(board):
    position = board("""
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   .   .   .
          .   .   .   .
        .   b   .   .
          b   .   .   .
        w   .   .   .
    """)
    assert refused(position, "a1-b2") == "finished"

"""What players of PÜNCT write, and what is answered when it is no move or when something is missing."""

import pytest

from games.kit.words import speech
from games.lenient_parser import parse
from games.protocol import LANGUAGES, IllegalMove, Notation, UnreadableMove
from games.punct import GAME
from games.punct.rules import Rules

ENGLISH, ITALIAN = (Notation(language) for language in LANGUAGES)


@pytest.fixture
def position(few):
    return few("w0:a5/b5/c5 w0:e9/d8/d9 b0:c8/c9/c10 b0:e3/f3/f4")


@pytest.mark.parametrize(
    "text",
    [
        "f1/f2/g3",
        "F1/F2/G3",
        "f1 f2 g3",
        "f1, g3, f2.",
        "f1f2g3",
        "L:f1/f2/g3",
        "l f1 f2 g3",
        "f 1 f 2 g 3",
        "f1/g3/f2",
    ],
)
def test_a_piece_is_placed(position, text):
    for notation in (ENGLISH, ITALIAN):
        assert str(parse(GAME, position, text, notation)) == "f1/f2/g3"


@pytest.mark.parametrize(
    "text",
    [
        "a5-e5/f5/g5",
        "a5 - e5 f5 g5",
        "A5 → e5, g5, f5",
        "a5>e5/f5/g5",
        "a5 e5 f5 g5",
        "a5e5f5g5",
        "E a5-e5/f5/g5",
    ],
)
def test_a_piece_is_moved(position, text):
    for notation in (ENGLISH, ITALIAN):
        move = parse(GAME, position, text, notation)
        assert GAME.write(position, move, notation) == "a5-e5/f5/g5"


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "triangle on g5/g6/h6", "g5/g6/h6"),
        ("it", "triangolo in g5/g6/h6", "g5/g6/h6"),
        ("it", "angolo l in f1 f2 g3", "f1/f2/g3"),
    ],
)
def test_in_everyday_words(position, language, text, said):
    assert str(parse(GAME, position, text, Notation(language))) == said


@pytest.mark.parametrize(
    ("text", "read"),
    [("a5-e5/f5", "a5-e5/f5/g5"), ("e a2 c2", "a2/b2/c2"), ("C a3", "a3/a2/a4"), ("T a7 b8", "a7/b7/b8")],
)
def test_what_has_one_way_only_is_completed(few, text, read):
    position = few("w0:a5/b5/c5 b0:b3/b4/c4 b0:a8/b9/c10 w0:b6/c7/d8")
    assert str(GAME.read(position, text, ENGLISH)) == read


@pytest.mark.parametrize(
    "text", ["", "I", "a", "T", "e4 " * 30, "what about g5", "g5?g6", "g5/g6/h7/h8/h9", "12"]
)
def test_talk_is_no_move(position, text):
    with pytest.raises(UnreadableMove):
        GAME.read(position, text, ENGLISH)


def answer(position, text, language):
    notation = Notation(language)
    with pytest.raises(IllegalMove) as refused:
        parse(GAME, position, text, notation)
    return speech(GAME, Rules(), notation).remark("objections", refused.value.objection)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "g5", "Which piece? With its PÜNCT there, these fit: T g5, C g5, E g5, M g5, L g5 and R g5. Write"),
        ("en", "C g5", "Which way round? Write one of these: g5/g4/g6 and g5/f5/h5."),
        ("it", "triangolo in g5", "Disposto come? Scrivi una di queste: g5/g6/h6, g5/h5/h6, g5/g4/h5 e g5/f5/g6."),
        ("en", "g5 g6", "Which way round? Write one of these: g5/g6/h6, g5/g4/g6, g5/g6/h5, g5/f6/g6 and g5/f5/g6."),
        ("en", "a5", "Where does that piece go? Also write where its PÜNCT goes"),
        ("it", "a5-", "Dove va quel pezzo? Scrivi anche dove arriva il PÜNCT"),
        ("it", "a5-b5", "Disposto come? Scrivi una di queste: a5-b5/b6/b7, a5-b5/c6/d7, a5-b5/c5/d5 e a5-b5/b3/b4."),
        ("en", "a5 b5", "Which way round? Write one of these: a5-b5/b6/b7,"),
    ],
)  # fmt: skip
def test_what_is_missing_is_asked_for(position, language, text, said):
    assert answer(position, text, language).startswith(said)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "b5", "A new piece needs three empty cells, and these are taken: b5."),
        ("it", "i9", "Al centro non si colloca, ci si può solo muovere: i9, i10 e j10."),
        ("en", "T:g5/g6/h7", "Those three cells make an angle L, with its PÜNCT on g5."),
        ("it", "g5/g6/g9", "Nessun pezzo ha tre punti così: g5, g6 e g9."),
        ("en", "g5/g9", "No piece has three dots like these: g5 and g9."),
        ("en", "q17/q16/q15", "There is no cell q17 on this board."),
        ("it", "b5-e5", "Il PÜNCT del pezzo in b5 è in a5: scrivi prima quella casella."),
        ("en", "a5-i9", "The PÜNCT moves in a straight line, and none leads from a5 to i9."),
        ("en", "e3-e5", "The piece on e3 is your opponent's."),
        ("en", "a5-e5/e6/f6", "The piece with its PÜNCT on a5 is a straight E, and keeps its shape."),
    ],
)
def test_an_illegal_move_is_explained(position, language, text, said):
    assert answer(position, text, language) == said


def test_nothing_is_asked_when_the_game_is_over(few):
    over = few("w0:a5/b5/c5 w0:d5/e5/f5 w0:g5/h5/i5 w0:j6/k7/l8 w0:n10/m9/o11 w0:p12/q12/q13", "black")
    assert answer(over, "a2", "en") == "The game is over."

"""What players of YINSH write, and what is answered when it is no move."""

import pytest

from games.kit.words import speech
from games.protocol import LANGUAGES, IllegalMove, Notation, UnreadableMove
from games.yinsh import GAME
from games.yinsh.rules import Rules, start

ENGLISH, ITALIAN = (Notation(language) for language in LANGUAGES)
RINGS = "W:e3,f2,g11,h11,k7 B:e9,f9,g9,h9,i9"


@pytest.fixture
def position(few):
    return few(f"{RINGS} w:a3,b3,c3,d3 b:k10")


@pytest.fixture
def stands(few):
    return few(f"{RINGS} w:c4,c5,c6,c7,c8")


@pytest.mark.parametrize("text", ["e5", "E5", " e5. "])
def test_a_ring_is_placed(text):
    assert str(GAME.read(start(Rules()), text, ITALIAN)) == "e5"


@pytest.mark.parametrize("text", ["e3-e2", "E3 - E2", "e3e2", "e3 e2", "e3>e2", "e3–e2"])
def test_a_ring_is_moved(few, text):
    for notation in (ENGLISH, ITALIAN):
        assert str(GAME.read(few(RINGS), text, notation)) == "e3-e2"


@pytest.mark.parametrize(
    "text",
    ["e3-e4;xa3-e3;xe4", "e3-e4; xa3-e3; xe4", "e3e4 x e3-a3 x e4", "e3-e4,xe4,xa3e3", "e3-e4;xe4"],
)
def test_a_row_is_taken_off_after_the_move(position, text):
    move = GAME.read(position, text, ENGLISH)
    assert GAME.write(position, move, ITALIAN) == str(move) == "e3-e4;xa3-e3;xe4"


@pytest.mark.parametrize("text", ["xc4-c8;xf2;e3-e4", "XC8-C4; XF2; E3-E4", "xc4c8 xf2 e3e4", "xf2;e3-e4"])
def test_a_row_is_taken_off_before_the_move(stands, text):
    move = GAME.read(stands, text, ENGLISH)
    assert GAME.write(stands, move, ITALIAN) == str(move) == "xc4-c8;xf2;e3-e4"


@pytest.mark.parametrize("text", ["", "e3 e4 e5", "xe", "e33", "m4", "x;e3-e4", "e3-e4 x", "e3-e4 " * 40])
def test_talk_is_no_move(position, text):
    with pytest.raises(UnreadableMove):
        GAME.read(position, text, ENGLISH)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        (
            "en",
            "e3-e4;xa3-e3",
            "With the row one of your rings leaves the board. Which ring? e4, f2, g11, h11 and k7.",
        ),
        ("it", "e3-e4;xa3-e3", "Con la fila esce un tuo anello. Quale anello? e4, f2, g11, h11 e k7."),
        (
            "en",
            "e3-e4",
            "This makes a row, which must be taken off with a ring. Which row? a3-e3."
            " Write it after the move, such as g7-g6;xc7-g7;xd5.",
        ),
        ("it", "e3-l4", "Su questo tavoliere il punto l4 non esiste."),
        ("en", "e9-e8", "The ring on e9 is your opponent's."),
    ],
)
def test_an_illegal_or_incomplete_move_is_explained(position, language, text, said):
    notation = Notation(language)
    with pytest.raises(IllegalMove) as refused:
        GAME.read(position, text, notation)
    assert speech(GAME, position.rules, notation).remark("objections", refused.value.objection) == said


def test_a_row_that_stands_is_asked_for_first(stands):
    with pytest.raises(IllegalMove) as refused:
        GAME.read(stands, "e3-e4", ITALIAN)
    said = speech(GAME, stands.rules, ITALIAN).remark("objections", refused.value.objection)
    assert said.startswith("C'è una tua fila: va rimossa prima di muovere, con un anello. Quale fila? c4-c8.")

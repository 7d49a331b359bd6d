"""What players of LYNGK write, and what is answered when it is no move."""

import pytest

from games.kit.words import speech
from games.lyngk import GAME
from games.lyngk.rules import Rules
from games.protocol import LANGUAGES, IllegalMove, Notation, UnreadableMove

ENGLISH, ITALIAN = (Notation(language) for language in LANGUAGES)


@pytest.fixture
def position(few):
    return few("c1:R c2:KI c5:B c7:I d5:J f5:G", second="G0")


@pytest.mark.parametrize("text", ["c2-c1", "C2-C1", "c2c1", "c2 c1", "c2 → c1", "c 2 - c 1.", "c2>c1"])
def test_a_move(position, text):
    for notation in (ENGLISH, ITALIAN):
        assert str(GAME.read(position, text, notation)) == "c2-c1"


@pytest.mark.parametrize(
    ("language", "text"),
    [
        *(("en", text) for text in ("K,c1-c2", "k c1-c2", "Kc1c2", "black, c1-c2", "I claim black, c1-c2")),
        *(
            ("it", text)
            for text in ("N,c1-c2", "n: c1-c2", "nero c1-c2", "rivendico il nero, c1 c2", "black c1-c2")
        ),
    ],
)
def test_a_claim(few, language, text):
    position = few("c1:K c2:RI")
    move = GAME.read(position, text, Notation(language))
    assert str(move) == "K,c1-c2"
    assert [GAME.write(position, move, notation) for notation in (ENGLISH, ITALIAN)] == ["K,c1-c2", "N,c1-c2"]


def test_a_way_over_turning_points_may_be_written_whole(few):
    position = few("c1:R c4:BR f5:GK", "R0")
    assert str(GAME.read(position, "c1-c4-f5", ENGLISH)) == "c1-f5"


@pytest.mark.parametrize(
    "text", ["", "I", "a", "k,", "c1,c2xc3", "joker c1-c2", "what about c1", "c1-c2 " * 20]
)
def test_talk_is_no_move(position, text):
    with pytest.raises(UnreadableMove):
        GAME.read(position, text, ENGLISH)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "c2", "Where to? That stack can go to c5 and c1."),
        ("it", "rosso, c1", "E dove va? Quella pila può andare in c2."),
        ("it", "rosso", "E quale pila muove? Scrivi tutto insieme: il colore, poi una mossa come c1-c2."),
        ("en", "green", "Your opponent has claimed that colour."),
        ("en", "I claim green, c1-c2", "Your opponent has claimed that colour."),
        ("en", "f5-c4", "The stack on f5 has your opponent's colour on top."),
        ("en", "c1-c2", "The stack on c1 has nobody's colour on top: 1 high, it cannot go onto one 2 high."),
        ("en", "d5", "A joker is on top on d5: nobody may move that stack."),
        ("en", "c2-c7", "Both stacks have an ivory piece, and a stack may hold no colour twice."),
        ("en", "c1-c5", "From c1 to c5 another stack is in the way, on c2."),
        ("it", "c1-j9", "Su questo tavoliere il punto j9 non esiste."),
    ],
)  # fmt: skip
def test_an_illegal_move_is_explained(position, language, text, said):
    notation = Notation(language)
    with pytest.raises(IllegalMove) as refused:
        GAME.read(position, text, notation)
    assert speech(GAME, Rules(), notation).remark("objections", refused.value.objection) == said


def test_a_claim_alone_comes_too_late(few):
    with pytest.raises(IllegalMove) as refused:
        GAME.read(few("c1:J"), "red", ENGLISH)
    assert refused.value.objection.code == "finished"

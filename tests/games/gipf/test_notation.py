"""What players of GIPF write, and what is answered when it is no move."""

import pytest

from games.gipf import GAME
from games.gipf.rules import Rules, start
from games.kit.words import speech
from games.protocol import LANGUAGES, IllegalMove, Notation, UnreadableMove

ENGLISH, ITALIAN = (Notation(language) for language in LANGUAGES)
FAR = "W:h5 B:h2"


@pytest.fixture
def position(few):
    return few(f"w:f2,e3,d3 b:b3 {FAR}")


@pytest.fixture
def stands(few):
    return few(f"w:e3,e4,e5,e6 {FAR}")


@pytest.mark.parametrize("text", ["b5", "B5.", "b6-b5", "b6 b5", "b6b5", "nb5", "a5-b5"])
def test_an_empty_spot_is_enough(position, text):
    for notation in (ENGLISH, ITALIAN):
        assert str(GAME.read(position, text, notation)) == "b5"


@pytest.mark.parametrize("text", ["Ge2", "ge2", "G e2", "Ge1-e2", "ge1e2"])
def test_a_gipf_piece_has_a_capital(text):
    assert str(GAME.read(start(Rules()), text, ITALIAN)) == "Ge2"


@pytest.mark.parametrize(
    "text",
    ["g1-c3;xb3,c3,d3,e3,f2", "G1-C3; X f2 e3 d3 c3 b3", "g1c3;xf2", "g1-c3;x", "g1-c3", "g1-c3 xb3,c3*"],
)
def test_what_goes_may_be_left_out_where_there_is_one_way(position, text):
    move = GAME.read(position, text, ENGLISH)
    assert GAME.write(position, move, ITALIAN) == str(move) == "g1-c3;xb3,c3,d3,e3,f2"


@pytest.mark.parametrize("text", ["xe3,e4,e5,e6;b5", "x e3 e4 e5 e6 b6-b5", "xe3;b5", "b5"])
def test_what_goes_before(stands, text):
    assert str(GAME.read(stands, text, ENGLISH)) == "xe3,e4,e5,e6;b5"


@pytest.mark.parametrize("text", ["", "pass", "e2 e3 e4", "xe", "k4", "x;e3-e4", "g1-c3 " * 40, "e2!?"])
def test_talk_is_no_move(position, text):
    with pytest.raises(UnreadableMove):
        GAME.read(position, text, ENGLISH)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "g1-d3", "That is no way in. Which way? g2 and g1-c3."),
        ("it", "g1-d3", "Di lì non si entra così. Da dove a dove? g2 e g1-c3."),
        (
            "en",
            "g1-c3;xb3,c3,d3,e4",
            "Of what you take off, this stays on the board: e4.",
        ),
        ("it", "j5", "Su questo tavoliere il punto j5 non esiste."),
    ],
)
def test_an_illegal_move_is_explained(position, language, text, said):
    notation = Notation(language)
    with pytest.raises(IllegalMove) as refused:
        GAME.read(position, text, notation)
    assert speech(GAME, position.rules, notation).remark("objections", refused.value.objection) == said


def test_which_spots_are_emptied_is_asked(few):
    position = few("w:f2,e3 W:d3,h5 B:h2")
    with pytest.raises(IllegalMove) as refused:
        GAME.read(position, "g1-c3", ENGLISH)
    said = speech(GAME, position.rules, ENGLISH).remark("objections", refused.value.objection)
    assert said.startswith(
        "This makes a row of yours, which is taken off. Which spots are emptied? xc3,d3,e3,f2 and xd3,e3,f2."
    )

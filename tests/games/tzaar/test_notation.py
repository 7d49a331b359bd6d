"""What players of TZAAR write, and what is answered when it is no move."""

import pytest

from games.kit.words import speech
from games.protocol import LANGUAGES, IllegalMove, Notation, UnreadableMove
from games.tzaar import GAME
from games.tzaar.rules import Rules, start

ENGLISH, ITALIAN = (Notation(language) for language in LANGUAGES)


@pytest.fixture
def position(amid):
    return amid("d4:T d7:t c4:A c7:a c2:Z")


@pytest.mark.parametrize(
    "text", ["d4xd7", "D4-D7", "d4d7", "d4 d7", "d4×d7", "d4>d7", "d4xd7, pass", "d4xd7,-", "d4xd7 passo"]
)
def test_a_capture_alone(position, text):
    for notation in (ENGLISH, ITALIAN):
        assert str(GAME.read(position, text, notation)) == "d4xd7"


@pytest.mark.parametrize(
    "text", ["d4xd7,c4+c2", "d4xd7, c4 + c2", "d4d7 c4c2", "d4-d7,c4-c2", "D4 D7; C4 C2"]
)
def test_a_capture_and_a_stacking(position, text):
    move = GAME.read(position, text, ENGLISH)
    assert GAME.write(position, move, ITALIAN) == str(move) == "d4xd7,c4+c2"


@pytest.mark.parametrize("text", ["d4xd7,c4xc7", "d4-d7 c4-c7", "d4d7,c4c7"])
def test_two_captures(position, text):
    assert str(GAME.read(position, text, ENGLISH)) == "d4xd7,c4xc7"


@pytest.mark.parametrize("text", ["Zc4", "zc4", "Z c4", "z:c4"])
def test_a_piece_is_placed(text):
    assert str(GAME.read(start(Rules("free")), text, ITALIAN)) == "Zc4"


@pytest.mark.parametrize("text", ["", "pass", "d4", "d4xd7,c4", "z3d4", "d4xd7xd8", "qc4", "d4d7 " * 20])
def test_talk_is_no_move(position, text):
    with pytest.raises(UnreadableMove):
        GAME.read(position, text, ENGLISH)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "c4-c2", "Each turn begins with a capture, and the stack on c2 is your own."),
        ("it", "c4-c2", "Ogni turno comincia con una cattura, e la pila in c2 è tua."),
        ("en", "d4xd7,c4+c7", "The stack on c7 is your opponent's: that is a capture, written with an x."),
        ("it", "d4xc7", "Nessuna linea porta da d4 a c7; il foro al centro le interrompe."),
        ("en", "d4xj9", "There is no point j9 on this board."),
    ],
)
def test_an_illegal_move_is_explained(position, language, text, said):
    notation = Notation(language)
    with pytest.raises(IllegalMove) as refused:
        GAME.read(position, text, notation)
    assert speech(GAME, position.rules, notation).remark("objections", refused.value.objection) == said

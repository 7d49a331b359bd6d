"""What players of TAMSK write, and what is answered when it is no move."""

import pytest

from games.kit.words import speech
from games.protocol import LANGUAGES, AmbiguousMove, IllegalMove, Notation, UnreadableMove
from games.tamsk import GAME
from games.tamsk.board import PASS
from games.tamsk.rules import Rules, start

ENGLISH, ITALIAN = (Notation(language) for language in LANGUAGES)


@pytest.mark.parametrize(
    "text", ["a1-b2", "A1-B2", "a1b2", "a1 b2", "a1 → b2", "a 1 - b 2", "a1>b2.", "b2", "B2!"]
)
def test_a_move(text):
    for notation in (ENGLISH, ITALIAN):
        move = GAME.read(start(Rules()), text, notation)
        assert GAME.write(start(Rules()), move, notation) == str(move) == "a1-b2"


@pytest.mark.parametrize("text", ["pass", "Passo", "passa.", "--"])
def test_a_pass(at_the_end, text):
    assert GAME.read(at_the_end("a1=r0 d4=b1 d5=1"), text, ITALIAN) == PASS


@pytest.mark.parametrize("text", ["", "a", "a1-b2-c3", "a1xb2", "i3-i4", "a1-b2 " * 9, "task"])
def test_talk_is_no_move(text):
    with pytest.raises(UnreadableMove):
        GAME.read(start(Rules()), text, ENGLISH)


def test_two_glasses_can_go_there(at_the_end):
    with pytest.raises(AmbiguousMove) as asked:
        GAME.read(at_the_end("a1=r0 a3=r0 a2=1 d4=b0"), "a2", ENGLISH)
    assert asked.value.readings == ("a1-a2", "a3-a2")


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "a1", "Where to? That glass can go to a2, b1 and b2."),
        ("it", "d7", "E dove va? Quella clessidra può andare in c6, d6 ed e6."),
        ("en", "d4", "None of your glasses can go to d4."),
        ("it", "h1", "Nessuna tua clessidra può andare in h1."),
        ("en", "a1-a3", "a3 is not beside a1: a glass moves one space."),
        ("it", "a4-a3", "La clessidra in a4 è dell'avversario."),
        (
            "en",
            "pass",
            "You may pass only when none of your glasses can move. These can: a1, d7 and g1.",
        ),
    ],
)
def test_an_illegal_move_is_explained(language, text, said):
    notation = Notation(language)
    with pytest.raises(IllegalMove) as refused:
        GAME.read(start(Rules()), text, notation)
    assert speech(GAME, Rules(), notation).remark("objections", refused.value.objection) == said


def test_a_space_alone_comes_too_late(at_the_end):
    with pytest.raises(IllegalMove) as refused:
        GAME.read(at_the_end("a1=r0 d4=b0"), "d4", ENGLISH)
    assert refused.value.objection.code == "finished"

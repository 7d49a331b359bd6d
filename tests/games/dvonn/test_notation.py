"""What players of DVONN write, and what is answered when it is no move."""

import pytest

from games.dvonn import GAME
from games.dvonn.board import PASS
from games.dvonn.rules import Rules, start
from games.kit.words import speech
from games.protocol import LANGUAGES, IllegalMove, Notation, UnreadableMove

ENGLISH, ITALIAN = (Notation(language) for language in LANGUAGES)


@pytest.mark.parametrize("text", ["f3", "F3", "f 3", " f3. ", "f3!"])
def test_a_point_places_a_piece(text):
    for notation in (ENGLISH, ITALIAN):
        assert str(GAME.read(start(Rules()), text, notation)) == "f3"


@pytest.mark.parametrize(
    "text", ["c3-e3", "c3e3", "C3 E3", "c3 - e3", "c3–e3", "c3>e3", "c3->e3", "c3→e3", "c3xe3"]
)
def test_two_points_move_a_stack(few, text):
    position = few("c3:bw d3:b e3:r b3:r a3:rb")
    move = GAME.read(position, text, ENGLISH)
    assert GAME.write(position, move, ITALIAN) == str(move) == "c3-e3"


@pytest.mark.parametrize("text", ["pass", "Pass.", "PASSO"])
def test_a_pass_may_be_written(few, text):
    assert GAME.read(few("c3:rrrw d3:b"), text, ITALIAN) == PASS


@pytest.mark.parametrize("text", ["", "c3-e3-g3", "z3", "c33", "cc", "c3 - e3 now", "3c-3e", "f3" * 40])
def test_talk_is_no_move(few, text):
    with pytest.raises(UnreadableMove):
        GAME.read(few("c3:bw d3:b e3:r b3:r a3:rb"), text, ENGLISH)


@pytest.mark.parametrize("text", ["", "f9", "pass-", "f3-", "passo", "l3", "f3g4"])
def test_what_is_not_canonical_is_refused(text):
    with pytest.raises(ValueError, match="canonical"):
        GAME.move(text)


@pytest.mark.parametrize(
    ("language", "text", "said"),
    [
        ("en", "c3-d3", "The stack on c3 is 2 high and moves exactly that far; d3 is 1 away."),
        ("it", "c3-d3", "La pila in c3 è alta 2 e muove esattamente di tanti punti: fino a d3 sono 1."),
        ("en", "b3-c3", "The red piece on b3 is alone, and nobody can move it."),
        ("it", "d3-c3", "La pila in d3 è dell'avversario: conta il pezzo in cima."),
        ("en", "c3-l3", "There is no point l3 on this board."),
    ],
)
def test_an_illegal_move_is_explained(few, language, text, said):
    position, notation = few("c3:bw d3:b e3:rrb b3:r"), Notation(language)
    with pytest.raises(IllegalMove) as refused:
        GAME.read(position, text, notation)
    assert speech(GAME, position.rules, notation).remark("objections", refused.value.objection) == said

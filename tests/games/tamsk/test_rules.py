"""Each rule of TAMSK as a small picture and a move."""

from collections import Counter

import pytest

from games.protocol import Outcome, Side
from games.tamsk import GAME
from games.tamsk.board import BESIDE, CAPACITY, PASS
from games.tamsk.rules import Rules, start

FULL = "0000/00000/000000/0000000/000000/00000/0000"


def objection(position, text):
    return str(position.objection(GAME.move(text)))


# The board and the start


def test_37_spaces_take_64_rings():
    assert Counter(CAPACITY.values()) == {1: 18, 2: 12, 3: 6, 4: 1}
    assert sum(CAPACITY.values()) == 64
    assert (CAPACITY["a1"], CAPACITY["b2"], CAPACITY["c3"], CAPACITY["d4"]) == (1, 2, 3, 4)


def test_numbers_begin_at_the_end_of_each_line():
    assert set(BESIDE["d4"]) == {"c3", "c4", "d3", "d5", "e3", "e4"}
    assert set(BESIDE["g1"]) == {"f1", "f2", "g2"}
    assert set(BESIDE["a1"]) == {"a2", "b1", "b2"}


def test_glasses_begin_on_the_corners_and_red_moves_first():
    position = start(Rules())
    assert position.glasses == (("a1", "d7", "g1"), ("a4", "d1", "g4"))
    assert (position.rings, position.to_move, sum(position.free)) == ((32, 32), Side.FIRST, 64)
    with pytest.raises(ValueError, match="set-up"):
        start(Rules(), "a1")


# A turn; K1: a ring is always dropped


def test_a_move_leaves_a_ring_of_the_mover(played):
    after = played(start(Rules()), "a1-b2")
    assert after.glasses[Side.FIRST] == ("b2", "d7", "g1")
    assert (after.takes("a1"), after.takes("b2"), after.rings) == (1, 1, (31, 32))
    assert after.to_move == Side.SECOND


def test_a_full_space_may_be_left_but_not_entered(played):
    position = played(start(Rules()), "a1-a2 d1-c1 a2-b2 c1-d1")
    assert position.takes("a2") == 0
    assert objection(position, "b2-a2") == "full a2"
    assert objection(played(position, "b2-b1 a4-b5"), "b1-a1") == "None"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("a1-c3", "not_beside a1 c3"),
        ("b2-b3", "no_glass b2"),
        ("a4-b5", "not_yours a4"),
        ("a1-a1", "not_beside a1 a1"),
        ("a1-b6", "no_space b6"),
        ("a7-a1", "no_space a7"),
        ("pass", "no_pass a1 d7 g1"),
    ],
)
def test_what_is_no_move(text, code):
    assert objection(start(Rules()), text) == code


def test_two_glasses_never_share_a_space(at_the_end):
    assert objection(at_the_end("a1=r0 a2=b1 b1=1"), "a1-a2") == "occupied a2"


# K2: passing, and the end


def test_a_side_that_cannot_move_passes_and_the_other_goes_on(at_the_end, played):
    position = at_the_end("a1=r0 d4=b2 d5=2", "5,5")
    assert list(position.moves()) == [PASS]
    assert position.count() == 1
    assert objection(position, "a1-a2") == "full a2"
    after = played(position, "pass d4-d5 pass d5-d4")
    assert (after.rings, after.outcome()) == ((5, 3), None)


@pytest.mark.parametrize(("rings", "winner"), [("3,5", Side.FIRST), ("5,3", Side.SECOND)])
def test_when_neither_can_move_fewer_rings_win(at_the_end, rings, winner):
    position = at_the_end("a1=r0 d4=b2", rings)
    assert position.outcome() == Outcome(winner, "fewer_rings")
    assert list(position.moves()) == []
    assert objection(position, "pass") == "finished"


# K3: the last ring


def test_the_last_ring_wins_at_once(at_the_end, played):
    position = at_the_end("a1=r0 a2=1 d4=b0 d5=2", "1,1")
    assert played(position, "a1-a2").outcome() == Outcome(Side.FIRST, "last_ring")


# K4: as many rings


@pytest.mark.parametrize(("to_move", "winner"), [("red", Side.SECOND), ("black", Side.FIRST)])
def test_with_as_many_rings_who_moved_last_wins(at_the_end, to_move, winner):
    assert at_the_end("a1=r0 d4=b0", "4,4", to_move).outcome() == Outcome(winner, "last_move")


# The text of a position


@pytest.mark.parametrize(
    "text",
    [
        FULL,
        f"{FULL} 9,9",
        f"{FULL} 33,9 red",
        f"2{FULL[1:]} 9,9 red",
        f"rb{FULL} 9,9 red",
        f"r0r0r0r0{FULL[4:]} 9,9 red",
        f"{FULL.replace('/', '')} 9,9 red",
        f"{FULL} 09,9 red",
    ],
)
def test_what_is_no_position_is_refused(text):
    with pytest.raises(ValueError, match=r"TAMSK|more"):
        GAME.position(Rules(), text)

"""Groups of rings that leave the board with their marbles, in both readings of the rule."""

import pytest

from games.protocol import Side
from games.zertz import GAME
from games.zertz.variants import Rules

ANY = Rules(islands="any")


def play(position, text):
    """The position after, and the rings that left as islands."""
    move = GAME.move(text)
    assert position.objection(move) is None
    after = position.play(move)
    gone = position.rules.board.names(position.rings & ~after.rings)
    return after, {name for name in gone if not text.endswith(f",{name}")}


def test_a_group_cut_off_with_an_empty_ring_stays(board):
    position = board("""
            W . - -
           . - - . .
          . - . . . .
         - - . . . . .
          - . . . . .
           . . . . .
            . . . .
    """)
    after, left = play(position, "Gd4,c1")
    assert left == set()
    assert after.captives == ((0, 0, 0), (0, 0, 0))
    after, left = play(after, "Bb1,a2")  # fills one of the two empty rings, removes the other
    assert left == {"a1", "b1"}
    assert after.captives == ((0, 0, 0), (1, 0, 1))


def test_filling_the_last_empty_ring_takes_the_island(board):
    position = board("""
            W . - -
           - - - . .
          - - . . . .
         . . . . . . .
          . . . . . .
           . . . . .
            . . . .
    """)
    after, left = play(position, "Ga2,g7")
    assert left == {"a1", "a2"}
    assert after.captives[Side.FIRST] == (1, 1, 0)
    assert position.taken(GAME.move("Ga2,g7")) == (("a1", 0), ("a2", 1))


def test_removing_the_last_empty_ring_takes_the_island(board):
    position = board("""
            W . - -
           - - - . .
          - - . . . .
         . . . . . . .
          . . . . . .
           . . . . .
            . . . .
    """)
    after, left = play(position, "Gd4,a2")
    assert left == {"a1"}
    assert after.captives[Side.FIRST] == (1, 0, 0)


def test_the_split_itself_takes_a_full_group(board):
    position = board("""
            . - - -
           B - . . .
          - - . . . .
         - . . . . . .
          . . . . . .
           . . . . .
            . . . .
    """)
    after, left = play(position, "Gd4,a1")
    assert left == {"b1"}
    assert after.captives[Side.FIRST] == (0, 0, 1)


def row_d(rings):
    """A board of which only that row is left, its rings from d1 to d7."""
    empty_rows = ["- - - -", "- - - - -", "- - - - - -", "- - - - - -", "- - - - -", "- - - -"]
    return "\n".join((*empty_rows[:3], rings, *empty_rows[3:]))


@pytest.mark.parametrize("rules", [Rules(), ANY])
def test_no_group_is_the_main_one(board, rules):
    """The larger part is full, so it goes; the smaller one has an empty ring and stays."""
    after, left = play(board(row_d(". . . W . W -"), rules=rules), "Bd5,d3")
    assert left == {"d4", "d5", "d6"}
    assert after.captives[Side.FIRST] == (2, 0, 1)
    assert after.outcome() is None


def test_jumps_take_no_islands(board):
    position = board("""
            W - - -
           - - - . .
          - - . . . .
         . . . . . . .
          . . W B . .
           . . . . .
            . . . .
    """)
    after, left = play(position, "e4xe6")
    assert left == set()
    assert after.captives[Side.FIRST] == (0, 0, 1)


TWO_RINGS = """
            . . - -
           . - - . .
          . - . . . .
         - . . . . . .
          . . . . . .
           . . . . .
            . . . .
"""


@pytest.mark.parametrize(("rules", "left"), [(Rules(), set()), (ANY, {"a1", "a2", "b1"})])
def test_fogliaccio_6_sends_off_even_empty_rings_that_are_cut_off(board, rules, left):
    position = board(TWO_RINGS, rules=rules)
    after, gone = play(position, "Wd4,c1")
    assert gone == left
    assert after.captives == ((0, 0, 0), (0, 0, 0))


def test_fogliaccio_6_takes_marbles_among_empty_rings(board):
    position = board(TWO_RINGS.replace(". . - -", "G . - -", 1), rules=ANY)
    after, gone = play(position, "Wb1,c1")
    assert gone == {"a1", "a2", "b1"}
    assert after.captives[Side.FIRST] == (1, 1, 0)


def test_of_two_groups_the_smaller_is_cut_off(board):
    after, left = play(board(row_d("G . . . . . -"), rules=ANY), "Wd6,d3")
    assert left == {"d1", "d2"}
    assert after.captives[Side.FIRST] == (0, 1, 0)


def test_of_equal_groups_neither_is_cut_off(board):
    after, left = play(board(row_d("G . . . . - -"), rules=ANY), "Wd5,d3")
    assert left == set()
    assert after.captives[Side.FIRST] == (0, 0, 0)

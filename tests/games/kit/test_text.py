"""Boards as a player sees them in a letter without pictures."""

from dataclasses import replace
from textwrap import dedent

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.kit.scene import Mark, Piece
from games.kit.text import board
from tests.examples import examples

WHITE, BLACK = Piece("white", "light"), Piece("black", "dark")


def picture(text):
    return dedent(text).strip("\n")


def test_a_jump_on_rings(english, jump):
    assert board(jump, english) == picture("""
      a1  .   .   .   .  a4
                                               W   G   B
    b1 ( ) ( ) ( ) ( ) ( ) b5          Pool    3   7  10
                                       Alice   0   0   1
  c1  .  ( ) ( ) ( ) ( ) ( ) c6      > Bruno   0   0   0

d1 ( ) (B) ( ) (W) ( ) (B) ( ) d7    To win: 3 of each, or 4 white, 5
                                     grey or 6 black.
  e2 ( ) [W] ( ) ( ) ( ) ( ) e7
                                     [ ] last move
    f3 ( ) (*) ( ) ( ) ( ) f7         *  captured

      g4 ( ) [ ] ( ) ( ) g7""")


def test_a_placement_in_italian(italian, placement):
    assert board(placement, italian) == picture("""
      a1  .   .  ( ) ( ) a4
                                                 B   G   N
    b1 ( ) ( ) ( ) ( ) ( ) b5          Riserva   3   7  10
                                       Alice     0   0   1
  c1  #  ( ) ( ) ( ) ( ) ( ) c6      > Bruno     0   0   0

d1 ( ) (N) ( ) (B) ( ) ( ) ( ) d7    Per vincere: 3 per colore, o 4
                                     bianche, 5 grigie o 6 nere.
  e2 ( ) ( ) ( ) (B) ( ) ( ) e7
                                     [ ] ultima mossa
    f3 ( ) ( ) ( ) [G] ( ) f7         #  rimozione

      g4 ( ) ( ) ( ) ( ) g7""")


def test_a_hint_has_a_sign_of_its_own(english, jump, men):
    hinted = replace(jump, marks=(Mark("hint", "d4"), Mark("hint", "g4")), arrows=())
    text = board(hinted, english)
    assert ("<W>" in text, "< >" in text, "< > hint" in text) == (True, True, True)
    assert "last move" not in text
    cell = next(iter(men.pieces))
    assert "<W>" in (text := board(replace(men, marks=(Mark("hint", cell),)), english)) or "<B>" in text


def test_men_on_squares_of_which_two_have_vanished(english, men):
    assert board(men, english) == picture("""
  +---+---+---+---+
5 |   | B | B | B |///
  +---+---+---+---+---+
4 | W |   |   |   | W |
  +---+---+---+---+---+      B Alice
3 | W |[B]|///|   | W |    > W Bruno
  +---+---+---+---+---+
2 | W |   |   |   | W |    [ ] last move
  +---+---+---+---+---+
1 |   |[ ]| B | B |   |
  +---+---+---+---+---+
    a   b   c   d   e""")


def test_stacks_from_the_top_down(english, men):
    stacks = {"a1": (WHITE,) * 3 + (BLACK,) * 2, "c2": (BLACK,), "d4": (WHITE, BLACK)}
    quiet = replace(men, pieces=stacks, marks=(), arrows=(), men=None)
    assert board(quiet, english) == picture("""
  +------+------+------+------+
5 |      |      |      |      |//////
  +------+------+------+------+------+
4 |      |      |      |  BW  |      |
  +------+------+------+------+------+
3 |      |      |//////|      |      |
  +------+------+------+------+------+
2 |      |      |  B   |      |      |
  +------+------+------+------+------+
1 | B2W3 |      |      |      |      |
  +------+------+------+------+------+
     a      b      c      d      e""")


def test_where_one_can_go(english, men):
    targets = replace(men, marks=(Mark("target", "c2"), Mark("target", "d2")), arrows=())
    text = board(targets, english)
    assert "2 | W |   | + | + | W |" in text
    assert " +  reachable" in text
    assert "last move" not in text


def test_men_that_changed_sides_stand_in_parentheses(english, men):
    text = board(replace(men, marks=(Mark("to", "b3"), Mark("turned", "b5"))), english)
    assert "5 |   |(B)| B | B |" in text
    assert "( ) turned over" in text
    assert "( )" not in board(men, english)


def test_what_is_printed_on_squares_stays_in_sight(english, printed):
    """Between brackets, and without the ruled lines that would pass for printed ones."""
    assert board(printed, english) == picture("""
3    /   B|   W\\*      W Alice
                     > B Bruno
2  ( x) [W-] ( +)
                     [ ] last move
1   W|*   /    -       * captured
                     ( ) reachable
    a    b    c""")


def test_what_is_printed_on_rings(english, bare):
    cells = tuple(replace(cell, lines="/") for cell in bare.cells)
    text = board(replace(bare, cells=cells, marks=(Mark("target", "g7"),)), english)
    assert "g4 ( /)  ( /)  ( /)  (+/) g7" in text
    assert "d1 ( /)  (B/)  ( /)" in text
    assert " +  reachable" in text


def test_a_long_name_is_cut_and_a_strange_one_stays_on_its_line(english, jump):
    longwinded = replace(english, players=("Alice\nthe\tGreat", "Bruno" * 20))
    text = board(jump, longwinded)
    assert "  Alice the Great" in text
    assert "> BrunoBrunoBrunoBru...   0   0   0" in text
    assert len(text.splitlines()) == len(board(jump, english).splitlines())


@examples(150)
@given(data=st.data(), names=st.tuples(st.text(max_size=60), st.text(max_size=60)))
def test_every_board_fits_a_letter(scenes, english, data, names):
    lines = board(data.draw(scenes), replace(english, players=names)).split("\n")
    assert max(map(len, lines)) <= 72
    assert not [line for line in lines if line != line.rstrip()]


@pytest.mark.parametrize("language", ["english", "italian"])
def test_a_board_needs_no_character_beyond_ascii(request, language, jump, men, placement):
    speech = request.getfixturevalue(language)
    assert all(board(scene, speech).isascii() for scene in (jump, men, placement))


def test_a_row_has_room_for_the_next_where_squares_meet_at_their_corners(english, draughts):
    assert board(draughts, english) == picture("""
5    B2      .       .

4        .     [W2B]
                          > W Alice   5 in hand
3    .     [   ]     .      B Bruno  12 in hand

2        .       B        [ ] last move

1    .       .       .

     a   b   c   d   e""")

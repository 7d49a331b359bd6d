"""Games written one move per line are read as a referee reads them."""

from dataclasses import replace

import pytest

from games.protocol import Notation
from games.record import Replay, written_games
from games.registry import find

# Black's men are walled in and White frees one of them by leaving g8.
#
#   8  . . . . . . x o
#   7  . . . . . . x x
#   2  x x . . . . . .
#   1  o x . . . . . .
WALLED_IN = "6xo/6xx/8/8/8/8/xx6/ox6 o"


@pytest.fixture
def walled_in():
    """Lines of Action that begins where Black must pass."""
    game, rules = find("loa")
    begun = replace(game, start=lambda rules, setup: game.position(rules, WALLED_IN))
    return Replay(begun, rules, Notation())


def rows(replay, *lines):
    return ["\t".join(map(str, row)) for row in replay.rows(list(lines))]


def test_games_are_parted_by_blank_lines_however_many():
    text = "\n\nb1-b3\n a3  - c3 \n \n\t\nd1-d3\n\n"
    assert list(written_games(text.splitlines())) == [["b1-b3", "a3 - c3"], ["d1-d3"]]


def test_nothing_written_is_no_game():
    assert list(written_games(["", " "])) == []


def test_a_forced_pass_may_be_written(walled_in):
    assert rows(walled_in, "pass", "g8-e8") == [
        "0\tpass",
        "1\tg8-e8",
        "result\t*\t-",
        "position\t4x2o/6xx/8/8/8/8/xx6/ox6 o",
    ]


def test_a_forced_pass_is_played_where_the_line_leaves_it_out(walled_in):
    assert rows(walled_in, "g8-e8") == rows(walled_in, "pass", "g8-e8")


def test_a_forced_pass_is_not_played_after_the_last_line(walled_in):
    game = walled_in.game
    before = replace(game, start=lambda rules, setup: game.position(rules, "6xo/6x1/8/7x/8/8/xx6/ox6 x"))
    assert rows(replace(walled_in, game=before), "h5-h7")[-1] == f"position\t{WALLED_IN}"


def test_a_pass_counts_as_the_only_move(walled_in):
    counts = rows(replace(walled_in, counts=True), "g8-e8")
    assert counts[0] == "0\t1\tpass"
    assert counts[1].split("\t")[1] == str(
        walled_in.game.position(walled_in.rules, WALLED_IN[:-1] + "x").count()
    )


def test_after_the_pass_what_is_wrong_is_still_wrong(walled_in):
    assert rows(walled_in, "cheese")[:2] == [
        "0\tpass",
        "illegal\t1\tcheese\t'cheese' is not a move in this notation",
    ]


def test_a_setup_is_the_board_that_is_spoken_of():
    """Row d of this board begins at 3 and counts from there."""
    replay = Replay(*find("zertz"), Notation(coordinates="gipf"))
    assert rows(replay, "setup a1-4 b1-5 c1-6 d3-6", "Wd1,a1", "Bd9,a2") == [
        "0\tWd3,a1",
        "illegal\t1\tBd9,a2\tThis board has no ring d9.",
        "result\t*\t-",
        "position\t-.../...../....../W... pool=5,8,10 first=0,0,0 second=0,0,0 move=second"
        " rings=a1-4,b1-5,c1-6,d3-6",
    ]

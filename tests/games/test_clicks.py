"""Clicks choose moves: what needs no click, what ends a turn, and rows that choose several moves."""

from dataclasses import replace

import pytest

from games.clicks import DONE, choose, clicks_of, path
from games.record import Course, Record
from games.registry import find


def after(name, moves, setup=""):
    """A game in which these moves were played."""
    course = Record(name, 1, setup=setup).course()
    for move in moves.split():
        course.play(course.game.move(move))
    return course


def turns(choice):
    return [str(step.move) for step in choice.steps]


@pytest.mark.parametrize(
    ("move", "clicks"),
    [
        ("Wd4,a1", "W d4 a1"),
        ("f4xd4xf6", "f4 d4 f6"),
        ("e7-e8=Q@d6", "e7 e8 Q d6"),
        ("xa1", "a1"),
        ("w9xx10", "w9 x10"),
        ("e1xe4,d3+d2", "e1 e4 d3 d2"),
        ("I,c1-c2", "I c1 c2"),
        ("Ge1-e4", "G e1 e4"),
        ("xc7-g7;xd5;b5-b2", "c7 g7 d5 b5 b2"),
        ("a5-h5/g4/g5", "a5 h5 g4 g5"),
        ("pass", "pass"),
        ("3", "3"),
    ],
)
def test_a_path_is_the_cells_and_letters_of_a_move(move, clicks):
    assert path(move) == tuple(clicks.split())


def test_each_click_tells_what_can_follow():
    men = {*["b1", "c1", "d1", "e1", "f1", "g1", "b8", "c8", "d8", "e8", "f8", "g8"]}
    begun = choose(after("loa", ""), ())
    assert (begun.steps, begun.path, {*begun.following}) == ((), (), men)
    from_b1 = choose(after("loa", ""), ["b1"])
    assert (from_b1.steps, from_b1.path, {*from_b1.following}) == ((), ("b1",), {"b3", "d3", "h1"})
    played = choose(after("loa", ""), ["b1", "b3"])
    assert (turns(played), played.path) == (["b1-b3"], ())


def test_what_has_one_continuation_needs_no_click_but_the_last_one_does():
    jump = after("zertz", "Wa4,g7 Wb4,g6")  # a4 over b4 is the only jump
    choice = choose(jump, ())
    assert (choice.path, choice.following) == (("a4",), ("c4",))
    assert clicks_of(jump.position, jump.game.move("a4xc4")) == ("c4",)
    assert turns(choose(jump, ["c4"])) == ["a4xc4"]


def test_a_turn_that_may_go_on_is_ended_by_a_click():
    tzaar = after("tzaar", "a5xa4")
    begun = choose(Course(tzaar.game, tzaar.position), ["a1"])  # and on to b1, where else
    assert begun.path == ("a1", "b1")
    assert {DONE, "a2"} < {*begun.following}
    assert turns(choose(Course(tzaar.game, tzaar.position), ["a1", DONE])) == ["a1xb1"]
    assert turns(choose(Course(tzaar.game, tzaar.position), ["a1", "a2", "a3"])) == ["a1xb1,a2+a3"]


def test_a_row_of_clicks_falls_apart_into_moves():
    choice = choose(after("loa", ""), ["b1", "b3", "a4", "c4", "c8"], ply=6)
    assert (turns(choice), choice.path) == (["b1-b3", "a4-c4"], ("c8",))
    assert [step.ply for step in choice.steps] == [6, 7]
    assert choice.steps[0].after == choice.steps[1].before


def test_forced_passes_are_played():
    line = ["e4", "e3", "e2", "e5", "c5", "e1", "f1", "b6", "f4"]
    assert turns(choose(after("othello:6", ""), line)) == [*line, "pass"]


def test_nothing_follows_the_end_of_a_game():
    loa = after("loa", "b1-b3")
    again = Course(loa.game, after("loa", "").position, [loa.position.key()] * 2)
    over = choose(again, ["b1", "b3"])
    assert (turns(over), over.path, over.following) == (["b1-b3"], (), ())
    with pytest.raises(ValueError, match="a4"):
        choose(again, ["a4"])


def test_a_click_that_leads_nowhere_is_refused():
    with pytest.raises(ValueError, match="'a1' is none of"):
        choose(after("loa", ""), ["b1", "a1"])


@pytest.mark.usefixtures("nim")
def test_moves_without_cells_are_words():
    heap = after("nim", "", setup="10")
    assert choose(heap, ()).following == ("1", "2", "3")
    assert turns(choose(heap, ["3", "1"])) == ["3", "1"]


def test_a_game_may_read_its_moves_its_own_way():
    loa, rules = find("loa")
    backwards = replace(loa, clicks=lambda text: path(text)[::-1])
    course = Course(backwards, loa.start(rules, ""))
    assert clicks_of(course.position, loa.move("b1-b3"), backwards.clicks) == ("b3", "b1")
    assert turns(choose(course, ["b3", "b1"])) == ["b1-b3"]

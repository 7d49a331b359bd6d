"""A conditional line is replayed on the rules before it is kept."""

from __future__ import annotations

import pytest

from games.protocol import AmbiguousMove, GameOver, IllegalMove, Notation, UnreadableMove
from games.registry import find
from pbem.matches.conditional import Branch, Impossible, check, tree
from pbem.matches.models.conditional_line import Line, replaces, says

ENGLISH, ITALIAN = Notation("en"), Notation("it")
LOA, _RULES = find("loa")
START = LOA.start(_RULES, "")


def line(*moves: str | None, ply: int = 1) -> Line:
    return Line(moves, len(moves), ENGLISH, ply)


def test_what_is_known_is_kept_in_its_canonical_form() -> None:
    read = check(LOA, START, ["B1 b3", "a2c2"], ITALIAN, ply=4)
    assert (read.moves, read.known, read.ply, read.end) == (("b1-b3", "a2-c2"), 2, 4, 6)


def test_behind_any_reply_it_stands_as_written() -> None:
    read = check(LOA, START, ["b1-b3", "a2-c2", None, "c2 A2"], ENGLISH, ply=0)
    assert (read.moves, read.known) == (("b1-b3", "a2-c2", None, "c2 A2"), 2)


@pytest.mark.parametrize(
    ("moves", "place", "why"),
    [
        (["b1-b4", "a2-c2"], 0, IllegalMove),
        (["b1-b3", "a2-b2"], 1, IllegalMove),
        (["b1-b3", "a2-c2", "b3-b9", "c2-a2"], 2, IllegalMove),
        (["b1-b3", "later"], 1, UnreadableMove),
        ([None, "later"], 1, UnreadableMove),
        ([None, "b1-b3"], 1, IllegalMove),
    ],
)
def test_the_first_move_that_cannot_be_played_is_named(
    moves: list[str | None], place: int, why: type[Exception]
) -> None:
    with pytest.raises(Impossible) as refused:
        check(LOA, START, moves, ENGLISH, ply=0)
    assert refused.value.place == place
    assert refused.value.text == moves[place]
    assert isinstance(refused.value.why, why)


def test_nothing_comes_after_the_end_of_the_game() -> None:
    there, back = ["b1-b3", "a2-c2"], ["b3-b1", "c2-a2"]
    with pytest.raises(Impossible) as refused:
        check(LOA, START, [*there, *back, *there, *back, *there], ENGLISH, ply=0)
    assert (refused.value.place, type(refused.value.why)) == (8, GameOver)


def test_repetition_counts_what_was_played_before() -> None:
    keys = [START.key()]
    with pytest.raises(Impossible):
        check(
            LOA, START, ["b1-b3", "a2-c2", "b3-b1", "c2-a2", "b1-b3", "a2-c2"], ENGLISH, ply=8, earlier=keys
        )


def test_a_reply_that_may_be_several_moves_is_all_of_them() -> None:
    """An answer has to be one."""
    game, rules = find("trapdoor")
    two_rooks = game.position(rules, "3k1b1r/5n2/7p/rpn1p1p1/p1p1PPp1/P6P/7R/Rn3K2 w - - 2 36 g7")
    read = check(game, two_rooks, ["Ra2@a1", "Kd7@b8"], ENGLISH, ply=0)
    assert (read.moves, read.known) == (("Ra2@a1", "Kd7@b8"), 0)
    assert read.meant(game, two_rooks, 0) == {"a1-a2@a1", "h2-a2@a1"}
    before = game.position(
        rules, "3k1b1r/5n2/7p/rpn1p1p1/p1p1PPp1/P6P/7R/Rn3K2 w - - 2 36 g7".replace(" w ", " b ")
    )
    with pytest.raises(Impossible) as refused:
        check(game, before, ["Kd7@b8", "Ra2@a1"], ENGLISH, ply=0)
    assert (refused.value.place, type(refused.value.why)) == (1, AmbiguousMove)


def test_of_many_replies_some_are_looked_at() -> None:
    """Zèrtz has 1,944 first moves: a capture cannot be excluded by looking at a few of them."""
    game, rules = find("zertz")
    start = game.start(rules, "")
    assert start.count() > 1000
    assert check(game, start, [None, "g5xe3"], ENGLISH, ply=0).known == 0


def test_a_later_line_takes_the_place_of_what_it_contradicts() -> None:
    old = line("a", "b", "c", "d")
    assert replaces(line("a", "x"), old)
    assert replaces(line("a", "b", "c", "x"), old)
    assert replaces(line("a", "b", "c", "d", "e", "f"), old)
    assert not replaces(line("x", "b"), old)
    assert not replaces(line("a", "b", "x", "d"), old)
    assert not replaces(line(None, "b"), old)
    assert replaces(line("c", "x", ply=3), old)
    assert not replaces(line("x", "d", ply=3), old)


def test_a_line_that_another_says_already_adds_nothing() -> None:
    assert says(line("a", "b", "c", "d"), line("a", "b"))
    assert says(line("a", "b", "c", "d"), line("c", "d", ply=3))
    assert not says(line("a", "b"), line("a", "b", "c", "d"))


def test_what_lines_have_in_common_is_said_once() -> None:
    lines = [(1, ["a", "b", "c", "d"]), (2, ["a", "b", None, "e"]), (3, [None, "b"])]
    assert tree(lines) == (
        Branch("a", "b", None, (Branch("c", "d", 1, ()), Branch(None, "e", 2, ()))),
        Branch(None, "b", 3, ()),
    )

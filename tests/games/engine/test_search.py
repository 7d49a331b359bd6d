"""The search, on trees that are made up: what it proves, what it spends, what it remembers."""

from types import MappingProxyType

import pytest

from games.engine.evaluation import DRAWN, LOST, WON, Plain
from games.engine.search import PROVEN, WIN, Entry, Search, Table


class Tree(Plain):
    """A node is a word; `ends` has results for the side to move, `worth` points, and what follows is in `turns`."""

    def __init__(self, turns, ends=MappingProxyType({}), worth=MappingProxyType({}), forced=""):
        self.turns, self.ends, self.worth, self.compulsory = turns, ends, worth, forced

    def result(self, node):
        return self.ends.get(node)

    def children(self, node, depth, ply):
        return [(after, after) for after in self.turns.get(node, "")]

    def value(self, node):
        return self.worth.get(node, 0)

    def stuck(self, node):
        return LOST

    def forced(self, node):
        return node in self.compulsory


class Endless(Plain):
    """Seven turns everywhere, each to a position of its own; how often a value was asked for is counted."""

    repeats = False

    def __init__(self):
        self.asked = 0

    def result(self, node):
        return None

    def children(self, node, depth, ply):
        return [(turn, node * 7 + turn) for turn in range(1, 8)]

    def value(self, node):
        self.asked += 1
        return node * 2_654_435_761 % 199 - 99


def test_a_win_is_worth_more_the_sooner_it_comes():
    evaluator = Tree({"r": "ab", "a": "cd", "c": "x", "d": "y"}, ends={"b": LOST, "x": LOST, "y": LOST})
    found = Search(evaluator, 1_000).run("r", 9)
    assert found.scores[0] == ("b", WIN - 1)
    assert found.depth == 1


def test_a_win_that_no_answer_prevents_is_proved():
    evaluator = Tree(
        {"r": "ab", "a": "cd", "b": "e", "c": "x", "d": "y", "e": "r"}, ends={"x": LOST, "y": LOST}
    )
    found = Search(evaluator, 1_000).run("r", 9)
    assert found.scores[0] == ("a", WIN - 3)
    assert found.depth == 3


def test_of_lost_turns_it_plays_the_one_that_lasts_longest():
    turns = {"r": "ab", "a": "x", "b": "c", "c": "d", "d": "y"}
    found = Search(Tree(turns, ends={"x": LOST, "y": LOST}), 1_000).run("r", 9)
    assert found.scores[0] == ("b", 4 - WIN)


def test_where_turns_are_left_out_no_loss_is_proved_but_where_they_are_forced():
    turns = {"r": "ab", "a": "cd", "b": "e", "c": "x", "d": "y", "e": "f"}
    ends = {"x": LOST, "y": LOST}
    some = Tree(turns, ends)
    some.selective = True
    assert 0 < Search(some, 1_000).run("r", 9).scores[0][1] <= PROVEN
    some.compulsory = "a"
    assert Search(some, 1_000).run("r", 9).scores[0] == ("a", WIN - 3)
    assert Search(some, 1_000).run("a", 9).scores[0][1] == 2 - WIN
    some.compulsory = ""
    assert -PROVEN <= Search(some, 1_000).run("a", 9).scores[0][1] < 0


def test_where_there_is_no_turn_the_mind_says_what_that_is():
    assert Search(Tree({"r": "ab", "a": "r"}), 1_000).run("r", 4).scores[0] == ("b", WIN - 1)


def test_positions_of_the_match_and_of_the_line_are_draws_when_they_come_again():
    evaluator = Tree({"r": "ab", "a": "r", "b": "c", "c": "r"}, worth={"a": 50, "b": 60, "c": -70})
    assert dict(Search(evaluator, 1_000).run("r", 1).scores) == {"a": -50, "b": -60}
    assert Search(evaluator, 1_000, earlier=["b"]).run("r", 1).scores[0] == ("b", 0)
    assert Search(evaluator, 1_000).run("r", 8).scores[0][1] == 0


def test_compulsory_turns_cost_no_depth():
    turns = {"r": "ab", "a": "c", "c": "d"}
    evaluator = Tree(turns, worth={"a": -10, "b": 0, "d": 90}, forced="ac")
    assert Search(evaluator, 1_000).run("r", 1).scores[-1] == ("a", -90)


@pytest.mark.parametrize("budget", [1, 10, 500, 3_000])
def test_the_nodes_of_a_level_are_never_more(budget):
    evaluator = Endless()
    found = Search(evaluator, budget).run(0, 64)
    assert found.nodes <= max(7, budget)  # depth 1 is finished whatever it costs
    assert evaluator.asked >= 7
    assert found.depth >= 1


def test_noise_is_drawn_for_each_turn_and_no_win_is_missed_for_it():
    draws = iter([500, -500] * 9)
    quiet = Tree({"r": "ab"}, worth={"a": 0, "b": 0})
    assert Search(quiet, 9).run("r", 1, lambda: next(draws)).scores == (("a", 0), ("b", 0))
    wins = Tree({"r": "ab"}, ends={"b": LOST})
    assert Search(wins, 9).run("r", 1, lambda: next(draws)).scores[0] == ("b", WIN - 1)


def test_a_deeper_look_finds_what_a_shallow_one_does_not():
    turns = {"r": "ab", "a": "ce", "b": "df"}
    evaluator = Tree(turns, worth={"a": -90, "b": 90, "c": -80, "d": 70, "e": 95, "f": 95})
    assert Search(evaluator, 9).run("r", 1).scores[0] == ("a", 90)
    assert Search(evaluator, 99).run("r", 2).scores[0] == ("b", 70)


def test_the_table_never_holds_more_than_it_may():
    table = Table(entries=10)
    for node in range(1, 100):
        table.put(node, Entry(1, node, 0, None))
        assert len(table) <= 10
        assert table.get(node) == Entry(1, node, 0, None)
    assert table.get(1) is None
    search = Search(Endless(), 3_000, entries=50)
    search.run(0, 64)
    assert len(search.table) <= 50


def test_a_small_table_proves_the_same():
    turns = {"r": "ab", "a": "cd", "b": "e", "c": "x", "d": "y", "e": "r"}
    evaluator = Tree(turns, ends={"x": LOST, "y": LOST})
    assert Search(evaluator, 1_000, entries=1).run("r", 9).scores[0] == ("a", WIN - 3)


def test_results_are_those_of_the_side_to_move():
    evaluator = Tree({"r": "abc"}, ends={"a": WON, "b": DRAWN, "c": LOST})
    scores = dict(Search(evaluator, 99).run("r", 1).scores)
    assert scores == {"a": 1 - WIN, "b": 0, "c": WIN - 1}
    assert scores["c"] > PROVEN

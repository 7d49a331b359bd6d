"""Puzzles: one turn wins, all others do not, and whatever solves one really does."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import pytest

from games.engine import evaluation, puzzles
from games.engine.analysis import OPENING
from games.engine.evaluation import DRAWN, LOST, Plain
from games.protocol import Outcome, Side
from games.record import Course
from games.registry import find as named
from tests.games.engine.test_analysis import played
from tests.journeys.test_by_mail_analysis import MOVES

WINS = [line.split("\t") for line in Path(__file__).with_name("wins.tsv").read_text().splitlines()]
ONE = [(name, text) for depth, name, text in WINS if depth == "1"]


def alone(name, text):
    """The puzzles of one position, which comes after the opening."""
    game, rules = named(name)
    return puzzles.find_puzzles(game, [game.position(rules, text)] * (OPENING + 1))


def winning(position):
    """The turns that end the game for the player who plays them, by the rules alone."""
    ends = ((str(move), position.play(move).outcome()) for move in position.moves())
    return [move for move, end in ends if end is not None and end.winner == position.to_move]


@pytest.mark.parametrize("name", ["gemma", "insert", "loa", "loa:6x6", "loa:scrambled"])
def test_a_win_in_one_is_a_puzzle_where_nothing_else_wins(name):
    game, rules = named(name)
    found = 0
    for text in (text for of, text in ONE if of == name):
        wins = winning(game.position(rules, text))
        puzzle = next(iter(alone(name, text)), None)
        if len(wins) > 1:
            assert puzzle is None
        elif puzzle is not None:
            assert puzzle.accepted == (tuple(wins),)
            found += 1
    assert found


def test_one_turn_among_hundreds():
    """Met between two robots: a placement gives a marble away, and the jump after it brings the one that is missing."""
    text = "-.-W/..B.-/.....-/-.W.---/....--/-.G.-/--.- pool=1,5,3 first=3,1,1 second=0,1,5 move=second"
    assert [puzzle.accepted[0] for puzzle in alone("zertz", text)] == [("Bb2,b1",)]


def test_where_a_marble_of_any_colour_leads_to_the_same_each_is_accepted():
    text = "----/-----/---G--/--W.G--/--BGW-/-----/---- pool=0,0,0 first=1,3,5 second=3,2,4 move=second"
    game, rules = named("zertz")
    assert winning(game.position(rules, text)) == ["Wd4", "Gd4", "Bd4"]
    assert [puzzle.accepted for puzzle in alone("zertz", text)] == [(("Wd4", "Gd4", "Bd4"),)]


def test_a_last_row_is_one_solution_whichever_ring_is_taken_off():
    text = "--b-/-------/w-w--b--/Wbw----B-/------bb-w/-bbBwbbb-/-wwb--b---/bw-bBb-b-/b-Wb-w-w/b--Wb--/---- white"
    game, rules = named("yinsh")
    [puzzle] = alone("yinsh", text)
    assert {move.split(";")[0] for move in puzzle.accepted[0]} == {"j8-e3"}
    assert sorted(puzzle.accepted[0]) == sorted(winning(game.position(rules, text)))
    assert len(puzzle.accepted[0]) == 3


def test_of_a_whole_game_every_answer_to_the_end_wins():
    game, rules = named("loa")
    start, moves = game.start(rules, ""), [game.move(text) for text in MOVES.split()]
    course = Course(game, start)
    positions = [start, *map(course.play, moves)]
    found = puzzles.find_puzzles(game, positions)
    assert [(puzzle.ply, len(puzzle.accepted)) for puzzle in found] == [(24, 2)]
    for puzzle in found:
        position, mover = positions[puzzle.ply], positions[puzzle.ply].to_move
        for accepted, reply in zip(puzzle.accepted, puzzle.replies, strict=False):
            position = position.play(game.move(accepted[0])).play(game.move(reply))
        for text in puzzle.accepted[-1] if len(puzzle.accepted) > 1 else ():
            assert position.play(game.move(text)).outcome().winner == mover


def test_every_turn_that_ends_the_game_is_accepted_behind_the_first():
    text = "c3=WwwwwwwwwwwB e5=bbbbbbbbbbbW quiet=3 move=white"
    game, rules = named("bashni")
    position = game.position(rules, text)
    evaluator = evaluation.find(game)(position)
    assert sorted(puzzles._winning(evaluator, position, 1000)) == sorted(winning(position))


def test_a_game_in_which_nobody_wins_by_force_has_none():
    game, start, moves = played("loa", 1, "1", most=OPENING + 4)
    course = Course(game, start)
    assert puzzles.find_puzzles(game, [start, *map(course.play, moves)], 300) == []


@dataclass(frozen=True)
class Doors:
    """As many turns as there are doors. Behind the last one the game is won, behind the others it is drawn, or won."""

    doors: int
    leading_out: int = 1
    behind: int = -1
    to_move = Side.FIRST

    def count(self):
        return self.doors

    def moves(self):
        return range(self.doors)

    def play(self, move):
        return Doors(self.doors, self.leading_out, move)

    def objection(self, move):
        return None

    def outcome(self):
        if self.behind < 0:
            return None
        return Outcome(Side.FIRST if self.behind >= self.doors - self.leading_out else None, "out")


class Keys(Plain):
    """What is known of doors."""

    def result(self, node):
        end = node.outcome()
        return None if end is None else DRAWN if end.winner is None else LOST

    def node(self, position):
        return position

    def children(self, node, depth, ply):
        return [(move, node.play(move)) for move in node.moves()]


@pytest.mark.parametrize(("doors", "out", "found"), [(2, 1, 1), (1_200, 1, 1), (1_200, 2, 0), (1, 1, 0)])
def test_it_does_not_matter_how_many_turns_there_are(monkeypatch, doors, out, found):
    monkeypatch.setattr(evaluation, "find", lambda game: Keys)
    game = partial(pytest.fail, "no game is asked")
    positions = [Doors(doors, out)] * (OPENING + 1)
    solutions = [puzzle.accepted for puzzle in puzzles.find_puzzles(game, positions)]
    assert solutions == [((str(doors - 1),),)] * found

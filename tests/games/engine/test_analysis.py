"""What a game was about: the same each time, true of small games, and sparing with its marks."""

import json
import time
from random import Random

import pytest

from games.engine.analysis import Analysis, analyse
from games.engine.evaluation import LOST, WON
from games.engine.robot import think
from games.engine.search import Comparison
from games.protocol import Outcome, Side
from games.record import Course
from games.registry import find
from tests.games.engine.test_search import Tree


def played(name, level, seed, most=60):
    """A robot of this level against itself, after two moves by lot."""
    game, rules = find(name)
    rng = Random(seed)
    start = game.start(rules, game.draw_setup(rules, rng) if game.draw_setup else "")
    course, moves, positions = Course(game, start), [], [start]
    while course.outcome() is None and len(moves) < most:
        by_lot = len(moves) < 2
        move = (
            course.position.sample(rng)
            if by_lot
            else think(game, course.position, level, seed, positions[:-1]).move
        )
        moves.append(move)
        positions.append(course.play(move))
    return game, start, moves


def test_both_turns_are_looked_at_to_the_same_depth():
    turns = {"r": "ab", "a": "cd", "b": "ef", "c": "g", "e": "h"}
    evaluator = Tree(
        turns, worth={"a": -90, "b": -10, "c": 50, "d": 60, "e": -40, "f": 40, "g": -70, "h": 20}
    )
    look = Comparison(evaluator, "r", "b")
    look.until(1)
    assert look.depth == 1
    assert look.scores == [(90, 10)]
    look.until(1_000)
    assert len(look.scores) == look.depth
    assert all(best >= other for best, other in look.scores)


def test_what_gives_a_win_away_loses_all_of_it():
    turns = {"r": "ab", "b": "c"}
    look = Comparison(Tree(turns, worth={"b": -10}, ends={"a": LOST, "c": LOST}), "r", "b")
    look.until(1_000)
    assert (look.best_chance, look.played_chance, look.found) == (1.0, 0.0, False)


def test_the_only_turn_that_wins_is_known_as_such():
    evaluator = Tree({"r": "abc"}, ends={"a": LOST, "b": WON, "c": WON})
    look = Comparison(evaluator, "r", "a")
    look.until(1_000)
    assert look.found
    assert look.others_below(0.6, 100)
    two = Comparison(Tree({"r": "abc"}, ends={"a": LOST, "b": LOST, "c": WON}), "r", "a")
    two.until(1_000)
    assert not two.others_below(0.6, 100)


def test_a_game_has_the_same_analysis_each_time_and_as_json():
    game, start, moves = played("insert", 1, "3")
    moves = moves[:14]
    first = analyse(game, start, moves, nodes=60)
    assert first == analyse(game, start, moves, nodes=60)
    assert len(first.chances) == len(moves) + 1
    again = Analysis.from_json(json.loads(json.dumps(first.as_json())))
    assert again.as_json() == first.as_json()
    assert all(0 <= chance <= 1 for chance in first.chances)


def test_no_turn_is_marked_in_the_opening_and_where_all_is_over_and_stays_so():
    game, start, moves = played("insert", 1, "5")
    found = analyse(game, start, moves, nodes=60)
    assert found.marks
    assert all(ply >= 4 for ply in found.marks)
    for ply in found.marks:
        around = found.chances[ply : ply + 2]
        assert min(around) <= 0.95
        assert max(around) >= 0.05


def test_a_win_that_is_given_away_is_marked_and_one_that_is_kept_is_not():
    game, rules = find("insert")
    start = game.start(rules, "|/\\/\\-\\-/|/\\|-/\\-|/|\\\\--|--/\\|\\-\\-|\\")
    sheet = "e5 c3 d2 c1 b2 c2 e2 f1 c4 d5 d3 b5 c5 b4 e4 d4"
    moves = [game.move(text) for text in sheet.split()]
    found = analyse(game, start, moves, nodes=100)
    judged = {turn.ply: (turn.before, turn.after, turn.mark) for turn in found.judged}
    assert judged[9] == (1.0, 0.491, "??")  # now it is even
    assert judged[14] == (1.0, 0.0, "??")  # now it is lost
    assert found.chances[12] == 1
    assert found.chances[13] > 0.95
    assert 12 not in found.marks


# Games between robots of levels 1, 2 and 3: tiles of insert as drawn, the moves, and who won.
THROWN_AWAY = (
    "/\\\\|\\/\\||-/|-/-/-||/-/-\\/\\|||-\\-//|/",
    "f1 a1 d1 e2 e6 f5 f4 f3 d5 b5 b4 a3 a2 c4 a4 d4 b2 c1 d2 d3 e4 b3 f2",
)
OVERSEEN = "/\\\\\\|-\\|||\\/-/---\\/\\-/|/|/\\-||\\-|\\-/", "c4 e4 d4 f4 e5 d6 c3 d3 c2 a4 b4"
AHEAD = (
    "|/\\|-/\\-/|/-|-//\\|/|\\/-\\|--|\\/\\-\\-/|",
    "e5 d4 f6 c3 e1 f2 e3 f3 e4 d5 d3 f5 c5 d6 d2 d1 f1 f4 e2",
)
LEVEL = "/\\-\\--|/\\/\\|\\-|-|\\/-|/|\\/-\\|--\\/|\\-\\", "d4 c4 c3 c6 a6 b5 a4 d1 c2 b3"


def insert(tiles, sheet, result=None):
    game, rules = find("insert")
    return analyse(
        game, game.start(rules, tiles), [game.move(text) for text in sheet.split()], result, nodes=300
    )


def test_who_had_won_and_throws_it_away_is_marked_too():
    found = insert(*THROWN_AWAY)  # the first player wins
    told = [(turn.ply, turn.mark, round(100 * turn.before), round(100 * turn.after)) for turn in found.judged]
    assert told == [(12, "??", 100, 0), (13, "??", 100, 33), (14, "??", 67, 0), (21, "??", 100, 0)]
    assert {turn.ply: (turn.wins_in, turn.line[0]) for turn in found.judged if turn.wins_in} == {
        12: (6, "a4"),
        13: (5, "b3"),
        21: (2, "b1"),
    }
    assert found.decided == 21
    assert [moment.ply for moment in found.moments] == [21, 12, 13, 14], "the turning point comes first"


def test_of_a_game_lost_all_along_the_last_turn_that_could_have_held_out_is_named():
    found = insert(*OVERSEEN)
    assert found.decided is None
    point = found.turning_point
    assert (point.ply, point.mark, point.line[0], point.held) == (9, "", "b3", 1)
    assert (point.before, point.after) == (0, 0)
    game, rules = find("insert")
    position = game.start(rules, OVERSEEN[0])
    for text in OVERSEEN[1].split()[:-1]:
        position = position.play(game.move(text))
    assert any(position.play(move).outcome() for move in position.moves()), "it loses at once"


def test_ahead_from_early_on_without_a_mistake():
    found = insert(*AHEAD)
    assert found.decided is None
    assert set(found.marks.values()) == {"!"}
    assert min(found.chances[2:]) > 0.7
    assert found.turning_point.held == 3


def test_level_to_the_end():
    found = insert(*LEVEL, Outcome(None, "agreed"))
    assert all(0.4 < chance < 0.6 for chance in found.chances)
    assert (found.decided, found.turning_point, found.moments) == (None, None, ())


def test_the_turning_point_of_a_draw_is_the_greatest_mistake():
    tiles, sheet = THROWN_AWAY
    found = insert(tiles, " ".join(sheet.split()[:15]), Outcome(None, "agreed"))
    assert found.decided == 12


@pytest.mark.parametrize("recorded", [THROWN_AWAY, OVERSEEN, AHEAD, LEVEL])
def test_what_is_judged_agrees_with_the_chances(recorded):
    found = insert(*recorded)
    for turn in found.judged:
        around = [
            chance if turn.ply % 2 == 0 else 1 - chance for chance in found.chances[turn.ply : turn.ply + 2]
        ]
        if turn.mark != "!":
            assert [turn.before, turn.after] == pytest.approx(around, abs=0.001)
    assert {moment.ply for moment in found.moments} <= {turn.ply for turn in found.judged}


def test_a_position_may_come_a_second_time():
    """White wins, and brings the men back to where they stood once before: a draw would take another time."""
    game, rules = find("emergo")
    start = game.position(
        rules, "a1:W f2:BW2 b4:W d4:WB5 c5:WB2 g5:WB3 e7:WB g7:W3 b8:W hands=0,0 move=white"
    )
    sheet = "b4-a5 f2-g1 g5-h4 g1-f2 b8-c7 f2-e1 h4-g5 e1-d2 g5-h4 d2-e1 a1-b2 e1-d2 d4-e5 d2-e3"
    found = analyse(game, start, [game.move(text) for text in sheet.split()], nodes=200)
    assert (found.judged, min(found.chances) > 0.99) == ((), True)


def test_its_better_lines_can_be_played_and_are_few():
    game, start, moves = played("loa:6x6", 1, "8")
    found = analyse(game, start, moves, nodes=300)
    for side in (0, 1):
        assert sum(moment.ply % 2 == side for moment in found.moments) <= 3
    for moment in found.moments:
        course = Course(game, start)
        for move in moves[: moment.ply]:
            course.play(move)
        assert 1 <= len(moment.line) <= 4
        assert moment.line[0] != str(moves[moment.ply])
        for text in moment.line:
            course.play(game.move(text))


def test_what_decided_is_a_fault_of_the_loser_after_which_they_were_never_ahead():
    game, start, moves = played("insert", 1, "3")
    found = analyse(game, start, moves, nodes=100)
    assert found.decided is not None
    assert found.decided in [moment.ply for moment in found.moments]
    winner = Side.FIRST if found.chances[-1] == 1 else Side.SECOND
    assert found.decided % 2 != winner
    after = found.chances[found.decided + 1 :]
    assert all((chance > 0.5) == (winner == Side.FIRST) for chance in after)


def test_the_only_good_turn_is_praised_however_easy_it_was_to_find():
    """It takes three men at once; whatever else could be played there is not praised."""
    game, rules = find("emergo")
    text = "i1:B c3:W g3:W i3:B g5:W i5:W b6:W d6:B g7:W i7:B d8:B hands=6,7 move=black"
    start = game.position(rules, text)
    before = [game.move(each) for each in ("e3", "e9", "h8", "e9xc7xe5")]
    course = Course(game, start)
    for move in before:
        course.play(move)
    marks = {
        str(move): analyse(game, start, [*before, move], nodes=100).marks.get(4)
        for move in course.position.moves()
    }
    assert marks.pop("h8xf6xd4xb2") == "!"
    assert marks, "it was not forced"
    assert "!" not in marks.values()


def test_a_game_without_moves_has_none():
    game, rules = find("loa")
    with pytest.raises(ValueError, match="nothing to analyse"):
        analyse(game, game.start(rules, ""), [])


@pytest.mark.prove
@pytest.mark.parametrize("name", ["loa", "emergo", "insert", "zertz"])
def test_few_turns_of_a_master_are_marked_and_it_takes_no_longer_than_it_may(name):
    marked = plies = 0
    for seed in "12":
        game, start, moves = played(name, 3 if name != "zertz" else 2, seed)
        began = time.process_time()
        found = analyse(game, start, moves)
        assert time.process_time() - began <= 15 * max(1, len(moves) / 60)
        marked, plies = marked + len(found.marks), plies + len(moves)
    assert marked <= plies / 10

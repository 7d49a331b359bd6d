"""The puzzles that games come with: thirty each or what was mined, the easiest first, and each with one solution."""

import json

import pytest

from games.engine.__main__ import main
from games.engine.analysis import OPENING
from games.engine.collection import FEWEST_TURNS, collection
from games.engine.puzzles import find_puzzles
from games.registry import find, games
from tests.games.engine.test_puzzles import winning

# The nodes that found them. `games/engine/collection.py` has all of how they were mined.
MINED = {
    "bashni": 1_500,
    "cheshire": 3_000,
    "dvonn": 3_000,
    "emergo": 1_500,
    "gemma": 1_000,
    "gipf": 3_000,
    "insert": 500,
    "loa": 1_500,
    "lyngk": 2_000,
    "othello": 10_000,
    "tamsk": 10_000,
    "trapdoor": 3_000,
    "tzaar": 2_000,
    "yinsh": 5_000,
    "zertz": 4_000,
}
SURE = 0.85
FEWER = {"gipf": 7, "tzaar": 8}  # of 86 and 90 games: most wins can be reached in several ways


def position_of(puzzle):
    game, rules = find(puzzle.game)
    return game.position(rules, puzzle.position)


@pytest.mark.parametrize("key", MINED)
def test_there_are_thirty_or_all_that_were_mined_the_easiest_first(key):
    puzzles = collection(games()[key])
    positions = [position_of(puzzle) for puzzle in puzzles]
    assert len({puzzle.position for puzzle in puzzles}) == len(puzzles) == FEWER.get(key, 30)
    turns = [(len(puzzle.accepted), at.count()) for puzzle, at in zip(puzzles, positions, strict=True)]
    assert turns == sorted(turns)
    assert all(count >= FEWEST_TURNS for _, count in turns)
    assert [str(at) for at in positions] == [puzzle.position for puzzle in puzzles]


@pytest.mark.parametrize("key", MINED)
def test_each_solution_can_be_played_and_no_other_turn_wins_at_once(key):
    game = games()[key]
    for puzzle in collection(game):
        position = position_of(puzzle)
        mover = position.to_move
        assert set(winning(position)) <= set(puzzle.accepted[0]), puzzle
        for accepted, reply in zip(puzzle.accepted, (*puzzle.replies, None), strict=True):
            assert all(position.objection(game.move(text)) is None for text in accepted), puzzle
            position = position.play(game.move(accepted[0]))
            if reply is not None:
                assert position.objection(game.move(reply)) is None, puzzle
                position = position.play(game.move(reply))
        if puzzle.replies:
            assert position.outcome().winner == mover, puzzle


@pytest.mark.prove
@pytest.mark.parametrize("key", MINED)
def test_the_search_finds_each_solution_and_nothing_as_good(key):
    """Of every third; mining has searched all."""
    game = games()[key]
    for puzzle in collection(game)[::3]:
        positions = [position_of(puzzle)] * (OPENING + 1)
        [found] = find_puzzles(game, positions, MINED[key], sure=SURE)
        assert (found.accepted, found.replies) == (puzzle.accepted, puzzle.replies)


def test_the_command_prints_the_same_each_time(capsys):
    said = []
    for _ in range(2):
        assert main(["puzzles", "insert", "1", "2", "--games", "4", "--nodes", "100", "--most", "2"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]
    [puzzle] = json.loads(said[0])
    assert find(puzzle["game"])[0].key == "insert"
    assert (len(puzzle["accepted"]), len(puzzle["replies"])) == (3, 2)

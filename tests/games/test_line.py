"""A line that somebody tries: how far it can be played, and what is said where it stops."""

from games.export import follow
from games.film import line_stills
from games.kit.words import speech
from games.protocol import GameOver, IllegalMove, Notation, UnreadableMove
from games.registry import find

ENGLISH, ITALIAN = Notation("en", "seed"), Notation("it", "gipf")


def start(name, setup=""):
    game, rules = find(name)
    return game, game.start(rules, setup)


def test_every_move_of_a_line_brings_a_board():
    game, position = start("loa")
    line = follow(game, position, ["d1-d3", "A4C4"], ENGLISH, ply=7)
    assert [(step.ply, str(step.move)) for step in line.steps] == [(7, "d1-d3"), (8, "a4-c4")]
    assert (line.stopped, line.why, line.left, line.outcome) == ("", None, 0, None)
    assert line.steps[1].before == line.steps[0].after
    assert position == start("loa")[1]


def test_a_line_stops_at_what_cannot_be_played():
    game, position = start("loa")
    line = follow(game, position, ["d1-d3", "d1-d3", "a4-c4"], ENGLISH)
    assert (len(line.steps), line.stopped, line.left) == (1, "d1-d3", 1)
    assert isinstance(line.why, IllegalMove)
    assert isinstance(follow(game, position, ["hello"], ENGLISH).why, UnreadableMove)


def test_a_line_knows_the_positions_before_it_and_ends_with_the_game():
    game, position = start("loa")
    there_and_back = ["d1-d3", "a4-c4", "d3-d1", "c4-a4"]
    assert follow(game, position, there_and_back, ENGLISH).outcome is None
    line = follow(game, position, [*there_and_back, "d1-d3"], ENGLISH, earlier=[position.key()])
    assert line.outcome is not None
    assert line.outcome.reason == "repetition"
    assert (len(line.steps), line.stopped) == (4, "d1-d3")
    assert isinstance(line.why, GameOver)


def test_a_forced_pass_is_played_with_the_move_that_forces_it():
    game, rules = find("loa")
    position = game.position(rules, "6xo/6x1/8/7x/8/8/xx6/ox6 x")
    line = follow(game, position, ["h5-h7", "g8-e8"], ENGLISH)
    assert [str(step.move) for step in line.steps] == ["h5-h7", "pass", "g8-e8"]


def test_what_is_said_of_each_board_counts_on_and_ends_with_the_outcome():
    game, position = start("zertz")
    line = follow(game, position, ["Bd4,a1", "Nf2,a2"], ITALIAN, ply=4)
    words = speech(game, position.rules, ITALIAN, ("Alice", "Bruno"))
    stills = line_stills(game, line.steps, words, ITALIAN)
    assert [still.caption.last for still in stills] == ["3. Alice: Bd4,a1", "3... Bruno: Nf2,a2"]
    assert line_stills(game, (), words, ITALIAN) == ()

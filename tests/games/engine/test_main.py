"""`python -m games.engine`: what it prints, and how it refuses."""

import os
import subprocess
import sys

import pytest

from games.engine.__main__ import main
from games.registry import find


@pytest.fixture
def run(capsys):
    """Runs the tool: its exit status and the cells of each line that it printed."""

    def run(*arguments):
        status = main(arguments)
        return status, [line.split("\t") for line in capsys.readouterr().out.splitlines()]

    return run


@pytest.fixture
def refused(capsys):
    """Runs the tool on what makes no sense: what it said, on standard error alone."""

    def refused(*arguments):
        try:
            status = main(arguments)
        except SystemExit as exit:
            status = exit.code
        said = capsys.readouterr()
        assert (status, said.out) == (2, "")
        return said.err

    return refused


def test_move_prints_the_move_its_score_the_depth_and_the_nodes(run):
    status, [[move, score, depth, nodes]] = run("move", "loa", "--level", "2", "--seed", "3")
    game, rules = find("loa")
    assert status == 0
    assert game.start(rules, "").objection(game.move(move)) is None
    assert abs(int(score)) < 1000
    assert int(depth) >= 1
    assert 0 < int(nodes) <= 300


def test_a_proven_win_says_in_how_many_plies(run):
    position = "8/8/3x4/8/8/1o6/x1o5/3o1o1x o"
    assert run("move", "loa", "--position", position, "--level", "1")[1][0][1] == "999999"


def test_moves_are_played_first_in_any_notation(run, tmp_path):
    moves = tmp_path / "moves"
    moves.write_text("b8-b6\n\n a6xc8\n", "utf-8")
    _, [[move, *_]] = run("move", "loa", "--level", "1", "--moves", str(moves))
    game, rules = find("loa")
    position = game.start(rules, "")
    for text in ("b8-b6", "a6xc8", move):
        assert position.objection(game.move(text)) is None
        position = position.play(game.move(text))


def test_a_setup_and_a_position_may_begin_with_a_hyphen(run):
    marks = "-" * 36
    assert run("move", "insert", "--setup", marks, "--level", "1")[0] == 0
    assert run("move", "insert", "--position", f"{marks} 6/6/6/6/6/6 -", "--level", "1")[0] == 0


def test_match_prints_a_line_for_each_game_and_the_score(run):
    status, lines = run("match", "insert", "2", "1", "--games", "3", "--seed", "4")
    assert status == 0
    assert [line[:3] for line in lines[:3]] == [["1", "2", "1"], ["2", "1", "2"], ["3", "2", "1"]]
    assert {line[3] for line in lines[:3]} <= {"1-0", "0-1", "1/2"}
    assert lines[3][0] == "score"
    assert sum(map(int, lines[3][1:])) == 3
    assert lines == run("match", "insert", "2", "1", "--games", "3", "--seed", "4")[1]


def test_analyse_prints_a_line_for_each_turn_and_what_decided(run, tmp_path):
    moves = tmp_path / "moves"
    moves.write_text("b8-b6\n a6xc8\n", "utf-8")
    status, lines = run("analyse", "loa", "--moves", str(moves), "--nodes", "40")
    assert status == 0
    assert [line[:2] for line in lines] == [["1.", "b8-b6"], ["1...", "a6xc8"], ["decided", "-"]]
    assert all(0 < int(line[2]) < 100 for line in lines[:2])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("analyse loa", "--moves"),
        ("analyse loa --moves missing", "missing"),
        ("move loq --level 1", "'loq': no such game; nearest: loa"),
        ("move loa:7x7 --level 1", "loa has no '7x7'"),
        ("move loa --level 5", "'5' is not a level: they are 1 to 4"),
        ("move loa --level 0", "'0' is not a level: they are 1 to 4"),
        ("move loa --level strong", "'strong' is not a level: they are 1 to 4"),
        ("move loa", "--level"),
        ("move loa --level 1 --seed x", "'x' is not a number"),
        ("move loa --level 1 --position nonsense", "'nonsense' is not 8 rows of 8 cells"),
        ("move loa --level 1 --position 8/8/8/2ooo3/8/x6x/8/8_x", "the game is over: 1-0 joined"),
        ("move loa --level 1 --setup x", "there is no set-up to choose, not even 'x'"),
        ("move insert --level 1", "Insert needs a layout"),
        ("move loa --level 1 --moves missing", "missing"),
        ("match loa 1", "LEVEL"),
        ("match loa 1 9", "'9' is not a level: they are 1 to 4"),
        ("match loa 1 1 --games 0", "'0' is not a number above 0"),
    ],
)
def test_it_says_what_is_wrong(refused, tmp_path, monkeypatch, arguments, said):
    monkeypatch.chdir(tmp_path)
    assert said in refused(*(word.replace("_", " ") for word in arguments.split()))


@pytest.mark.parametrize(
    ("lines", "said"),
    [
        ("b8-b6\na6-a7\n", "line 2, 'a6-a7': 'a6-a7' is illegal"),
        ("b8-b6\n\nhello there\n", "line 3, 'hello there': not a move in this game's notation"),
        ("b8-b6\nb6-b8\n", "line 2, 'b6-b8'"),
    ],
)
def test_it_quotes_the_line_of_a_move_that_cannot_be_played(refused, tmp_path, lines, said):
    moves = tmp_path / "moves.txt"
    moves.write_text(lines, "utf-8")
    assert f"{moves}, {said}" in refused("move", "loa", "--level", "1", "--moves", str(moves))


def test_it_quotes_a_move_after_the_end_of_the_game(refused, tmp_path):
    moves = tmp_path / "moves.txt"
    moves.write_text("c1-c3\n", "utf-8")
    said = refused(
        *("move", "loa", "--level", "1", "--moves", str(moves)),
        *("--position", "8/8/8/2ooo3/8/x6x/8/8 x"),
    )
    assert "line 1, 'c1-c3': 'c1-c3' comes after the end of the game: 1-0 joined" in said


@pytest.mark.prove
def test_every_process_plays_the_same_moves():
    asked = """for name in ("loa", "gemma", "zertz", "emergo", "trapdoor"):
        main(["move", name, "--level", "1" if name == "trapdoor" else "2", "--seed", "9"])"""
    command = (sys.executable, "-c", f"from games.engine.__main__ import main\n{asked}")
    said = [
        subprocess.run(
            command, capture_output=True, check=True, env=os.environ | {"PYTHONHASHSEED": seed}
        ).stdout
        for seed in ("0", "1")
    ]
    assert said[0] == said[1]
    assert said[0].count(b"\n") == 5


def test_it_is_a_program():
    command = (sys.executable, "-m", "games.engine", "move", "loa", "--level", "0")
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert "'0' is not a level" in done.stderr

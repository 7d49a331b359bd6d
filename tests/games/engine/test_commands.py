"""Programs that somebody else wrote: what they are asked, and what of their answers counts."""

import json
import re
import shlex
import sys
from io import StringIO
from pathlib import Path
from subprocess import CalledProcessError

import pytest

from games.engine import child
from games.engine.__main__ import main
from games.engine.child import ASKED, question_of
from games.registry import find

ENGINE = (sys.executable, str(Path(__file__).with_name("first_move.py")))


def asked(command, name="loa"):
    game, rules = find(name)
    return question_of(game, game.start(rules, ""), [], 3, "7") | {"command": command}


def says(text):
    return ["printf", "%s", text]


def test_an_answer_has_a_move_and_may_have_more():
    whole = '{"move": "b8-b6", "score": 40, "scale": 100, "depth": 3, "nodes": 9}\n'
    told = {"move": "b8-b6", "score": 40, "scale": 100, "depth": 3, "nodes": 9}
    assert child.answer(asked(says(whole))) == told
    short = child.answer(asked(says('{"move": "b8-b6"}')))
    assert short == {"move": "b8-b6", "score": 0, "scale": 250, "depth": 0, "nodes": 0}


@pytest.mark.parametrize(
    ("command", "why"),
    [
        (says("b8-b6"), "Expecting value"),
        (says('{"score": 1}'), "no move in its answer"),
        (says('["b8-b6"]'), "no move in its answer"),
        (says('{"move": "b8-b5"}'), "illegal"),
        (says('{"move": "resigns"}'), "resigns"),
        (["false"], "non-zero exit status"),
        (["/nowhere/engine"], "No such file"),
        (["echo", "$(touch", "/tmp/x);", "{}"], "Expecting value"),  # no shell has read it
    ],
)
def test_what_makes_no_sense_or_breaks_the_rules_is_no_move(command, why):
    with pytest.raises((ValueError, OSError, CalledProcessError), match=why):
        child.answer(asked(command))


def test_ours_answers_others_and_runs_nothing_for_them(capsys, monkeypatch, tmp_path):
    question = asked(["touch", str(tmp_path / "run")])
    monkeypatch.setattr("sys.stdin", StringIO(json.dumps(question | {"level": 1}) + "\n"))
    assert main(["answer"]) == 0
    game, rules = find("loa")
    move = json.loads(capsys.readouterr().out)["move"]
    assert game.start(rules, "").objection(game.move(move)) is None
    assert not (tmp_path / "run").exists()
    monkeypatch.setattr("sys.stdin", StringIO("{}\n"))
    assert main(["answer"]) == 2


@pytest.mark.prove
@pytest.mark.parametrize("name", ["loa", "zertz"])
def test_it_plays_at_the_command_line(name, capsys, monkeypatch):
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
    line = shlex.join(ENGINE)
    assert main(["move", name, "--level", line]) == 0
    game, rules = find(name)
    first = str(next(iter(game.start(rules, "").moves())))
    assert capsys.readouterr().out.split("\t") == [first, "0", "0", "0\n"]
    if name == "zertz":
        assert main(["match", name, "1", line, "--games", "2"]) == 0
        *games, score = capsys.readouterr().out.splitlines()
        assert [cells.split("\t")[1:3] for cells in games] == [["1", line], [line, "1"]]
        assert score == "score\t2\t0\t0"
    assert main(["move", name, "--level", "false"]) == 2


@pytest.mark.parametrize("page", ["robots.md", "robots.it.md"])
def test_the_example_of_the_pages_is_a_question_and_an_answer(page):
    question, answer = re.findall(r"```json\n(.*)\n```", (Path("docs") / page).read_text("utf-8"))
    wanted = json.loads(question)
    assert set(wanted) == set(ASKED)
    assert child.answer(wanted | {"command": says(answer)}) == json.loads(answer)

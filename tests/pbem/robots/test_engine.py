"""The process that thinks: what it is asked, what it answers, and how it is ended."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from io import StringIO
from pathlib import Path

import pytest
from pytest_django import Settings

from games.engine import child
from games.engine.robot import think
from games.registry import find
from pbem.matches.models import Match
from pbem.matches.services import play
from pbem.robots import engine
from pbem.robots.engine import command, environment
from pbem.robots.models import EngineJob
from tests.mail_fixtures import Post
from tests.pbem.robots.conftest import Thinks, any_move
from tests.players_fixtures import Begin
from tests.processes import wait_until

PLUGIN = Path(__file__).parents[2] / "games" / "plugin"
ENDLESS = "def EVALUATOR(position):\n    while True:\n        pass\n"
BOMB = "def EVALUATOR(position):\n    held = []\n    while True:\n        held.append(bytes(10_000_000))\n"
FAULTY = "def EVALUATOR(position):\n    raise ValueError('no idea')\n"


def asked(name: str, position: str = "", level: int = 1) -> dict[str, object]:
    game, rules = find(name)
    position = position or str(game.start(rules, "7" if name == "nim" else ""))
    return {"game": name, "position": position, "earlier": [], "level": level, "seed": "7"}


def test_it_answers_what_a_robot_plays_and_the_same_each_time() -> None:
    game, rules = find("loa")
    position = game.start(rules, "")
    thought = think(game, position, 2, "7")
    told = child.answer(asked("loa", level=2))
    assert told == child.answer(json.loads(json.dumps(asked("loa", level=2))))
    assert told == {"move": str(thought.move), "score": thought.score} | {
        "scale": thought.scale,
        "depth": thought.depth,
        "nodes": thought.nodes,
    }


def test_one_line_comes_in_and_one_goes_out(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(child, "step_back", lambda **limits: None)
    monkeypatch.setattr(child, "_end_with", lambda descriptor: None)
    source, target = StringIO(json.dumps(asked("loa")) + "\n"), StringIO()
    monkeypatch.setattr(source, "fileno", lambda: 0)
    child.serve(source, target, seconds=1, mebibytes=1)
    assert json.loads(target.getvalue()) == child.answer(asked("loa"))


def test_positions_that_may_come_again_are_told(against: Begin, post: Post, thinks: Thinks) -> None:
    match = against()
    play(match.seated[0], any_move(match), now=post.now)
    thinks()
    play(Match.objects.get(pk=match.pk).seated[0], any_move(match), now=post.now)
    match = Match.objects.get(pk=match.pk)
    question = engine.question(EngineJob.objects.waiting().get(), match)
    begun = list(match.live_turns().values_list("position", flat=True))
    assert question["earlier"] == [str(match.start_position()), *begun[:-1]]
    assert question["position"] == begun[-1]


def test_another_program_plays_where_the_settings_name_it(against: Begin, settings: Settings) -> None:
    settings.ROBOT_COMMANDS = {"1": "/opt/any", "1 loa": "/opt/mia 'of 2006' --quiet"}
    for game, words in (("loa:6x6", ["/opt/mia", "of 2006", "--quiet"]), ("insert", ["/opt/any"])):
        match = against(game, "second")
        assert engine.question(match.thinks.get(), match)["command"] == words
    match = against("loa", "second", level=2)
    assert "command" not in engine.question(match.thinks.get(), match)


@pytest.mark.prove
def test_its_answer_is_played_or_is_no_answer(tmp_path: Path) -> None:
    """It is ended with the process that has asked it, by whatever comes first."""
    ours = [sys.executable, str(PLUGIN.parent / "engine" / "first_move.py")]
    game, rules = find("loa")
    first = str(next(iter(game.start(rules, "").moves())))
    assert engine.ask(asked("loa") | {"command": ours}).move == first
    with pytest.raises(engine.Failed, match="illegal"):
        engine.ask(asked("loa") | {"command": ["printf", "%s", '{"move": "b8-b5"}']})
    pid = tmp_path / "pid"
    waits = ["sh", "-c", f"echo $$ > {pid}; exec sleep 60"]
    child = subprocess.Popen(
        command(engine.CHILD, engine.limits(1)),
        stdin=subprocess.PIPE,
        env=environment(),
        start_new_session=True,
    )
    assert child.stdin
    child.stdin.write(json.dumps(asked("loa") | {"command": waits}).encode() + b"\n")
    child.stdin.flush()
    wait_until(lambda: pid.exists() and bool(pid.read_text("ascii").strip()), "the engine runs")
    child.stdin.close()
    child.wait()
    wait_until(lambda: not _lives(int(pid.read_text("ascii"))), "the engine was ended")


@pytest.mark.prove
@pytest.mark.usefixtures("nim")
def test_processes_answer_or_are_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A real game, a game from elsewhere, and evaluators that never end, take all memory, or fail."""
    found = engine.ask(asked("loa", level=2))
    assert (found.move, 0 < found.chance < 1) == (child.answer(asked("loa", level=2))["move"], True)
    assert engine.ask(asked("nim")).move in ("1", "2", "3")
    assert 0.05 < found.seconds < 60

    evaluators = (
        (ENDLESS, "limits", 2),
        (BOMB, "MemoryError|limits", 60),
        (FAULTY, "ValueError: no idea", 60),
    )
    for (
        evaluator,
        trouble,
        seconds,
    ) in evaluators:  # on a busy machine Python alone may take more than 2 to start
        monkeypatch.setattr(engine, "CPU_SECONDS", {1: seconds})
        elsewhere = tmp_path / trouble[:5]
        shutil.copytree(PLUGIN, elsewhere)
        (elsewhere / "nim" / "evaluation.py").write_text(evaluator, "utf-8")
        with monkeypatch.context() as path:
            path.setattr(sys, "path", [str(elsewhere), *sys.path])
            with pytest.raises(engine.Failed, match=trouble) as failed:
                engine.ask(asked("nim"))
            assert failed.value.seconds > 0.05


@pytest.mark.prove
def test_it_ends_with_whoever_has_asked(tmp_path: Path) -> None:
    """The worker is killed: its think is not left behind, and has none of its secrets."""
    game, rules = find("zertz")
    question = asked("zertz", str(game.start(rules, "")), level=4)
    worker = subprocess.Popen(
        [
            *(sys.executable, "-c"),
            "import django, subprocess, time; django.setup()\n"
            "from pbem.robots.engine import Limits, command, environment\n"
            "asked = command('games.engine.child', Limits(1800))\n"
            "child = subprocess.Popen(asked, stdin=subprocess.PIPE, env=environment())\n"
            f"child.stdin.write({json.dumps(question)!r}.encode() + b'\\n'); child.stdin.flush()\n"
            "print(child.pid, flush=True); time.sleep(60)",
        ],
        stdout=subprocess.PIPE,
        env=os.environ | {"DJANGO_SETTINGS_MODULE": "tests.settings", "SECRET_KEY": "told nobody"},
        text=True,
    )
    assert worker.stdout
    pid = int(worker.stdout.readline())
    time.sleep(2)
    assert b"told nobody" not in Path(f"/proc/{pid}/environ").read_bytes()
    assert Path(f"/proc/{pid}/stat").read_text("ascii").split()[18] == "19", "it is nice"
    worker.send_signal(signal.SIGKILL)
    worker.wait()
    worker.stdout.close()
    for _ in range(100):
        if not _lives(pid):
            break
        time.sleep(0.1)
    assert not _lives(pid)


def _lives(pid: int) -> bool:
    """A zombie, which nobody has waited for, does not."""
    try:
        return Path(f"/proc/{pid}/stat").read_text("ascii").rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return False

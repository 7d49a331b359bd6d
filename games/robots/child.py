"""One think in a process of its own: a question comes in as a line of JSON, and its answer goes out as another.

The process takes what the machine has to spare, no more memory and time than it is allowed, and ends as soon as nobody
waits for its answer: when its standard input ends.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from typing import Any, TextIO

from games.protocol import Position
from games.registry import AnyGame, canonical, find
from games.robots.mind import Plain
from games.robots.robot import Thought, think

# Other programs as robots: a command line that reads a question as a line of JSON, and prints its
# answer as another. The question has `game` (a name of `games.registry`), `position` and those
# `earlier` as the game writes them, `level` and `seed`; the answer has `move` in its canonical
# form, and may have `score`, `scale`, `depth` and `nodes` as `Thought` has them.

ASKED = ("game", "position", "earlier", "level", "seed")


def answered(
    command: Sequence[str], game: AnyGame, position: Position, question: Mapping[str, Any]
) -> Thought:
    """What the command plays in the position. No shell reads it. ValueError, OSError or CalledProcessError if it cannot
    be run, says nothing that makes sense, or plays against the rules."""
    line = json.dumps({key: question[key] for key in ASKED}) + "\n"
    done = subprocess.run(list(command), input=line, stdout=subprocess.PIPE, text=True, check=True)
    told = json.loads(done.stdout)
    if not isinstance(told, dict) or "move" not in told:
        raise ValueError(f"no move in its answer: {done.stdout[:200]!r}")
    move = game.move(str(told["move"]))
    if objection := position.objection(move):
        raise ValueError(f"it plays {move}, which is illegal: {objection.code}")
    numbers = (int(told.get(key, 0)) for key in ("depth", "nodes"))
    return Thought(move, int(told.get("score", 0)), int(told.get("scale", Plain.scale)), *numbers)


def question_of(
    game: AnyGame, position: Position, earlier: Sequence[Position], level: int, seed: int | str
) -> dict[str, Any]:
    """What a command is asked."""
    before = [str(one) for one in earlier] if game.repetition else []
    name = canonical(game, position.rules)
    return {"game": name, "position": str(position), "earlier": before, "level": level, "seed": seed}


Answers = Callable[[Mapping[str, Any]], dict[str, Any]]
LAST = 19  # in the queue for the processor


def answer(question: Mapping[str, Any]) -> dict[str, Any]:
    """`game` is a name, `position` and those `earlier` are written as the game writes them. Another program thinks
    where it is asked with its `command`."""
    game, rules = find(question["game"])
    position = game.position(rules, question["position"])
    if command := question.get("command"):
        thought = answered(command, game, position, question)
    else:
        earlier = [game.position(rules, text) for text in question["earlier"]]
        thought = think(game, position, question["level"], question["seed"], earlier)
    facts = {"move": str(thought.move), "score": thought.score, "scale": thought.scale}
    return facts | {"depth": thought.depth, "nodes": thought.nodes}


def serve(source: TextIO, target: TextIO, *, seconds: int, mebibytes: int, answers: Answers = answer) -> None:
    """Answers one question. ValueError if it makes no sense."""
    step_back(seconds=seconds, mebibytes=mebibytes)
    question = json.loads(source.readline())
    threading.Thread(target=_end_with, args=(source.fileno(),), daemon=True).start()
    print(json.dumps(answers(question)), file=target, flush=True)


def step_back(*, seconds: int, mebibytes: int) -> None:
    """Behind everybody else, and within the limits: what passes them is ended by the system."""
    os.nice(LAST - os.nice(0))
    with suppress(AttributeError, OSError):  # another system, or not allowed: being nice has to do
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with(descriptor: int) -> None:
    """Its asker was killed, and nobody reads the answer. (A file object would be locked when Python ends.)"""
    while os.read(descriptor, 4096):
        pass
    if os.getpgrp() == os.getpid():  # with whatever command it has begun
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def main() -> None:
    """`python -m games.robots.child SECONDS MEBIBYTES`"""
    seconds, mebibytes = map(int, sys.argv[1:])
    serve(sys.stdin, sys.stdout, seconds=seconds, mebibytes=mebibytes)


if __name__ == "__main__":
    main()

"""One think in a process of its own: a question comes in as a line of JSON, and its answer goes out as another.

The process takes what the machine has to spare, no more memory and time than it is allowed, and ends as soon as nobody
waits for its answer: when its standard input ends.
"""

from __future__ import annotations

import json
import os
import resource
import signal
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import Any, TextIO

from games.registry import find
from games.robots.commands import answered
from games.robots.robot import think

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

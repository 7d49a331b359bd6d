"""Runs one think or analysis in a separate process: reads a question and writes its answer, each a line of JSON.

The process runs at the lowest priority, within limits of memory and time. It ends when its standard input
does: the caller has gone.
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

from games.engine.analysis import analyse
from games.engine.evaluation import Plain
from games.engine.puzzles import find_puzzles
from games.engine.robot import EngineMove, think
from games.protocol import Outcome, Position, Side
from games.registry import AnyGame, canonical, find

# Other programs as robots: a command reads a question as a line of JSON and prints its answer as another. The
# question has `game` (a name of `games.registry`), `position` and `earlier` ones as the game writes them,
# `level` and `seed`. The answer has `move` in canonical form, and optionally `score`, `scale`, `depth` and
# `nodes` of `Thought`.

ASKED = ("game", "position", "earlier", "level", "seed")


def answered(
    command: Sequence[str], game: AnyGame, position: Position, question: Mapping[str, Any]
) -> EngineMove:
    """Returns the command's move in the position. The command is run without a shell.

    Raises ValueError, OSError or CalledProcessError when it fails, or its answer is malformed or illegal.
    """
    line = json.dumps({key: question[key] for key in ASKED}) + "\n"
    done = subprocess.run(list(command), input=line, stdout=subprocess.PIPE, text=True, check=True)
    told = json.loads(done.stdout)
    if not isinstance(told, dict) or "move" not in told:
        raise ValueError(f"no move in its answer: {done.stdout[:200]!r}")
    move = game.move(str(told["move"]))
    if objection := position.objection(move):
        raise ValueError(f"it plays {move}, which is illegal: {objection.code}")
    numbers = (int(told.get(key, 0)) for key in ("depth", "nodes"))
    return EngineMove(move, int(told.get("score", 0)), int(told.get("scale", Plain.scale)), *numbers)


def question_of(
    game: AnyGame, position: Position, earlier: Sequence[Position], level: int, seed: int | str
) -> dict[str, Any]:
    """Returns the question for a command."""
    before = [str(one) for one in earlier] if game.repetition else []
    name = canonical(game, position.rules)
    return {"game": name, "position": str(position), "earlier": before, "level": level, "seed": seed}


Answers = Callable[[Mapping[str, Any]], dict[str, Any]]
LAST = 19  # the lowest priority
WINNERS = {"1-0": Side.FIRST, "0-1": Side.SECOND}


def answer(question: Mapping[str, Any], nodes: int | None = None) -> dict[str, Any]:
    """Answers a question: analyses a game with `moves`, else finds a move.

    The move is a robot's, or that of the question's `command`, if any. `game` is a name; `position` and
    `earlier` ones are as the game writes them. `nodes` is the budget of an analysis per ply.
    """
    if "moves" in question:
        return _analysis(question, nodes)
    game, rules = find(question["game"])
    position = game.position(rules, question["position"])
    if command := question.get("command"):
        thought = answered(command, game, position, question)
    else:
        earlier = [game.position(rules, text) for text in question["earlier"]]
        thought = think(game, position, question["level"], question["seed"], earlier)
    facts = {"move": str(thought.move), "score": thought.score, "scale": thought.scale}
    return facts | {"depth": thought.depth, "nodes": thought.nodes}


def _analysis(question: Mapping[str, Any], nodes: int | None) -> dict[str, Any]:
    """Analyses a game.

    `setup` and `moves` are as in a record, `result` is the score or "*"; with `puzzles`, the game's puzzles
    are added.
    """
    game, rules = find(question["game"])
    start = game.start(rules, question["setup"])
    score = question["result"]
    result = None if score == "*" else Outcome(WINNERS.get(score), "")
    moves = [game.move(text) for text in question["moves"]]
    found = analyse(game, start, moves, result, nodes).as_json()
    if question.get("puzzles"):
        positions = [start]
        for move in moves:
            positions.append(positions[-1].play(move))
        found["puzzles"] = [puzzle.as_json() for puzzle in find_puzzles(game, positions, nodes)]
    return found


def serve(source: TextIO, target: TextIO, *, seconds: int, mebibytes: int, answers: Answers = answer) -> None:
    """Answers one question. Raises ValueError when it is malformed."""
    step_back(seconds=seconds, mebibytes=mebibytes)
    question = json.loads(source.readline())
    threading.Thread(target=_end_with, args=(source.fileno(),), daemon=True).start()
    print(json.dumps(answers(question)), file=target, flush=True)


def step_back(*, seconds: int, mebibytes: int) -> None:
    """Lowers the priority of this process and sets its limits, at which the system ends it."""
    os.nice(LAST - os.nice(0))
    with suppress(AttributeError, OSError):  # unsupported or not permitted: the nice value has to do
        os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))
    resource.setrlimit(resource.RLIMIT_AS, (mebibytes << 20, mebibytes << 20))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _end_with(descriptor: int) -> None:
    """Ends this process when its input ends."""
    # The caller was killed, so the answer is not needed. A file object would be locked when Python ends.
    while os.read(descriptor, 4096):
        pass
    if os.getpgrp() == os.getpid():  # including any command that it has started
        os.killpg(0, signal.SIGKILL)
    os._exit(1)


def main() -> None:
    """Runs `python -m games.engine.child SECONDS MEBIBYTES`."""
    seconds, mebibytes = map(int, sys.argv[1:])
    serve(sys.stdin, sys.stdout, seconds=seconds, mebibytes=mebibytes)


if __name__ == "__main__":
    main()

"""Asks robots for moves: each question goes to a process of its own, within the processor time of the day."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from math import exp
from typing import Any

from django.conf import settings
from django.db.models import Q, Sum

from pbem.analysis.models import AnalysisJob
from pbem.matches.models import Match
from pbem.matches.plies import asked
from pbem.robots.models import EngineJob

# The process: limited, with low priority, and killable

TIMEOUT = 3  # a busy machine gives it a third of a processor
LONGEST_TROUBLE = 400


class Failed(Exception):
    """The process gave no answer, or one that makes no sense. The message is its last output."""

    def __init__(self, why: str, seconds: float = 0.0) -> None:
        super().__init__(why)
        self.seconds = seconds  # of the processor, without result


@dataclass(frozen=True)
class Answer:
    """The answer of a process, from JSON, and the processor seconds that it took."""

    told: Any
    seconds: float


@dataclass(frozen=True)
class Limits:
    """Limits on the time and the memory of a process."""

    cpu_seconds: int
    mebibytes: int = 512

    @property
    def patience(self) -> int:
        """Returns the wall-clock seconds until it is killed."""
        return TIMEOUT * self.cpu_seconds


def answer(module: str, question: Mapping[str, Any], limits: Limits) -> Answer:
    """Returns the answer of the module to the question. Raises Failed."""
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            command(module, limits),
            # It ends when we are killed: the other end of its standard input is ours.
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            env=environment(),
            close_fds=True,
            start_new_session=True,
        ) as child,
    ):
        said_back = _asked(child, json.dumps(question).encode() + b"\n", limits.patience)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)  # no second wait for it
        said.seek(0)
        return _understood(said_back, said.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime)


def command(module: str, limits: Limits) -> tuple[str, ...]:
    return sys.executable, "-s", "-P", "-m", module, str(limits.cpu_seconds), str(limits.mebibytes)


def environment() -> dict[str, str]:
    """Returns the environment of the process: the module path, no secrets, since engines are foreign code."""
    modules = dict.fromkeys([str(settings.ROOT), *filter(None, sys.path)])
    return {"PYTHONPATH": os.pathsep.join(modules), "PYTHONHASHSEED": "0"}


def _asked(child: subprocess.Popen[bytes], question: bytes, patience: int) -> bytes:
    assert child.stdin
    assert child.stdout
    fuse = threading.Timer(patience, _end, [child.pid])
    fuse.start()
    try:
        child.stdin.write(question)
        child.stdin.flush()
        return child.stdout.read()
    except OSError as broken:  # it ended before it read the question
        return str(broken).encode()
    finally:
        fuse.cancel()
        fuse.join()
        _end(child.pid)


def _end(pid: int) -> None:
    # `Popen.kill` would wait for an ended process, and lose its resource usage.
    os.killpg(pid, signal.SIGKILL)


def _understood(answered: bytes, said: str, seconds: float) -> Answer:
    try:
        return Answer(json.loads(answered), seconds)
    except ValueError:
        last = said.strip().rpartition("\n")[2][:LONGEST_TROUBLE]
        raise Failed(last or "it was ended, or went beyond its limits", seconds) from None


__all__ = ["EngineMove", "Failed", "ask", "lease_of", "question"]
CHILD = "games.engine.child"
CPU_SECONDS: Mapping[int, int] = {1: 20, 2: 60, 3: 300, 4: 1800}  # some ten times the usual
MEBIBYTES = 512
MARGIN = timedelta(seconds=30)  # of a lease, for the work after the think


@dataclass(frozen=True)
class EngineMove:
    """A think: `chance` is that of the player to move to win, from 0 to 1; `seconds` are processor time."""

    move: str
    score: int = 0
    chance: float = 0.5
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0


def lease_of(level: int) -> timedelta:
    return timedelta(seconds=limits(level).patience) + MARGIN


def question(row: EngineJob, match: Match) -> dict[str, Any]:
    """Returns the question for the process."""
    wanted = asked(match) | {"level": row.level, "seed": row.seed}
    command = command_for(row.level, match.game.key)
    return wanted | ({"command": shlex.split(command)} if command else {})


def command_for(level: int, game: str) -> str:
    """Returns the command of a foreign engine for this level and game; "" for our own."""
    commands: Mapping[str, str] = settings.ROBOT_COMMANDS
    return commands.get(f"{level} {game}") or commands.get(str(level), "")


def ask(wanted: Mapping[str, Any]) -> EngineMove:
    """Asks for a move. Raises Failed."""
    found = answer(CHILD, wanted, limits(int(wanted["level"])))
    try:
        told = found.told
        chance = 1 / (1 + exp(-max(-20.0, min(20.0, told["score"] / told["scale"]))))
        score, depth, nodes = (int(told[key]) for key in ("score", "depth", "nodes"))
        return EngineMove(str(told["move"]), score, chance, depth, nodes, found.seconds)
    except (ValueError, TypeError, KeyError, ZeroDivisionError):
        raise Failed("its answer makes no sense", found.seconds) from None


def limits(level: int) -> Limits:
    return Limits(CPU_SECONDS.get(level, max(CPU_SECONDS.values())), MEBIBYTES)


# The processor time of all robots in a day, for moves and studies

DAY = timedelta(days=1)


def is_spent(now: datetime) -> bool:
    return seconds_used(now) >= settings.ROBOT_CPU_PER_DAY


def seconds_used(now: datetime) -> float:
    """Returns the processor seconds of the last 24 hours, with all failed attempts of waiting studies."""
    thinks = EngineJob.objects.filter(created_at__gt=now - DAY)
    studies = AnalysisJob.objects.filter(Q(done_at__gt=now - DAY) | Q(status=AnalysisJob.Status.WAITING))
    return sum(rows.aggregate(all=Sum("seconds"))["all"] or 0.0 for rows in (thinks, studies))

"""Asks a process of its own for a move."""

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

from pbem.analysis.models import Study
from pbem.matches.models import Match
from pbem.matches.plies import asked
from pbem.robots.models import Think

# A question to a process of its own: it has limits, leaves the processor to everybody else, and can
# be killed.

PATIENCE = 3  # a busy machine gives it a third of a processor
LONGEST_TROUBLE = 400


class Failed(Exception):
    """No answer, or one that makes no sense. The message says what the process said last."""

    def __init__(self, why: str, seconds: float = 0.0) -> None:
        super().__init__(why)
        self.seconds = seconds  # of the processor, for nothing


@dataclass(frozen=True)
class Answer:
    """What the process said, as JSON has it, and the seconds of the processor that it took."""

    told: Any
    seconds: float


@dataclass(frozen=True)
class Limits:
    """Of a process that may be slow: of its own time, and of its memory."""

    cpu_seconds: int
    mebibytes: int = 512

    @property
    def patience(self) -> int:
        """Seconds until it is ended."""
        return PATIENCE * self.cpu_seconds


def answer(module: str, question: Mapping[str, Any], limits: Limits) -> Answer:
    """What the module says to the question. Raises Failed.

    The other end of its standard input is ours: it ends if we are killed.
    """
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            command(module, limits),
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
        child.returncode = os.waitstatus_to_exitcode(status)  # nobody else may wait for it now
        said.seek(0)
        return _understood(said_back, said.read().decode(errors="replace"), usage.ru_utime + usage.ru_stime)


def command(module: str, limits: Limits) -> tuple[str, ...]:
    return sys.executable, "-s", "-P", "-m", module, str(limits.cpu_seconds), str(limits.mebibytes)


def environment() -> dict[str, str]:
    """Nothing of ours but where modules lie: secrets are no business of a mind that somebody else wrote."""
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
    except OSError as broken:  # it has ended before it has read anything
        return str(broken).encode()
    finally:
        fuse.cancel()
        fuse.join()
        _end(child.pid)


def _end(pid: int) -> None:
    """`Popen.kill` would wait for one that has ended already, and what it has used would be lost."""
    os.killpg(pid, signal.SIGKILL)


def _understood(answered: bytes, said: str, seconds: float) -> Answer:
    try:
        return Answer(json.loads(answered), seconds)
    except ValueError:
        last = said.strip().rpartition("\n")[2][:LONGEST_TROUBLE]
        raise Failed(last or "it was ended, or went beyond its limits", seconds) from None


__all__ = ["Failed", "Thought", "ask", "lease_of", "question"]
CHILD = "games.robots.child"
CPU_SECONDS: Mapping[int, int] = {1: 20, 2: 60, 3: 300, 4: 1800}  # some ten times what is usual
MEBIBYTES = 512
MARGIN = timedelta(seconds=30)  # of a lease, for what comes after the think


@dataclass(frozen=True)
class Thought:
    """`chance` is that of the player to move to win, from 0 to 1; `seconds` are those of the processor."""

    move: str
    score: int = 0
    chance: float = 0.5
    depth: int = 0
    nodes: int = 0
    seconds: float = 0.0


def lease_of(level: int) -> timedelta:
    return timedelta(seconds=limits(level).patience) + MARGIN


def question(row: Think, match: Match) -> dict[str, Any]:
    """What the process is asked."""
    wanted = asked(match) | {"level": row.level, "seed": row.seed}
    command = command_for(row.level, match.game.key)
    return wanted | ({"command": shlex.split(command)} if command else {})


def command_for(level: int, game: str) -> str:
    """The line of another program that plays this game at this level here; "" where ours does."""
    commands: Mapping[str, str] = settings.ROBOT_COMMANDS
    return commands.get(f"{level} {game}") or commands.get(str(level), "")


def ask(wanted: Mapping[str, Any]) -> Thought:
    """Raises Failed."""
    found = answer(CHILD, wanted, limits(int(wanted["level"])))
    try:
        told = found.told
        chance = 1 / (1 + exp(-max(-20.0, min(20.0, told["score"] / told["scale"]))))
        score, depth, nodes = (int(told[key]) for key in ("score", "depth", "nodes"))
        return Thought(str(told["move"]), score, chance, depth, nodes, found.seconds)
    except (ValueError, TypeError, KeyError, ZeroDivisionError):
        raise Failed("its answer makes no sense", found.seconds) from None


def limits(level: int) -> Limits:
    return Limits(CPU_SECONDS.get(level, max(CPU_SECONDS.values())), MEBIBYTES)


# The processor time of a day that all robots together may use: for what they play, and for what
# they look into.

DAY = timedelta(days=1)


def is_spent(now: datetime) -> bool:
    return seconds_used(now) >= settings.ROBOT_CPU_PER_DAY


def seconds_used(now: datetime) -> float:
    """Since yesterday; of a study that waits, all that was in vain."""
    thinks = Think.objects.filter(created_at__gt=now - DAY)
    studies = Study.objects.filter(Q(done_at__gt=now - DAY) | Q(status=Study.Status.WAITING))
    return sum(rows.aggregate(all=Sum("seconds"))["all"] or 0.0 for rows in (thinks, studies))

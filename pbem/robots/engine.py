"""Asks a process of its own for a move: it has limits, leaves the processor to everybody else, and can be killed."""

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
from datetime import timedelta
from math import exp
from typing import Any

from django.conf import settings

from pbem.matches.asked import asked
from pbem.matches.models import Match
from pbem.robots.models import Think

CPU_SECONDS: Mapping[int, int] = {1: 20, 2: 60, 3: 300, 4: 1800}  # some ten times what is usual
PATIENCE = 3  # a busy machine gives it a third of a processor
MEBIBYTES = 512
MARGIN = timedelta(seconds=30)  # of a lease, for what comes after the think
LONGEST_TROUBLE = 400


class Failed(Exception):
    """No answer, or one that makes no sense. The message says what the process said last."""

    def __init__(self, why: str, seconds: float = 0.0) -> None:
        super().__init__(why)
        self.seconds = seconds  # of the processor, for nothing


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
    return timedelta(seconds=_patience(level)) + MARGIN


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
    """Raises Failed. The other end of its standard input is ours: it ends if we are killed."""
    level = int(wanted["level"])
    with (
        tempfile.TemporaryFile() as said,
        subprocess.Popen(
            _command(level),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            env=_environment(),
            close_fds=True,
            start_new_session=True,
        ) as child,
    ):
        assert child.stdin
        assert child.stdout
        fuse = threading.Timer(_patience(level), _end, [child.pid])
        fuse.start()
        try:
            child.stdin.write(json.dumps(wanted).encode() + b"\n")
            child.stdin.flush()
            answer = child.stdout.read()
        except OSError as broken:  # it has ended before it has read anything
            answer = str(broken).encode()
        finally:
            fuse.cancel()
            fuse.join()
            _end(child.pid)
        _, status, usage = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)  # nobody else may wait for it now
        said.seek(0)
        seconds = usage.ru_utime + usage.ru_stime
        return _understood(answer, said.read().decode(errors="replace"), seconds)


def _end(pid: int) -> None:
    """`Popen.kill` would wait for one that has ended already, and what it has used would be lost."""
    os.killpg(pid, signal.SIGKILL)


def _command(level: int) -> list[str]:
    return [sys.executable, "-s", "-P", "-m", "games.robots.child", str(_cpu_seconds(level)), str(MEBIBYTES)]


def _environment() -> dict[str, str]:
    """Nothing of ours but where modules lie: secrets are no business of a mind that somebody else wrote."""
    modules = dict.fromkeys([str(settings.ROOT), *filter(None, sys.path)])
    return {"PYTHONPATH": os.pathsep.join(modules), "PYTHONHASHSEED": "0"}


def _cpu_seconds(level: int) -> int:
    return CPU_SECONDS.get(level, max(CPU_SECONDS.values()))


def _patience(level: int) -> int:
    return PATIENCE * _cpu_seconds(level)


def _understood(answer: bytes, said: str, seconds: float) -> Thought:
    try:
        told = json.loads(answer)
        chance = 1 / (1 + exp(-max(-20.0, min(20.0, told["score"] / told["scale"]))))
        move, (score, depth, nodes) = (
            str(told["move"]),
            (int(told[key]) for key in ("score", "depth", "nodes")),
        )
        return Thought(move, score, chance, depth, nodes, seconds)
    except (ValueError, TypeError, KeyError, ZeroDivisionError):
        last = said.strip().rpartition("\n")[2][:LONGEST_TROUBLE]
        raise Failed(last or "it was ended, or went beyond its limits", seconds) from None

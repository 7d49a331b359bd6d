"""A question to a process of its own: it has limits, leaves the processor to everybody else, and can be killed."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from django.conf import settings

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

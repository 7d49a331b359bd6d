"""A question to a process of its own: it has limits, leaves the processor to everybody else, and can be killed."""

from __future__ import annotations

import json
import os
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


@dataclass(frozen=True)
class Limits:
    """Of a process that may be slow: of its own time, and of its memory."""

    cpu_seconds: int
    mebibytes: int = 512

    @property
    def patience(self) -> int:
        """Seconds until it is ended."""
        return PATIENCE * self.cpu_seconds


def answer(module: str, question: Mapping[str, Any], limits: Limits) -> Any:
    """What the module says to the question, as JSON. Raises Failed.

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
        ) as child,
    ):
        told = _asked(child, json.dumps(question).encode() + b"\n", limits.patience)
        said.seek(0)
        return _understood(told, said.read().decode(errors="replace"))


def command(module: str, limits: Limits) -> tuple[str, ...]:
    return sys.executable, "-s", "-P", "-m", module, str(limits.cpu_seconds), str(limits.mebibytes)


def environment() -> dict[str, str]:
    """Nothing of ours but where modules lie: secrets are no business of a mind that somebody else wrote."""
    modules = dict.fromkeys([str(settings.ROOT), *filter(None, sys.path)])
    return {"PYTHONPATH": os.pathsep.join(modules), "PYTHONHASHSEED": "0"}


def _asked(child: subprocess.Popen[bytes], question: bytes, patience: int) -> bytes:
    assert child.stdin
    assert child.stdout
    fuse = threading.Timer(patience, child.kill)
    fuse.start()
    try:
        child.stdin.write(question)
        child.stdin.flush()
        told = child.stdout.read()
    except OSError as broken:  # it has ended before it has read anything
        told = str(broken).encode()
    finally:
        fuse.cancel()
        child.kill()
    child.wait()
    return told


def _understood(told: bytes, said: str) -> Any:
    try:
        return json.loads(told)
    except ValueError:
        last = said.strip().rpartition("\n")[2][:LONGEST_TROUBLE]
        raise Failed(last or "it was ended, or went beyond its limits") from None

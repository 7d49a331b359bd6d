"""Commands of the service as processes of their own, and patience with them."""

from __future__ import annotations

import os
import signal
import subprocess
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import psutil
import pytest

ROOT = Path(__file__).resolve().parents[1]
TIMEOUT = 120.0  # seconds; everything here takes a few, but the machine may be busy


def wait_until(happened: Callable[[], Any], what: str, patience: float = TIMEOUT) -> Any:
    """What `happened` gives once it is true."""
    end = time.monotonic() + patience
    while not (result := happened()):
        if time.monotonic() > end:
            pytest.fail(f"not within {patience:g} s: {what}")
        time.sleep(0.02)
    return result


class Process:
    """A command of the service; what it says goes to a file."""

    def __init__(self, command: list[str], env: dict[str, str], log: Path) -> None:
        self.log = log
        with log.open("wb") as output:
            self._popen = subprocess.Popen(
                command,
                cwd=ROOT,
                env=env,
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                start_new_session=True,  # so that its children can be ended with it
            )

    @property
    def said(self) -> str:
        return self.log.read_text()

    @property
    def ended(self) -> int | None:
        """The exit status; None while it runs."""
        return self._popen.poll()

    def is_ready(self, sign: str) -> None:
        """Wait until it has said so."""
        wait_until(lambda: sign in self.said or self._popen.poll() is not None, f"{sign!r} in {self.log}")
        assert self._popen.poll() is None, self.said

    def holds(self, port: int) -> bool:
        """Whether it is the process that a connection from this port belongs to."""
        with suppress(psutil.Error):
            lines = psutil.Process(self._popen.pid).net_connections("tcp")
            return any(line.laddr.port == port for line in lines)
        return False

    @property
    def memory(self) -> int:
        """Octets that it holds in memory at the moment."""
        pages = Path(f"/proc/{self._popen.pid}/statm").read_text().split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE")

    @property
    def children(self) -> list[psutil.Process]:
        """What it has started and has not ended."""
        with suppress(psutil.Error):
            return psutil.Process(self._popen.pid).children(recursive=True)
        return []

    def tell(self, number: int) -> None:
        """Nothing, if it has ended."""
        self._popen.send_signal(number)

    def end(self, number: int = signal.SIGTERM) -> int:
        """Send the signal; the exit status, negative for a signal that killed it."""
        self._popen.send_signal(number)
        return self.status()

    def status(self) -> int:
        try:
            return self._popen.wait(TIMEOUT)
        except subprocess.TimeoutExpired:
            self._popen.kill()
            self._popen.wait()
            pytest.fail(f"did not end:\n{self.said}")

    def stop(self) -> None:
        if self._popen.poll() is None:
            os.killpg(self._popen.pid, signal.SIGKILL)
            self.status()

"""Starts the service as an operator would, each process on high loopback ports, and watches what it costs."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from socket import create_connection

from tests.bench.memory import mib
from tests.smtp_fixtures import Address

ROOT = Path(__file__).resolve().parents[2]
TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Processes:
    """Some processes with all that they have started."""

    pids: tuple[int, ...]

    @property
    def cpu(self) -> float:
        """Seconds of CPU so far, with those of children that have ended."""
        fields = (Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split() for pid in self._family())
        return sum(sum(map(int, field[11:15])) for field in fields) / TICKS

    @property
    def memory(self) -> float:
        """MiB, what several share counted once."""
        return mib(self._family())

    def _family(self) -> Iterator[int]:
        waiting = list(self.pids)
        while waiting:
            pid = waiting.pop()
            yield pid
            waiting += map(int, Path(f"/proc/{pid}/task/{pid}/children").read_text().split())


@contextmanager
def started(
    commands: Sequence[Sequence[str]], settings: Mapping[str, str], door: Address, root: Path = ROOT
) -> Iterator[Processes]:
    """The commands run side by side until the block ends; inside, the door answers. Logs lie in VAR."""
    environment = {**os.environ, **settings}
    log = Path(settings["VAR"]) / "bench.log"
    with log.open("ab") as file:
        running = [
            subprocess.Popen(command, cwd=root, env=environment, stdout=file, stderr=file)
            for command in commands
        ]
        try:
            _wait_for(door, running, log)
            yield Processes(tuple(process.pid for process in running))
        finally:
            for process in running:
                process.send_signal(signal.SIGTERM)
            for process in running:
                _end(process)


def manage(*words: str) -> list[str]:
    return [sys.executable, "manage.py", *words]


def migrated(settings: Mapping[str, str], root: Path = ROOT) -> None:
    subprocess.run(
        manage("migrate", "--verbosity", "0"), cwd=root, env={**os.environ, **settings}, check=True
    )


def _wait_for(door: Address, running: Sequence[subprocess.Popen[bytes]], log: Path) -> None:
    for _ in range(600):
        if any(process.poll() is not None for process in running):
            raise RuntimeError(f"a process of the service has ended: {log.read_text()[-2000:]}")
        try:
            create_connection(door, timeout=1).close()
            return
        except OSError:
            time.sleep(0.05)
    raise RuntimeError(f"nobody answers at {door}: {log.read_text()[-2000:]}")


def _end(process: subprocess.Popen[bytes]) -> None:
    try:
        process.wait(timeout=20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()

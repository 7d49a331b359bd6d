"""The service as in production, each process its own; each that dies is started again, as systemd would."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from time import sleep

from tests.chaos.deaths import Death
from tests.processes import ROOT, Process
from tests.servers import Postgres, Redis
from tests.smtp_fixtures import Address, free_port

CELERY = [sys.executable, "-m", "pbem.celery_command", "-A", "pbem"]
BEAT = [sys.executable, "-m", "pbem.celery_command", "-A", "pbem.beat", "beat"]
WORKER = [*CELERY, "worker", "--pool", "solo", "--without-gossip", "--without-mingle"]
WHILE_STARTING = 0.3  # of all who are killed at any time are killed again before they are ready
STARTS = 1.5  # seconds
WATCH = 0.05  # seconds between two looks
# The pauses of production, shortened so that a run ends today.
IMPATIENT = {
    "SWEEP_SECONDS": "2",
    "LEASE_SECONDS": "10",
    "BACK_OFF_MINUTES": "0.02,0.05,0.1",
    "SLOW_DOWN_SECONDS": "0.5,1",
}
DEVELOPMENT = {"DJANGO_SETTINGS_MODULE": "tests.chaos.impatient", "DEVELOPMENT": "1"}


def migrate(database: str) -> None:
    """Make the tables."""
    command = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(command, cwd=ROOT, env={**os.environ, **DEVELOPMENT, "DATABASE_URL": database}, check=True)


@dataclass
class Unit:
    """A process that runs for ever, and how it is to die next."""

    name: str
    command: Sequence[str]
    lives: int = 0
    process: Process | None = None
    fate: Death | None = None

    @property
    def who(self) -> str:
        return self.name.rstrip("0123456789")


@dataclass
class House:
    """`deaths` counts those who died, by kind; `fallen` those whom nobody had killed."""

    folder: Path
    database: str
    postgres: Postgres
    redis: Redis
    settings: dict[str, str]
    line: Callable[[], int]  # the port from which a letter was last sent
    beat: bool = True
    door: Address = field(default_factory=lambda: ("127.0.0.1", free_port()))
    deaths: Counter[str] = field(default_factory=Counter)
    fallen: list[str] = field(default_factory=list)
    _fates: dict[str, deque[Death]] = field(default_factory=dict)
    _units: list[Unit] = field(default_factory=list)
    _still: set[str] = field(default_factory=set)  # stopped
    _away: set[str] = field(default_factory=set)  # not to be started
    _closing: threading.Event = field(default_factory=threading.Event)
    peace: threading.Lock = field(default_factory=threading.Lock)  # the one who has it is not killed
    _lock: threading.RLock = field(default_factory=threading.RLock)

    @contextmanager
    def open(self, fates: Sequence[Death] = ()) -> Iterator[None]:
        """All processes run inside the block. `fates` are deaths at moments, met one after the other."""
        for fate in fates:
            self._fates.setdefault(fate.who, deque()).append(fate)
        self._units += [
            Unit("door", [sys.executable, "manage.py", "smtpd"]),
            Unit("worker1", [*WORKER, "-n", "worker1@%h"]),
            Unit("worker2", [*WORKER, "-n", "worker2@%h"]),
            Unit("robots", [*WORKER, "-n", "robots@%h", "-Q", "robots"]),
        ]
        if self.beat:
            self._units.append(Unit("beat", [*BEAT, "--schedule", str(self.folder / "beat")]))
        watching = threading.Thread(target=self._watch, name="systemd")
        try:
            for unit in self._units:
                self._start(unit)
            watching.start()
            yield
        finally:
            self._closing.set()
            if watching.ident:
                watching.join()
            for unit in self._units:
                if unit.process:
                    unit.process.stop()

    def add(self, name: str, command: Sequence[str]) -> None:
        """One more process of the house that is about to open."""
        self._units.append(Unit(name, command))

    def kill(self, who: str, rng: Random) -> None:
        """From outside, at any time; a fate that was not met is another's."""
        with self.peace:
            self._kill(who, rng)

    def _kill(self, who: str, rng: Random) -> None:
        self.deaths[who] += 1
        servers: dict[str, Callable[[], None]] = {"redis": self._lose_tasks, "postmaster": self._lose_rows}
        if who in servers:
            servers[who]()
            return
        with self._lock:
            candidates = [unit for unit in self._candidates(who) if unit.name not in self._away]
            if not candidates:
                return
            unit = rng.choice(candidates)
            self._replace(unit)
            if rng.random() < WHILE_STARTING:
                sleep(rng.uniform(0.0, STARTS))
                self.deaths[f"starting {unit.who}"] += 1
                self._replace(unit)

    @contextmanager
    def standing_still(self, who: str, rng: Random) -> Iterator[None]:
        """One of them is stopped inside the block, and counts as one that may have had a letter in its hands."""
        with self._lock:
            candidates = [unit for unit in self._candidates(who) if unit.name not in self._still]
            unit = rng.choice(candidates)
            process = unit.process
            assert process is not None
            self._still.add(unit.name)
            self.deaths[f"{who} stopped"] += 1
        process.tell(signal.SIGSTOP)
        try:
            yield
        finally:
            self._still.discard(unit.name)
            process.tell(signal.SIGCONT)

    @contextmanager
    def without(self, *whos: str) -> Iterator[None]:
        """None of them is started again inside the block."""
        with self._lock:
            units = [unit for unit in self._units if unit.who in whos]
            self._away |= {unit.name for unit in units}
            for unit in units:
                if unit.fate:
                    self._fates[unit.who].appendleft(unit.fate)
                if unit.process:
                    unit.process.stop()
                    self.deaths[f"{unit.who} away"] += 1
        try:
            yield
        finally:
            with self._lock:
                self._away -= {unit.name for unit in units}
                for unit in units:
                    self._start(unit)

    def manage(self, *words: str) -> None:
        """A command of the operator's. Raises CalledProcessError."""
        env = self._environment | {"PATH": f"{self.postgres.tools}{os.pathsep}{os.environ['PATH']}"}
        command = [sys.executable, "manage.py", *words]
        subprocess.run(command, cwd=ROOT, env=env, check=True, capture_output=True, text=True)

    def _candidates(self, who: str) -> list[Unit]:
        """The sender is whichever worker is at the other end of the line, if any is."""
        if who != "sender":
            return [unit for unit in self._units if unit.who == who]
        workers = self._candidates("worker")
        port = self.line()
        return [unit for unit in workers if unit.process and unit.process.holds(port)] or workers

    def _replace(self, unit: Unit) -> None:
        if unit.fate:
            self._fates[unit.who].appendleft(unit.fate)
        if unit.process:
            unit.process.stop()
        self._start(unit)

    def spare(self) -> None:
        """From now on nobody else dies: the one who is doomed starts anew, counted as killed from outside."""
        with self._lock:
            self._fates.clear()
            for unit in self._units:
                if unit.fate and unit.process and unit.name not in self._away:
                    unit.process.stop()
                    self.deaths[unit.who] += 1
                    self._start(unit)

    def _lose_tasks(self) -> None:
        self.redis.kill()
        sleep(0.5)
        self.redis.start()

    def _lose_rows(self) -> None:
        self.postgres.kill()
        sleep(0.5)
        self.postgres.start()

    def _watch(self) -> None:
        while not self._closing.wait(WATCH):
            with self._lock:
                for unit in self._units:
                    if unit.name not in self._away and unit.process and unit.process.ended is not None:
                        self._bury(unit, unit.process)
                        self._start(unit)

    def _bury(self, unit: Unit, process: Process) -> None:
        if unit.fate and process.ended == -signal.SIGKILL:
            self.deaths[str(unit.fate)] += 1
        else:
            self.fallen.append(f"{unit.name} ended with {process.ended}: {process.said[-500:]}")
            sleep(0.5)

    def _start(self, unit: Unit) -> None:
        waiting = self._fates.get(unit.who)
        unit.fate = waiting.popleft() if waiting else None
        unit.lives += 1
        die_at = {"DIE_AT": f"{unit.fate.moment}:{unit.fate.times}"} if unit.fate else {}
        log = self.folder / f"{unit.name}.{unit.lives:03}.log"
        unit.process = Process(list(unit.command), self._environment | die_at, log)

    @property
    def _environment(self) -> dict[str, str]:
        return {
            **os.environ,
            **DEVELOPMENT,
            "VAR": str(self.folder),
            "DATABASE_URL": self.database,
            "CELERY_BROKER_URL": self.redis.url,
            "SMTP_LISTEN": "{}:{}".format(*self.door),
            **IMPATIENT,
            **self.settings,
        }

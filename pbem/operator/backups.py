"""Makes backups while the service runs, and restores them: the manifest, the rows, and the files of VAR."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import tarfile
from collections.abc import Iterator
from contextlib import closing, suppress
from dataclasses import asdict, dataclass
from datetime import datetime
from io import BytesIO
from pathlib import Path, PurePosixPath
from shutil import copy2
from tempfile import TemporaryDirectory
from time import monotonic, sleep
from typing import Any

import psycopg
from django import VERSION as DJANGO
from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader

from pbem.matches.clock import outages
from pbem.matches.models import Match
from pbem.old_databases import OLD, is_old
from pbem.outbox.after_restore import restored
from pbem.players import services
from pbem.players.models import Player, Restore
from pbem.players.tokens import Keyring, fingerprint

# The manifest: enough to refuse a damaged backup, one of another database, or one of a later version

NAME = "manifest.json"
FORMAT = 1


class Unusable(Exception):
    """A backup cannot be made, or not restored here. The message says why."""


@dataclass(frozen=True)
class Manifest:
    """A backup's contents. `files`: SHA-256 by name in the archive; `keys`: fingerprints of the keyring."""

    format: int
    made_at: str
    django: str
    database: str
    epoch: int
    matches: int
    players: int
    keys: dict[str, str]
    migrations: list[str]
    files: dict[str, str]

    @classmethod
    def of_now(cls, now: datetime, files: dict[str, Path]) -> Manifest:
        return cls(
            format=FORMAT,
            made_at=now.isoformat(),
            django=".".join(map(str, DJANGO[:3])),
            database=connection.vendor,
            epoch=next(iter(services.known(now))),
            matches=Match.objects.count(),
            players=Player.objects.people().count(),
            keys=keys_of(settings.MAIL_TOKEN_KEYS),
            migrations=sorted(map(".".join, MigrationLoader(connection).applied_migrations)),
            files={name: sha256(path) for name, path in files.items()},
        )

    @classmethod
    def read(cls, text: bytes) -> Manifest:
        try:
            told = json.loads(text)
            if told["format"] != FORMAT:
                raise Unusable(f"It has format {told['format']!r}; this program reads {FORMAT}.")
            return cls(**told)
        except (ValueError, TypeError, KeyError, RecursionError) as mistake:
            raise Unusable(f"{NAME} cannot be read: {mistake}") from mistake

    def written(self) -> bytes:
        return json.dumps(asdict(self), indent=1, sort_keys=True).encode()

    def check(self, folder: Path) -> None:
        """Raises Unusable when a file is damaged, or its database or migrations do not fit this program."""
        for name, digest in self.files.items():
            if not (folder / name).is_file() or sha256(folder / name) != digest:
                raise Unusable(f"{name} is damaged or missing.")
        if self.database != connection.vendor:
            raise Unusable(
                f"It is of {self.database}, and DATABASE_URL names {connection.vendor}: deploy/move.md says how to "
                "change the database."
            )
        applied = {
            (app, name) for app, _, name in (migration.partition(".") for migration in self.migrations)
        }
        if is_old(applied):
            raise Unusable(f"{OLD} Restore it with that release.")
        known = set(MigrationLoader(None).disk_migrations)
        if unknown := sorted(map(".".join, applied - known)):
            raise Unusable(f"A later program made it; this one does not know {', '.join(unknown)}.")

    @property
    def lost_keys(self) -> list[str]:
        """Returns the numbers of the backup's keys that MAIL_TOKEN_KEYS lacks, and its addresses may need."""
        ours = keys_of(settings.MAIL_TOKEN_KEYS)
        return [number for number, seen in self.keys.items() if ours.get(number) != seen]


def keys_of(setting: str) -> dict[str, str]:
    """Returns a fingerprint for each key of the keyring, by number."""
    keys = Keyring.parse(setting).keys
    return {str(number): fingerprint(Keyring({number: key}), "backup") for number, key in keys.items()}


def sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


# Dump and load: SQLite's backup interface, or pg_dump and pg_restore

SQLITE, POSTGRESQL = "pbem.sqlite3", "pbem.dump"
LEAVING = 2.0  # seconds until a connection that was closed is gone


def dump(folder: Path) -> Path:
    """Writes all rows as of one moment, while others may write."""
    if connection.vendor == "sqlite":
        path = folder / SQLITE
        with closing(sqlite3.connect(path)) as copy:
            _sqlite().backup(copy)
            copy.execute("PRAGMA journal_mode=DELETE")
            _check(copy)
        return path
    path = folder / POSTGRESQL
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={path}")
    return path


def load(folder: Path) -> None:
    """Replaces the rows of the database."""
    if connection.vendor == "sqlite":
        with closing(sqlite3.connect(folder / SQLITE)) as copy:
            _check(copy)
            copy.backup(_sqlite())
        connection.close()
        return
    connection.close()
    _run(
        "pg_restore",
        "--clean",
        "--if-exists",
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        "--exit-on-error",
        str(folder / POSTGRESQL),
    )


def others() -> int:
    """Counts the other processes that are connected: exactly on PostgreSQL, 0 or 1 on SQLite."""
    return _others_of_postgresql() if connection.vendor == "postgresql" else _others_of_sqlite()


def _others_of_postgresql() -> int:
    # On a connection of its own: those of our pool end a moment after it is closed.
    ours: Any = connection
    ours.close()
    ours.close_pool()
    end = monotonic() + LEAVING
    with psycopg.connect(**ours.get_connection_params(), autocommit=True) as alone:
        while (count := _connected(alone)) and monotonic() < end:
            sleep(0.05)
    return count


def _connected(alone: psycopg.Connection[Any]) -> int:
    found = alone.execute(
        "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() "
        "AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
    ).fetchone()
    return int(found[0]) if found else 0


def _others_of_sqlite() -> int:
    name = connection.settings_dict["NAME"]
    if not Path(name).is_file():
        return 0
    connection.close()
    with closing(sqlite3.connect(name, timeout=0)) as alone:
        try:
            # An open WAL connection blocks the switch to DELETE mode.
            alone.execute("PRAGMA journal_mode=DELETE")
        except sqlite3.OperationalError:
            return 1
    return 0


def _sqlite() -> sqlite3.Connection:
    connection.ensure_connection()
    opened: Any = connection.connection
    return opened  # type: ignore[no-any-return]


def _check(copy: sqlite3.Connection) -> None:
    said = copy.execute("PRAGMA quick_check").fetchone()[0]
    if said != "ok":
        raise Unusable(f"SQLite finds the database damaged: {said}")


def _run(tool: str, *options: str) -> None:
    found = shutil.which(tool)
    if found is None:
        raise Unusable(f"{tool} is not there: install the client tools of PostgreSQL (postgresql-client).")
    told = connection.settings_dict
    places = {
        "PGHOST": "HOST",
        "PGPORT": "PORT",
        "PGUSER": "USER",
        "PGPASSWORD": "PASSWORD",
        "PGDATABASE": "NAME",
    }
    # The password is in the environment, so that no list of processes shows it.
    env = os.environ | {name: str(told[key]) for name, key in places.items() if told.get(key)}
    named = (f"--dbname={told['NAME']}",) if tool == "pg_restore" else ()
    done = subprocess.run([found, *named, *options], env=env, capture_output=True, text=True, check=False)
    if done.returncode:
        raise Unusable(f"{tool}: {done.stderr.strip()[-2000:]}")


MADE_AGAIN = frozenset({"static", "beat", "backups", ".pbem-"})  # and names that begin with these


def back_up(target: Path, now: datetime) -> Path:
    """Returns the path of the new archive; in a folder it is named after the moment. Raises Unusable."""
    path = target / f"pbem-{now:%Y%m%d-%H%M%S}.tar.gz" if target.is_dir() else target
    if path.exists():
        raise Unusable(f"{path} is there already.")
    try:
        with TemporaryDirectory(prefix=".pbem-", dir=path.parent) as folder:
            packed = _pack(Path(folder), now)
            path.touch(exist_ok=False)  # never over a file that another process has made meanwhile
            packed.replace(path)
    except FileExistsError as there:
        raise Unusable(f"{path} is there already.") from there
    except OSError as trouble:
        raise Unusable(f"It cannot be written: {trouble}") from trouble
    return path


def _pack(folder: Path, now: datetime) -> Path:
    rows = dump(folder)
    files = {rows.name: rows} | dict(_files_of_var(folder / "var"))
    manifest = Manifest.of_now(now, files)
    packed = folder / "packed"
    with os.fdopen(os.open(packed, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
            told = tarfile.TarInfo(NAME)
            told.size, told.mtime = len(manifest.written()), int(now.timestamp())
            archive.addfile(told, BytesIO(manifest.written()))
            for name, path in files.items():
                archive.add(path, name, recursive=False)
        file.flush()
        os.fsync(file.fileno())
    return packed


def _files_of_var(copies: Path) -> Iterator[tuple[str, Path]]:
    """Yields copies of the files in VAR, without the database and what the program makes anew."""
    made_again = MADE_AGAIN
    if connection.vendor == "sqlite":
        made_again |= {Path(connection.settings_dict["NAME"]).name}
    for path in sorted(settings.VAR.rglob("*")):
        inside = path.relative_to(settings.VAR)
        if any(inside.parts[0].startswith(name) for name in made_again) or path.name.endswith(".tar.gz"):
            continue
        if path.is_file() and not path.is_symlink():
            (copies / inside).parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # deleted meanwhile
                yield f"var/{inside.as_posix()}", Path(copy2(path, copies / inside))


# Restore

Epochs = list[tuple[int, datetime | None, datetime]]


def restore(path: Path, *, now: datetime, force: bool = False) -> tuple[Manifest, Restore]:
    """Restores a backup and begins a new epoch. Raises Unusable before anything has changed."""
    with TemporaryDirectory(prefix="pbem-") as name:
        folder = Path(name)
        manifest = unpacked(path, folder)
        manifest.check(folder)
        known = _known_epochs()
        if not force and holds_matches():
            raise Unusable(
                "The database holds matches. With --force they are replaced by those of the backup."
            )
        if others():
            raise Unusable("Something is connected to the database: stop the service first.")
        load(folder)
        bring_files(folder / "var")
    call_command("migrate", interactive=False, verbosity=0)
    services.forget()
    outages.forget()
    for number, since, restored_at in known:
        Restore.objects.get_or_create(number=number, defaults={"since": since, "restored_at": restored_at})
    return manifest, restored(now=now)


def unpacked(path: Path, folder: Path) -> Manifest:
    try:
        unpack(path, folder)
        return Manifest.read((folder / NAME).read_bytes())
    except (OSError, EOFError, tarfile.TarError) as trouble:
        raise Unusable(f"{path} is no backup that can be read: {trouble}") from trouble


def unpack(path: Path, folder: Path) -> None:
    """Extracts plain files and folders inside the archive. Raises OSError, EOFError or TarError."""
    with tarfile.open(path) as archive:
        # The filter of PEP 706 is missing before Python 3.11.4 (Debian 12), hence the check of our own.
        if strange := next((member.name for member in archive if not _is_plain(member)), ""):
            raise tarfile.TarError(f"{strange!r} is no file within it")
        archive.extraction_filter = getattr(tarfile, "data_filter", None)
        archive.extractall(folder)


def _is_plain(member: tarfile.TarInfo) -> bool:
    path = PurePosixPath(member.name)
    return (member.isreg() or member.isdir()) and not path.is_absolute() and ".." not in path.parts


def holds_matches() -> bool:
    return _is_there(Match._meta.db_table) and Match.objects.exists()


def _known_epochs() -> Epochs:
    """Returns the epochs of the replaced rows: their reply addresses are in letters that have been sent."""
    if not _is_there(Restore._meta.db_table):
        return []
    return list(Restore.objects.values_list("number", "since", "restored_at"))


def _is_there(table: str) -> bool:
    return table in connection.introspection.table_names()


def bring_files(folder: Path) -> None:
    """Copies the files into VAR; files that exist there are newer and stay."""
    for path in sorted(folder.rglob("*")):
        place = settings.VAR / path.relative_to(folder)
        if path.is_file() and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place)

"""Brings a backup back, in place of what the database holds, and says so to everybody who plays."""

from __future__ import annotations

import shutil
import tarfile
from datetime import datetime
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory

from django.conf import settings
from django.core.management import call_command
from django.db import connection

from pbem.desk.backups import database
from pbem.desk.backups.manifest import NAME, Manifest, Unusable
from pbem.matches.clock import heartbeat
from pbem.matches.models import Match
from pbem.outbox.after_restore import restored
from pbem.players import epochs
from pbem.players.models import Restore

Epochs = list[tuple[int, datetime | None, datetime]]


def restore(path: Path, *, now: datetime, force: bool = False) -> tuple[Manifest, Restore]:
    """Raises Unusable before anything was changed; what was there is gone only once the rows are in."""
    with TemporaryDirectory(prefix="pbem-") as name:
        folder = Path(name)
        manifest = unpacked(path, folder)
        manifest.check(folder, connection.vendor)
        known = _known_epochs()
        if not force and holds_matches():
            raise Unusable(
                "The database holds matches. With --force they are replaced by those of the backup."
            )
        if database.others():
            raise Unusable("Something is connected to the database: stop the service first.")
        database.load(folder)
        bring_files(folder / "var")
    call_command("migrate", interactive=False, verbosity=0)
    epochs.forget()
    heartbeat.forget()
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
    """Raises OSError, EOFError or TarError; for all but files and folders within it, too.

    The filter of PEP 706 is not in Python before 3.11.4, such as Debian 12 has, so we look ourselves as well.
    """
    with tarfile.open(path) as archive:
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
    """Of the rows that are replaced: their reply addresses are out in the world, and are ours."""
    if not _is_there(Restore._meta.db_table):
        return []
    return list(Restore.objects.values_list("number", "since", "restored_at"))


def _is_there(table: str) -> bool:
    return table in connection.introspection.table_names()


def bring_files(folder: Path) -> None:
    """What is there is newer, and stays."""
    for path in sorted(folder.rglob("*")):
        place = settings.VAR / path.relative_to(folder)
        if path.is_file() and not place.exists():
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(path, place)

"""A service moves: to another machine, or from one database to the other. Nothing is lost, so no epoch begins."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from pbem.desk.backups import database, portable
from pbem.desk.backups.archive import back_up
from pbem.desk.backups.manifest import Manifest, Unusable
from pbem.desk.backups.portable import Table
from pbem.desk.backups.restore import bring_files, holds_matches, unpacked
from pbem.matches.clock import heartbeat
from pbem.players import epochs


def move_out(target: Path, now: datetime) -> Path:
    """Raises Unusable."""
    _alone()
    return back_up(target, now, dump=portable.dump, kind=portable.ANY)


def move_in(path: Path, *, force: bool = False) -> tuple[Manifest, Sequence[Table]]:
    """Raises Unusable; the database is then as it was before."""
    with TemporaryDirectory(prefix="pbem-") as name:
        folder = Path(name)
        manifest = unpacked(path, folder)
        manifest.check(folder, portable.ANY)
        if not force and holds_matches():
            raise Unusable("The database holds matches. With --force they are replaced by those of the file.")
        _alone()
        tables = portable.load(folder / portable.ROWS)
        bring_files(folder / "var")
    epochs.forget()
    heartbeat.forget()
    return manifest, tables


def _alone() -> None:
    if database.others():
        raise Unusable("Something is connected to the database: stop the service first.")

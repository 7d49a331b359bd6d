"""Makes a backup: while the service runs, and never over another one."""

from __future__ import annotations

import os
import tarfile
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import datetime
from io import BytesIO
from pathlib import Path
from shutil import copy2
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection

from pbem.desk.backups import database
from pbem.desk.backups.manifest import NAME, Manifest, Unusable

MADE_AGAIN = frozenset({"static", "beat", "backups", ".pbem-"})  # and whatever begins like these


def back_up(
    target: Path, now: datetime, *, dump: Callable[[Path], Path] = database.dump, kind: str = ""
) -> Path:
    """The file that it is in. A folder gets one that is named after the moment. Raises Unusable."""
    path = target / f"pbem-{now:%Y%m%d-%H%M%S}.tar.gz" if target.is_dir() else target
    if path.exists():
        raise Unusable(f"{path} is there already.")
    try:
        with TemporaryDirectory(prefix=".pbem-", dir=path.parent) as folder:
            packed = _pack(Path(folder), now, dump, kind)
            path.touch(exist_ok=False)  # another that has come up meanwhile stays
            packed.replace(path)
    except FileExistsError as there:
        raise Unusable(f"{path} is there already.") from there
    except OSError as trouble:
        raise Unusable(f"It cannot be written: {trouble}") from trouble
    return path


def _pack(folder: Path, now: datetime, dump: Callable[[Path], Path], kind: str) -> Path:
    rows = dump(folder)
    files = {rows.name: rows} | dict(_files_of_var(folder / "var"))
    manifest = Manifest.of_now(now, files, kind or connection.vendor)
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
    """Letters in a folder, certificates: all but the database and what the program makes anew. Copied, for they
    may change while they are packed."""
    made_again = MADE_AGAIN
    if connection.vendor == "sqlite":
        made_again |= {Path(connection.settings_dict["NAME"]).name}
    for path in sorted(settings.VAR.rglob("*")):
        inside = path.relative_to(settings.VAR)
        if any(inside.parts[0].startswith(name) for name in made_again) or path.name.endswith(".tar.gz"):
            continue
        if path.is_file() and not path.is_symlink():
            (copies / inside).parent.mkdir(parents=True, exist_ok=True)
            with suppress(FileNotFoundError):  # it has left meanwhile
                yield f"var/{inside.as_posix()}", Path(copy2(path, copies / inside))

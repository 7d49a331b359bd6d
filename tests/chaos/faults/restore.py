"""The rows are lost and a backup is brought back, by the operator's own commands; everybody who plays plays on."""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from datetime import UTC, datetime
from time import monotonic, perf_counter, sleep

from tests.chaos.evidence import Undone
from tests.chaos.faults.scene import Scene

# All of which is lost: so many seconds, or so large a share of all letters, so that the story goes on after it.
PLAYED_ON = 15.0
SHARE = 0.1
LEAST = 2.0  # seconds
PATIENCE = 120.0  # seconds; the server may die meanwhile
EVERYBODY = ("door", "web", "mailbox", "worker", "robots", "beat")


def restore(scene: Scene) -> None:
    file = str(scene.house.folder / "backup.tar.gz")
    since, written = perf_counter(), len(scene.relay.log)
    _insist(lambda: scene.house.manage("backup", file))
    end = monotonic() + PLAYED_ON
    sleep(LEAST)
    while monotonic() < end and len(scene.relay.log) < written + scene.letters * SHARE:
        sleep(0.2)
    with scene.house.peace, scene.house.without(*EVERYBODY):
        _insist(lambda: scene.house.manage("restore", "--force", file))
        scene.house.manage("restored")
        rows = scene.tables.rows()
        last = max((row.id for row in rows.inbox), default=0)
        undone = Undone(since, perf_counter(), datetime.now(UTC), last, rows.begun)
        scene.undone.append(undone)
        scene.mailbox.put(undone)


def _insist(do: Callable[[], None]) -> None:
    end = monotonic() + PATIENCE
    while True:
        try:
            do()
            return
        except subprocess.CalledProcessError as failed:
            if monotonic() > end:
                raise RuntimeError(failed.stderr) from failed
        sleep(1)

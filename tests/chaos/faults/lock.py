"""Somebody holds the tables of the matches and of the letters: nobody reads them, nobody writes."""

from __future__ import annotations

from time import sleep

from tests.chaos.faults.scene import Scene

LASTS = 8.0  # seconds: longer than the door waits for a statement


def lock(scene: Scene) -> None:
    with scene.tables.locked("matches_match", "inbox_inboundmail", "outbox_outboundmail"):
        sleep(LASTS)

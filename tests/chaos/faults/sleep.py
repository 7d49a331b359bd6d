"""The whole service sleeps, as a laptop or a paused machine does, and wakes where it stood."""

from __future__ import annotations

from contextlib import ExitStack
from time import sleep

from tests.chaos.faults.scene import Scene

LASTS = 180.0  # seconds


def sleep_long(scene: Scene) -> None:
    with ExitStack() as stack:
        for who in ("beat", "worker", "worker", "robots", "door"):
            stack.enter_context(scene.house.standing_still(who, scene.rng))
        sleep(LASTS)

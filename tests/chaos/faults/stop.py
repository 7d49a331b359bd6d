"""A worker stands still for longer than its lease, and goes on with what another has done meanwhile."""

from __future__ import annotations

from time import sleep

from tests.chaos.faults.scene import Scene
from tests.chaos.house import IMPATIENT

BEYOND = 3.0  # seconds


def stop(scene: Scene) -> None:
    with scene.house.standing_still("worker", scene.rng):
        sleep(float(IMPATIENT["LEASE_SECONDS"]) + BEYOND)

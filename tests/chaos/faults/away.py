"""Nobody does the tasks that the beat goes on enqueueing: the workers are away."""

from __future__ import annotations

from time import sleep

from tests.chaos.faults.scene import Scene

LASTS = 30.0  # seconds, in which the beat enqueues as much as in some minutes of production


def stay_away(scene: Scene) -> None:
    with scene.house.without("worker"):
        sleep(LASTS)

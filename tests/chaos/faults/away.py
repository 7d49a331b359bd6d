"""Nobody hears the bells while the beat goes on ringing them: the workers are away."""

from __future__ import annotations

from time import sleep

from tests.chaos.faults.scene import Scene

LASTS = 30.0  # seconds, in which the beat rings as often as in some minutes of production


def stay_away(scene: Scene) -> None:
    with scene.house.without("worker"):
        sleep(LASTS)

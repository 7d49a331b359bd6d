"""The relay takes letters and is silent after the dot, for all of them; then it lets the lines fall."""

from __future__ import annotations

from time import sleep

from tests.chaos.faults.scene import Scene

LASTS = 20.0  # seconds


def fall_silent(scene: Scene) -> None:
    scene.sink.silent = True
    try:
        sleep(LASTS)
    finally:
        scene.sink.wake()

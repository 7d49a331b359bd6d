"""Some players have one letter a day in place of one for each move; here a day takes a few seconds."""

from __future__ import annotations

from contextlib import suppress

import psycopg

from tests.chaos.faults.scene import Scene

A_DAY = 3.0  # seconds


def dawn_often(scene: Scene) -> None:
    def dawn() -> None:
        with suppress(psycopg.OperationalError):  # the server has just been killed: another day
            scene.tables.dawn()

    scene.again_and_again(A_DAY, dawn)

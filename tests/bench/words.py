"""The board as text and as sentences."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit.text import board
from tests.bench.clock import Effort, cpu_ms
from tests.bench.figures import Row
from tests.bench.samples import GAMES, sample


def words(effort: Effort) -> Iterator[Row]:
    for name in GAMES:
        effort.say(f"writing {name}")
        shown = [(it.scene, it.speech) for it in (sample(name, seed) for seed in range(effort.few(12)))]
        yield Row(f"{name}, text board", cpu_ms(lambda n, s=shown: board(*s[n % len(s)]), effort), "ms CPU")
        yield Row(
            f"{name}, all in words",
            cpu_ms(lambda n, s=shown: s[n % len(s)][1].position(s[n % len(s)][0]), effort),
            "ms CPU",
        )

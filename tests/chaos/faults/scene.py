"""What a fault may lay hands on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

from tests.chaos.house import House
from tests.chaos.rows import Tables
from tests.chaos.sink import Sink


@dataclass(frozen=True)
class Scene:
    """It may last: the story goes on meanwhile."""

    house: House
    sink: Sink
    tables: Tables
    rng: Random


Fault = Callable[[Scene], None]

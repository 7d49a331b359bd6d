"""How strong a robot is: a number of nodes, never of seconds, so that its move is the same on every machine."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True)
class Level:
    """`noise` is the part of a man by which it misjudges each of its moves, at most; of `careless` moves it plays one
    as the third best. `playouts` are the nodes where a game has no mind."""

    nodes: int
    playouts: int
    noise: float = 0.0
    deepest: int = 64
    careless: int = 0


LEVELS: Mapping[int, Level] = {
    1: Level(nodes=1, playouts=1_500, noise=0.25, deepest=1, careless=6),
    2: Level(nodes=300, playouts=15_000, noise=0.05),
    3: Level(nodes=20_000, playouts=150_000, noise=0.02),
    4: Level(nodes=200_000, playouts=1_500_000, noise=0.01),
}

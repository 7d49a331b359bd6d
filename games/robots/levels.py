"""Levels of robots and their measured strength."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from math import log10, sqrt


@dataclass(frozen=True)
class Level:
    """The strength of a robot, in nodes, not seconds: its moves are the same on every machine.

    Each move is misjudged by at most `noise` men; one of `careless` moves is the third best. `playouts`
    replaces `nodes` for a game without an evaluator.
    """

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


# Measured strength, from the results of `make ladder`


@dataclass(frozen=True)
class Result:
    """The results of a pairing, seen by its first player: `2-1` is level 2 against level 1."""

    name: str
    pairing: str
    won: int
    drawn: int
    lost: int

    @property
    def games(self) -> int:
        return self.won + self.drawn + self.lost

    @property
    def share(self) -> float:
        """Returns the first player's share of the points; a draw is half a point."""
        return (self.won + self.drawn / 2) / self.games

    @property
    def ahead(self) -> float:
        """Returns the first player's lead in rating points."""
        # half a game is added to each side, which keeps the rating finite
        share = (self.won + self.drawn / 2 + 0.5) / (self.games + 1)
        return 400 * log10(share / (1 - share))


@cache
def results() -> tuple[Result, ...]:
    lines = files(__package__).joinpath("ladder.tsv").read_text("utf-8").splitlines()
    rows = (line.split("\t") for line in lines)
    return tuple(
        Result(name, pairing, int(won), int(drawn), int(lost)) for name, pairing, won, drawn, lost in rows
    )


def above_first(name: str) -> Mapping[int, float]:
    """Returns the lead of each level over the first in rating points, as far as measured. Empty when not
    measured.
    """
    known = {result.pairing: result.ahead for result in results() if result.name == name}
    found = {1: 0.0}
    while (step := f"{len(found) + 1}-{len(found)}") in known:
        found[len(found) + 1] = found[len(found)] + known[step]
    return found if len(found) > 1 else {}


def above_lot(name: str) -> float | None:
    """Returns the first level's lead over random moves in rating points. None when not measured."""
    return next((each.ahead for each in results() if (each.name, each.pairing) == (name, "1-lot")), None)


HEADINGS: Mapping[str, str] = {
    "en": "| game | Robot-1, random moves | Robot-2, Robot-1 | Robot-3, Robot-2 |",
    "it": "| gioco | Robot-1, mosse a caso | Robot-2, Robot-1 | Robot-3, Robot-2 |",
}
PAIRINGS = ("1-lot", "2-1", "3-2")


def table(language: str) -> str:
    """Returns the Markdown table of the README: games won, drawn and lost by the first, and the interval of
    its share.
    """
    known = {(result.name, result.pairing): result for result in results()}
    rows = [HEADINGS[language], "| --- | --- | --- | --- |"]
    for name in dict.fromkeys(result.name for result in results()):
        cells = (_cell(known.get((name, pairing))) for pairing in PAIRINGS)
        rows.append(f"| `{name}` | {' | '.join(cells)} |")
    return "\n".join(rows) + "\n"


def _cell(result: Result | None) -> str:
    if result is None:
        return ""
    low, high = interval(result.share, result.games)
    return f"{result.won}-{result.drawn}-{result.lost} ({100 * low:.0f}–{100 * high:.0f} %)"


def interval(share: float, games: int) -> tuple[float, float]:
    """Returns the 95 % confidence interval of a share measured in so many games (Wilson, 1927)."""
    spread = 1.96**2 / games
    middle = (share + spread / 2) / (1 + spread)
    half = sqrt(spread * (share * (1 - share) + spread / 4)) / (1 + spread)
    return max(0.0, middle - half), min(1.0, middle + half)

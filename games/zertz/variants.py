"""What a game of Zèrtz is played with and for: the rules as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, cast

from games.kit.hexagon import Hexagon, hexagon
from games.protocol import Switch

Counts = tuple[int, int, int]  # white, grey, black
Islands = Literal["full", "any"]

RINGS_37 = "a1-4 b1-5 c1-6 d1-7 e2-7 f3-7 g4-7"


class Goals(NamedTuple):
    """Captures that win: so many of each colour, or so many of a single one."""

    each: int
    single: Counts

    def reached(self, captives: Counts) -> str | None:
        """The reason of the win that `captives` are, if they are one."""
        if min(captives) >= self.each:
            return "each"
        for colour, taken, needed in zip(("white", "grey", "black"), captives, self.single, strict=True):
            if taken >= needed:
                return colour
        return None


MARBLES: Mapping[str, Counts] = {"24": (6, 8, 10), "21": (5, 7, 9)}
GOALS = {"long": Goals(3, (4, 5, 6)), "short": Goals(2, (3, 4, 5))}


@dataclass(frozen=True)
class Rules:
    """One variant. `islands` says which groups of rings leave the board when it falls apart:
    the full ones alone (newsletter 56), or any but the largest (Fogliaccio 6)."""

    rings: str = RINGS_37
    marbles: Counts = MARBLES["24"]
    goals: Goals = GOALS["long"]
    islands: Islands = "full"

    @cached_property
    def board(self) -> Hexagon:
        return hexagon(self.rings)


PRESETS = {"": Rules(), "blitz": Rules(marbles=MARBLES["21"], goals=GOALS["short"])}


def _key_of(table: Mapping[str, object], value: object) -> str:
    return next(key for key, entry in table.items() if entry == value)


SWITCHES: Mapping[str, Switch[Rules]] = {
    "marbles": Switch(
        tuple(MARBLES),
        apply=lambda rules, value: replace(rules, marbles=MARBLES[value]),
        value=lambda rules: _key_of(MARBLES, rules.marbles),
    ),
    "goals": Switch(
        tuple(GOALS),
        apply=lambda rules, value: replace(rules, goals=GOALS[value]),
        value=lambda rules: _key_of(GOALS, rules.goals),
    ),
    "islands": Switch(
        ("full", "any"),
        apply=lambda rules, value: replace(rules, islands=cast(Islands, value)),
        value=lambda rules: rules.islands,
    ),
}

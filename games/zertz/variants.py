"""The variants of Zèrtz: boards, marbles and goals."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, cast

from games.kit.scene import Hexagon, hexagon
from games.protocol import Switch

Counts = tuple[int, int, int]  # white, grey, black
Islands = Literal["full", "any"]

# The boards, row by row; each contains the board of 37 rings under the same names. Those of 37 and 61 are
# regular; that of 48 has sides of 5 and 4 in turn, as on pbmserv and Boardspace. No source shows boards with
# 3, 6 and 7 more rings. Those used here are the most compact hexagons, with the maximum of neighbouring pairs
# (98, 106 and 109; Harborth 1974: 3n - sqrt(12n - 3), rounded down). Three rings are added along the upper
# right side; six there and along the lower left one; seven around the two right sides.
# along the upper right side; six there and along the lower left one; seven round the two right sides.
RINGS_37 = "a1-4 b1-5 c1-6 d1-7 e2-7 f3-7 g4-7"
RINGS_40 = "a1-5 b1-6 c1-7 d1-7 e2-7 f3-7 g4-7"
RINGS_43 = "a1-5 b1-6 c1-7 d1-7 e1-7 f2-7 g3-7"
RINGS_44 = "a1-5 b1-6 c1-7 d1-8 e2-8 f3-8 g4-8"
RINGS_48 = "a1-5 b1-6 c1-7 d1-8 e2-8 f3-8 g4-8 h5-8"
RINGS_61 = "a1-5 b1-6 c1-7 d1-8 e1-9 f2-9 g3-9 h4-9 i5-9"


class Goals(NamedTuple):
    """The captures that win: a number of each colour, or of a single one."""

    each: int
    single: Counts

    def reached(self, captives: Counts) -> str | None:
        """Returns the reason of a win with these captives. None when they do not win."""
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
    """One variant.

    `islands` says which groups of rings leave a divided board: those without an empty ring (newsletter 56),
    or also all but the largest (Fogliaccio 6). `ring_map` is a board of the match in place of the variant's,
    `rings`.
    """

    rings: str = RINGS_37
    marbles: Counts = MARBLES["24"]
    goals: Goals = GOALS["long"]
    islands: Islands = "full"
    ring_map: str = ""

    @cached_property
    def board(self) -> Hexagon:
        return hexagon(self.ring_map or self.rings)

    def on(self, board: str) -> Rules:
        """Returns the same variant on the board of this map, or on its own when the map is empty."""
        return replace(self, ring_map="" if board == self.rings else board)


PRESETS = {
    "": Rules(),
    "blitz": Rules(marbles=MARBLES["21"], goals=GOALS["short"]),
    "+11": Rules(rings=RINGS_48),
    "+24": Rules(rings=RINGS_61),
    "40": Rules(rings=RINGS_40),
    "43": Rules(rings=RINGS_43),
    "44": Rules(rings=RINGS_44),
}


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

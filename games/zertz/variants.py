"""What a game of Zèrtz is played with and for: the rules as a value."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Literal, NamedTuple, cast

from games.kit.geometry import Hexagon, hexagon
from games.protocol import Switch

Counts = tuple[int, int, int]  # white, grey, black
Islands = Literal["full", "any"]

# The boards, row by row. Each has the one of 37 rings in it under the same names. Those of 37 and 61 are
# regular; that of 48 has sides of 5 and 4 in turn, as on pbmserv and Boardspace. For 3, 6 and 7 rings more
# no source draws a board. Ours are hexagons too, and as compact as can be: no other shape of so many rings
# has more pairs of neighbours (98, 106 and 109; Harborth 1974: 3n - sqrt(12n - 3), rounded down). Three go
# along the upper right side; six there and along the lower left one; seven round the two right sides.
RINGS_37 = "a1-4 b1-5 c1-6 d1-7 e2-7 f3-7 g4-7"
RINGS_40 = "a1-5 b1-6 c1-7 d1-7 e2-7 f3-7 g4-7"
RINGS_43 = "a1-5 b1-6 c1-7 d1-7 e1-7 f2-7 g3-7"
RINGS_44 = "a1-5 b1-6 c1-7 d1-8 e2-8 f3-8 g4-8"
RINGS_48 = "a1-5 b1-6 c1-7 d1-8 e2-8 f3-8 g4-8 h5-8"
RINGS_61 = "a1-5 b1-6 c1-7 d1-8 e1-9 f2-9 g3-9 h4-9 i5-9"


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
    the full ones alone (newsletter 56), or any but the largest (Fogliaccio 6). `ring_map` is a board
    of the match's own, in place of that of the variant, `rings`."""

    rings: str = RINGS_37
    marbles: Counts = MARBLES["24"]
    goals: Goals = GOALS["long"]
    islands: Islands = "full"
    ring_map: str = ""

    @cached_property
    def board(self) -> Hexagon:
        return hexagon(self.ring_map or self.rings)

    def on(self, board: str) -> Rules:
        """The same variant on the board of this map: on its own if that is the one, or it is empty."""
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

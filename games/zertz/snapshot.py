"""The one-line text of a position.

The board row by row (`.` an empty ring, `W` `G` `B` a marble on its ring, `-` a ring removed), then
the counts of white, grey and black marbles in the pool and captured, and who is to move:
`..../...../....../...W.../....../...../-... pool=5,8,10 first=0,0,0 second=0,0,0 move=second`.
A board that is not that of the variant stands at the end, `rings=a1-5,b1-6,...`.
"""

from __future__ import annotations

import re

from games.protocol import Side
from games.zertz.moves import LETTERS
from games.zertz.ring_map import ring_map
from games.zertz.situation import Masks, Situation
from games.zertz.variants import Counts, Rules

_TEXT = re.compile(
    r"([-./WGB]+) pool=([0-9,]+) first=([0-9,]+) second=([0-9,]+) move=(first|second)"
    r"(?: rings=([-a-z0-9,]+))?",
    re.ASCII,
)


def write(position: Situation) -> str:
    """The position as one line, without its rules."""
    first, second = map(_counts_text, position.captives)
    rows = "/".join("".join(_sign(position, name) for name in row) for row in position.rules.board.rows)
    pool = _counts_text(position.pool)
    line = f"{rows} pool={pool} first={first} second={second} move={position.to_move.name.lower()}"
    laid = position.rules.ring_map.replace(" ", ",")
    return f"{line} rings={laid}" if laid else line


def read(rules: Rules, text: str) -> tuple[Rules, int, Masks, Counts, tuple[Counts, Counts], Side]:
    """The fields of a position, in their order.

    Raises ValueError where the rings are not those of the board or a marble is missing or added.
    """
    found = _TEXT.fullmatch(text)
    if found and found[6]:
        rules = rules.on(ring_map(found[6]))
    rows = found[1].split("/") if found else []
    if not found or [len(row) for row in rows] != [len(row) for row in rules.board.rows]:
        raise ValueError(f"{text!r} is not a position of Zèrtz on {rules.ring_map or rules.rings}")
    signs = dict(zip(rules.board.bit.values(), "".join(rows), strict=True))
    pool, first, second = _counts(found[2]), _counts(found[3]), _counts(found[4])
    white, grey, black = (sum(bit for bit, sign in signs.items() if sign == letter) for letter in LETTERS)
    for masks, *counts, all_there in zip(
        (white, grey, black), pool, first, second, rules.marbles, strict=True
    ):
        if masks.bit_count() + sum(counts) != all_there:
            raise ValueError(f"{text!r} does not have {_counts_text(rules.marbles)} marbles in all")
    rings = sum(bit for bit, sign in signs.items() if sign != "-")
    return rules, rings, (white, grey, black), pool, (first, second), Side[found[5].upper()]


def _sign(position: Situation, name: str) -> str:
    bit = position.rules.board.bit[name]
    if not bit & position.rings:
        return "-"
    return LETTERS[position.colour_of(bit)] if bit & position.occupied else "."


def _counts(text: str) -> Counts:
    white, grey, black = map(int, text.split(","))
    return white, grey, black


def _counts_text(counts: Counts) -> str:
    return ",".join(map(str, counts))

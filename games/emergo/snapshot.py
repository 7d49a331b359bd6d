"""The one-line text of a position.

Each column by its square, from the top down, then the men in hand and who is to move: on c5 two white
men above a black prisoner, on e1 one black man: `e1:B c5:W2B hands=9,10 move=white`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from games.emergo.board import INDEX, MEN, SQUARES, indices
from games.emergo.situation import Situation
from games.protocol import Side

Fields = tuple[int, int, bytes, int, int, Side]

NAMES = ("white", "black")
LETTERS = "WB"

_TEXT = re.compile(r"((?:\S+ )*)hands=(\d\d?),(\d\d?) move=(white|black)", re.ASCII)
_COLUMN = re.compile(r"(?P<square>\w+):(?P<owner>[WB])(?P<caps>\d?\d?)(?P<captives>[WB](\d?\d?))?", re.ASCII)


def write(position: Situation) -> str:
    """The position as one line, without its rules."""
    occupied = indices(position.mine | position.theirs)
    columns = "".join(f"{SQUARES[square]}:{_column(position, square)} " for square in occupied)
    white, black = position.hands
    return f"{columns}hands={white},{black} move={NAMES[position.to_move]}"


def read(text: str) -> Fields:
    """The fields of a position, in their order after the rules.

    Raises ValueError where men are missing or too many. It does not ask for the order of the squares:
    whether the position is written as `text` is for the caller to see.
    """
    found = _TEXT.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a position of Emergo")
    owned, men, columns = [0, 0], [int(found[2]), int(found[3])], bytearray(len(SQUARES))
    hands = tuple(men)
    for square, owner, caps, prisoners in _columns(found[1].split()):
        owned[owner] |= 1 << square
        men[owner] += caps
        men[owner.other] += prisoners
        columns[square] = (caps << 4 | prisoners) & 0xFF
    to_move = Side[("FIRST", "SECOND")[NAMES.index(found[4])]]
    waits = to_move.other
    if men != [MEN, MEN] or not (owned[waits] or hands[waits]):
        raise ValueError(f"{text!r} does not have {MEN} men of each side, or nobody who moved last")
    return owned[to_move], owned[waits], bytes(columns), hands[to_move], hands[waits], to_move


def _columns(written: list[str]) -> Iterator[tuple[int, Side, int, int]]:
    """Square, owner, caps and prisoners of each column."""
    for text in written:
        found = _COLUMN.fullmatch(text)
        if not found or found["square"] not in INDEX:
            raise ValueError(f"{text!r} is not a column on a square of Emergo")
        prisoners = int(found[5] or 1) if found["captives"] else 0
        yield INDEX[found["square"]], Side(LETTERS.index(found["owner"])), int(found["caps"] or 1), prisoners


def _column(position: Situation, square: int) -> str:
    owner, column = position.owner(square), position.columns[square]
    return _run(owner, column >> 4) + _run(owner.other, column & 15)


def _run(side: Side, men: int) -> str:
    """So many men of a side: `W`, `W2`; nothing for none."""
    return f"{LETTERS[side]}{men if men > 1 else ''}" if men else ""

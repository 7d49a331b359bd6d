"""The one-line text of a position: its FEN, then the square of the trap or "-".

`rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2 c3`. The square in FEN's fourth field
is the one that a pawn has just passed, whether or not it can be taken there.
"""

from __future__ import annotations

import re

from games.protocol import Side
from games.trapdoor_chess.castling import CASTLINGS
from games.trapdoor_chess.men import LETTERS, Kind, Men
from games.trapdoor_chess.situation import Situation
from games.trapdoor_chess.squares import BITS, FORWARD, NAMES, ROWS
from games.trapdoor_chess.steps import en_passant

_TEXT = re.compile(
    r"([pnbrqkPNBRQK1-8/]+) ([wb]) (-|K?Q?k?q?) (-|[a-h][36])"
    r" (0|[1-9][0-9]{0,3}) ([1-9][0-9]{0,3}) (-|[a-h][1-8])",
    re.ASCII,
)
_SIDES = "wb"


def write(position: Situation) -> str:
    """The position as one line, without its rules."""
    passed = _name(position.passed)
    return (
        f"{_men(position.men)} {_SIDES[position.to_move]} {_rights(position.castling)} {passed}"
        f" {position.quiet} {position.number} {_name(position.trap)}"
    )


def key(position: Situation) -> str:
    """What repetition compares: as FIDE has it, en passant counts only where it can be played."""
    passed = _name(position.passed if en_passant(position) else 0)
    return (
        f"{_men(position.men)} {_SIDES[position.to_move]} {_rights(position.castling)} {passed}"
        f" {_name(position.trap)}"
    )


def read(text: str) -> tuple[Men, Side, int, int, int, int, int]:
    """The fields of a position, in their order after the rules. Raises ValueError."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a position of trapdoor chess: FEN and the square of the trap")
    rows, letter, rights, passed, quiet, number, trap = found.groups()
    men, side = _read_men(rows), Side(_SIDES.index(letter))
    castling = sum(castling.rook for castling in CASTLINGS if castling.letter in rights)
    _check_castling(text, men, castling)
    _check_passed(text, men, side, BITS.get(passed, 0))
    if men.all & BITS.get(trap, 0):
        raise ValueError(f"{text!r} has its trap where a man stands")
    return men, side, castling, BITS.get(passed, 0), int(quiet), int(number), BITS.get(trap, 0)


def _name(square: int) -> str:
    return NAMES[square] if square else "-"


def _rights(castling: int) -> str:
    return "".join(one.letter for one in CASTLINGS if one.rook & castling) or "-"


def _men(men: Men) -> str:
    signs = ["1"] * 64
    for kind, letter in zip(Kind, LETTERS, strict=True):
        mask = men[kind]
        while mask:
            place = mask.bit_length() - 1
            mask ^= 1 << place
            signs[place] = letter if men.white >> place & 1 else letter.lower()
    rows = "/".join("".join(signs[start : start + 8]) for start in range(56, -1, -8))
    return re.sub("1+", lambda gap: str(len(gap[0])), rows)


def _read_men(text: str) -> Men:
    rows = [re.sub("[1-8]", lambda gap: " " * int(gap[0]), row) for row in text.split("/")]
    if [len(row) for row in rows] != [8] * 8:
        raise ValueError(f"{text!r} is not eight rows of eight squares")
    placed = list(zip("".join(reversed(rows)), NAMES, strict=True))
    kinds = (sum(bit for sign, bit in placed if sign.upper() == letter) for letter in LETTERS)
    white, black = (sum(bit for sign, bit in placed if is_his(sign)) for is_his in (str.isupper, str.islower))
    men = Men._make((*kinds, white, black))
    if any(men.king(side).bit_count() != 1 for side in Side):
        raise ValueError(f"{text!r} does not have one king a side")
    if men.pawns & (ROWS[0] | ROWS[7]):
        raise ValueError(f"{text!r} has a pawn on the first or the last row")
    return men


def _check_castling(text: str, men: Men, castling: int) -> None:
    for one in CASTLINGS:
        mine = men.of(one.side)
        if castling & one.rook and not (men.kings & mine & one.king and men.rooks & mine & one.rook):
            raise ValueError(f"{text!r} lets a side castle whose king or rook is not at home")


def _check_passed(text: str, men: Men, side: Side, passed: int) -> None:
    if not passed:
        return
    pawn, home = FORWARD[side.other][passed], FORWARD[side][passed]
    went = passed & ROWS[2 if side else 5] and pawn & men.pawns & men.of(side.other)
    if not went or (passed | home) & men.all:
        raise ValueError(f"{text!r} has no pawn that has just passed {NAMES[passed]}")

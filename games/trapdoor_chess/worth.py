"""What the men of trapdoor chess are worth to a robot, each by kind and by the square where it stands."""

from __future__ import annotations

from games.protocol import Side
from games.trapdoor_chess.men import Kind, Men
from games.trapdoor_chess.squares import BITS, squares

VALUES = {Kind.PAWN: 100, Kind.KNIGHT: 320, Kind.BISHOP: 330, Kind.ROOK: 500, Kind.QUEEN: 950, Kind.KING: 0}
TEMPO = 10

_INWARD = {Kind.PAWN: 4, Kind.KNIGHT: 12, Kind.BISHOP: 6, Kind.ROOK: 1, Kind.QUEEN: 3, Kind.KING: -12}
_FORWARD = {Kind.PAWN: 6, Kind.KNIGHT: 2, Kind.BISHOP: 1, Kind.ROOK: 1, Kind.QUEEN: 0, Kind.KING: -6}


def _points(kind: Kind, side: Side, name: str) -> int:
    x, y = ord(name[0]) - ord("a"), int(name[1]) - 1
    ahead = 7 - y if side else y
    inward = min(x, 7 - x) + min(y, 7 - y)
    passed = 8 * max(0, ahead - 3) ** 2 if kind == Kind.PAWN else 0
    return VALUES[kind] + _INWARD[kind] * inward + _FORWARD[kind] * ahead + passed


WORTH = tuple(
    tuple({bit: _points(kind, side, name) for name, bit in BITS.items()} for kind in Kind) for side in Side
)


def worth(men: Men, side: Side) -> int:
    """The points of all men of a side."""
    mine = men.of(side)
    return sum(WORTH[side][kind][square] for kind in Kind for square in squares(men[kind] & mine))

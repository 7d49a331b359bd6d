"""The four castlings: who goes where, and what must be free and safe."""

from __future__ import annotations

from typing import NamedTuple

from games.protocol import Side
from games.trapdoor_chess.squares import BITS, between


class Castling(NamedTuple):
    """One of the four. `rook` is the rook's home, which also stands for the right to castle there;
    `passed` is the square that the king passes and the rook comes to."""

    letter: str  # as in FEN
    side: Side
    king: int
    rook: int
    target: int
    passed: int

    @property
    def path(self) -> int:
        """The squares between king and rook."""
        return between(self.king, self.rook)


CASTLINGS = tuple(
    Castling(letter, side, *(BITS[name] for name in cells.split()))
    for letter, side, cells in (
        ("K", Side.FIRST, "e1 h1 g1 f1"),
        ("Q", Side.FIRST, "e1 a1 c1 d1"),
        ("k", Side.SECOND, "e8 h8 g8 f8"),
        ("q", Side.SECOND, "e8 a8 c8 d8"),
    )
)
BY_KING = {(castling.king, castling.target): castling for castling in CASTLINGS}
BY_SIDE = tuple(tuple(castling for castling in CASTLINGS if castling.side == side) for side in Side)

# The rights that end as soon as a man leaves this square or arrives on it.
FORFEIT = {
    square: sum(castling.rook for castling in CASTLINGS if square in (castling.king, castling.rook))
    for castling in CASTLINGS
    for square in (castling.king, castling.rook)
}

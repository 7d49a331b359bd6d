"""The board of orthodox chess, and castling."""

from __future__ import annotations

from typing import NamedTuple

from games.kit.chess.board import Chessboard
from games.protocol import Side

BOARD = Chessboard(8)
NAMES, BITS, LINES = BOARD.names, BOARD.bits, BOARD.queen
KNIGHT, KING, FORWARD, CAPTURE = BOARD.knight, BOARD.king, BOARD.forward, BOARD.capture
straight, diagonal, between = BOARD.straight, BOARD.diagonal, BOARD.between


def names(mask: int) -> tuple[str, ...]:
    """Returns the names of the squares of a set, a1 first."""
    return tuple(BOARD.cells(mask))


class Castling(NamedTuple):
    """One of the four castlings.

    `rook` is the rook's home and represents the right to castle there; `passed` is the square that the king
    passes and the rook moves to.
    """

    letter: str  # as in FEN
    side: Side
    king: int
    rook: int
    target: int
    passed: int

    @property
    def path(self) -> int:
        """Returns the squares between king and rook."""
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

# The rights that end when a man leaves this square or arrives on it.
FORFEIT = {
    square: sum(castling.rook for castling in CASTLINGS if square in (castling.king, castling.rook))
    for castling in CASTLINGS
    for square in (castling.king, castling.rook)
}

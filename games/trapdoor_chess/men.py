"""The men on the board: who stands where, and who attacks what."""

from __future__ import annotations

from enum import IntEnum
from typing import NamedTuple

from games.protocol import Side
from games.trapdoor_chess.squares import CAPTURE, KING, KNIGHT, diagonal, straight


class Kind(IntEnum):
    """The six kinds of chessmen, each the place of its set in `Men`."""

    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5


LETTERS = "PNBRQK"  # by kind, as FEN and the canonical form have them
WHITE = 6  # the place of a side's set in `Men`, less the side


class Men(NamedTuple):
    """All men as sets of squares: those of each kind, then those of each side."""

    pawns: int
    knights: int
    bishops: int
    rooks: int
    queens: int
    kings: int
    white: int
    black: int

    @property
    def all(self) -> int:
        return self.white | self.black

    def of(self, side: Side) -> int:
        return self.black if side else self.white

    def king(self, side: Side) -> int:
        """The square of this side's king."""
        return self.kings & (self.black if side else self.white)

    def kind(self, square: int) -> Kind:
        """The kind of the man on `square`; somebody stands there."""
        return next(kind for kind in Kind if self[kind] & square)

    def attackers(self, square: int, defender: Side, trap: int) -> int:
        """The men of the other side who could capture on `square`; no line passes the trap."""
        walls = self.white | self.black | trap
        return (self.white if defender else self.black) & (
            KNIGHT[square] & self.knights
            | KING[square] & self.kings
            | CAPTURE[defender][square] & self.pawns
            | straight(square, walls) & (self.rooks | self.queens)
            | diagonal(square, walls) & (self.bishops | self.queens)
        )

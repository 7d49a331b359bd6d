"""Chessmen: their kinds, where they stand, the moves that they make."""

from __future__ import annotations

from dataclasses import dataclass
from enum import IntEnum
from typing import NamedTuple, Self

from games.kit.chess.board import Chessboard
from games.values import Side


class Kind(IntEnum):
    """The six kinds of chessmen; each is the index of its set in `Men`."""

    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5


LETTERS = "PNBRQK"  # by kind, as in FEN and the canonical form
COLOURS = ("white", "black")
WHITE = 6  # the index of a side's set in `Men`, less the side
PROMOTIONS = (Kind.QUEEN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT)


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
        """Returns the square of this side's king."""
        return self.kings & (self.black if side else self.white)

    def kind(self, square: int) -> Kind:
        """Returns the kind of the man on `square`, which must be occupied."""
        return next(kind for kind in Kind if self[kind] & square)

    def name(self, square: int) -> str:
        """Returns the phrases' key of the man on `square`: `white_rook`."""
        return f"{COLOURS[bool(self.black & square)]}_{self.kind(square).name.lower()}"

    def attacking(self, board: Chessboard, square: int, defender: Side, walls: int, queens: int) -> int:
        """Returns the opponent's men that could capture on `square`; lines stop at the `walls`, and `queens`
        go as queens do.
        """
        return (self.white if defender else self.black) & (
            board.knight[square] & self.knights
            | board.king[square] & self.kings
            | board.capture[defender][square] & self.pawns
            | board.straight(square, walls) & (self.rooks | queens)
            | board.diagonal(square, walls) & (self.bishops | queens)
        )

    @classmethod
    def read(cls, board: Chessboard, rows: str, more: str = "") -> tuple[Self, tuple[int, ...]]:
        """Reads the rows of a FEN, and the squares of each sign of `more` in them. Raises ValueError."""
        masks = board.read(rows, LETTERS + LETTERS.lower() + more)
        white, black, others = masks[:6], masks[6:12], masks[12:]
        kinds = (one | other for one, other in zip(white, black, strict=True))
        men = cls._make((*kinds, sum(white), sum(black)))
        if any(men.king(side).bit_count() != 1 for side in Side):
            raise ValueError(f"{rows!r} does not have one king a side")
        if men.pawns & (board.ranks[0] | board.ranks[-1]):
            raise ValueError(f"{rows!r} has a pawn on the first or the last row")
        return men, others

    def write(self, board: Chessboard, more: dict[str, int] | None = None) -> str:
        """Writes the rows of a FEN, with the squares of further signs."""
        layers = dict(more or {})
        for kind, letter in zip(Kind, LETTERS, strict=True):
            layers |= {letter: self[kind] & self.white, letter.lower(): self[kind] & self.black}
        return board.write(layers)


@dataclass(frozen=True, slots=True)
class Move:
    """A man's move from `origin` to `target`, as names of squares.

    `capture` includes en passant. `promotion` is a letter of "NBRQ" or empty.
    """

    origin: str
    target: str
    capture: bool = False
    promotion: str = ""

    def __str__(self) -> str:
        promotion = f"={self.promotion}" if self.promotion else ""
        return f"{self.origin}{'x' if self.capture else '-'}{self.target}{promotion}"


class Step(NamedTuple):
    """A man's move. `promotion` is PAWN, hence false, when there is none."""

    kind: Kind
    origin: int
    target: int
    promotion: Kind = Kind.PAWN

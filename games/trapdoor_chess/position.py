"""The situation in a game of trapdoor chess: men, checks, moves and the trap."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, NamedTuple

from games.protocol import Side
from games.trapdoor_chess.board import ALL, BITS, CAPTURE, KING, KNIGHT, LINES, between, diagonal, straight

# Men


class Kind(IntEnum):
    """The six kinds of chessmen; each is the index of its set in `Men`."""

    PAWN = 0
    KNIGHT = 1
    BISHOP = 2
    ROOK = 3
    QUEEN = 4
    KING = 5


LETTERS = "PNBRQK"  # by kind, as in FEN and the canonical form
WHITE = 6  # the index of a side's set in `Men`, less the side


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

    def attackers(self, square: int, defender: Side, trap: int) -> int:
        """Returns the opponent's men that could capture on `square`; lines stop at the trap."""
        walls = self.white | self.black | trap
        return (self.white if defender else self.black) & (
            KNIGHT[square] & self.knights
            | KING[square] & self.kings
            | CAPTURE[defender][square] & self.pawns
            | straight(square, walls) & (self.rooks | self.queens)
            | diagonal(square, walls) & (self.bishops | self.queens)
        )


# Moves

_MOVE = re.compile(r"([a-h][1-8])([-x])([a-h][1-8])(?:=([NBRQ]))?(?:@([a-h][1-8]))?")


@dataclass(frozen=True, slots=True)
class Move:
    """A man's move from `origin` to `target`, then the trap's to `trap`, as names of squares.

    `target` is also the square of a fall, and two squares to the side when the king castles. `capture`
    includes en passant. `promotion` is a letter of "NBRQ" or empty. `trap` is empty when the trap does not
    move, and its present square when it cannot.
    """

    origin: str
    target: str
    capture: bool = False
    promotion: str = ""
    trap: str = ""

    def __str__(self) -> str:
        promotion = f"={self.promotion}" if self.promotion else ""
        trap = f"@{self.trap}" if self.trap else ""
        return f"{self.origin}{'x' if self.capture else '-'}{self.target}{promotion}{trap}"


class Step(NamedTuple):
    """A man's move. `promotion` is PAWN, hence false, when there is none."""

    kind: Kind
    origin: int
    target: int
    promotion: Kind = Kind.PAWN


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    found = _MOVE.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a canonical move")
    origin, sign, target, promotion, trap = found.groups()
    return Move(origin, target, sign == "x", promotion or "", trap or "")


# Rules and situation

InCheck = Literal["before", "after"]


@dataclass(frozen=True)
class Rules:
    """The options of a variant. Without `trap` it is orthodox chess, used to verify the rules."""

    # Fogliaccio 6 lets the trap move "if the own king is not in check": checked before the move, so that the
    # condition has an effect, or after it, when it is always true.
    incheck: InCheck = "before"
    trap: bool = True


@dataclass(frozen=True, slots=True)
class Situation:
    """The men and the other fields of a position; squares and sets of them as bits, 0 when there is none."""

    rules: Rules
    men: Men
    to_move: Side
    castling: int  # the homes of the rooks that may still castle
    passed: int  # the square passed by a pawn that has just moved two ahead
    quiet: int  # moves of either side since the last capture, fall or pawn move
    number: int  # of the pair of moves, from 1
    trap: int

    @property
    def checked(self) -> bool:
        """Tells whether the side to move is in check."""
        return self.attacks_king(self.men)

    def attacks_king(self, men: Men) -> bool:
        """Tells whether the king of the side to move could be captured, with these men."""
        side = self.to_move
        return bool(men.attackers(men.king(side), side, self.trap))

    def trap_stays(self) -> bool:
        """Tells whether this turn has no trap move."""
        return not self.rules.trap or (self.rules.incheck == "before" and self.checked)

    def step(self, move: Move) -> Step:
        """Returns the first half of a move; its origin must hold a man."""
        origin = BITS[move.origin]
        promotion = Kind(LETTERS.index(move.promotion)) if move.promotion else Kind.PAWN
        return Step(self.men.kind(origin), origin, BITS[move.target], promotion)


# Trap moves


def trap_squares(men: Men, side: Side, trap: int) -> int:
    """Returns the squares where `side` may put the trap from `trap`, after its man has moved.

    These are all other empty squares. A trap that shields the king must stay on that line; when no other
    square is left there, its present one is returned.
    """
    free = ALL & ~(men.white | men.black | trap)
    if not trap & LINES[men.king(side)]:
        return free
    attacker = unshielded(men, side)
    return free & between(men.king(side), attacker) or trap if attacker else free


def unshielded(men: Men, side: Side) -> int:
    """Returns the men that would give check without the trap; at most one, unless the king is in check
    already.
    """
    return men.attackers(men.king(side), side, 0)

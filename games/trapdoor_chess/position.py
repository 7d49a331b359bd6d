"""How a game of trapdoor chess stands, and whether the king of the side to move is safe there."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from typing import Literal, NamedTuple

from games.protocol import Side
from games.trapdoor_chess.board import ALL, BITS, CAPTURE, KING, KNIGHT, LINES, between, diagonal, straight

# The men on the board: who stands where, and who attacks what.


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


# A turn of trapdoor chess as a value: a man's move, then the trap's.

_MOVE = re.compile(r"([a-h][1-8])([-x])([a-h][1-8])(?:=([NBRQ]))?(?:@([a-h][1-8]))?")


@dataclass(frozen=True, slots=True)
class Move:
    """A man from `origin` to `target`, then the trap to `trap`: names of squares.

    `target` is where the man falls if it meets the trap, and two squares to the side where a king
    castles. `capture` is true for en passant as well. `promotion` is a letter of "NBRQ" or empty,
    `trap` is empty where the trap does not move and its present square where it cannot.
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
    """A man's move. `promotion` is PAWN, hence false, where there is none."""

    kind: Kind
    origin: int
    target: int
    promotion: Kind = Kind.PAWN


def move(text: str) -> Move:
    """The move whose `str` is `text`; else ValueError."""
    found = _MOVE.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a canonical move")
    origin, sign, target, promotion, trap = found.groups()
    return Move(origin, target, sign == "x", promotion or "", trap or "")


# The variants of trapdoor chess as a value.

InCheck = Literal["before", "after"]


@dataclass(frozen=True)
class Rules:
    """What a variant may choose. `trap` off is orthodox chess: what the rules are proved against."""

    # Fogliaccio 6 lets the trap move "if the own king is not in check": looked at before the move, so
    # that the words mean something, or after it, when it never is.
    incheck: InCheck = "before"
    trap: bool = True


@dataclass(frozen=True, slots=True)
class Situation:
    """The men, and what they do not show; squares and sets of them as bits, 0 where there is none."""

    rules: Rules
    men: Men
    to_move: Side
    castling: int  # the homes of the rooks that may still castle
    passed: int  # the square over which a pawn has just gone two ahead
    quiet: int  # moves of either side since the last capture, fall or pawn move
    number: int  # of the pair of moves, from 1
    trap: int

    @property
    def checked(self) -> bool:
        """Whether the side to move is in check."""
        return self.attacks_king(self.men)

    def attacks_king(self, men: Men) -> bool:
        """Whether the king of the side to move could be captured if the men stood like that."""
        side = self.to_move
        return bool(men.attackers(men.king(side), side, self.trap))

    def trap_stays(self) -> bool:
        """Whether this turn has no trap move."""
        return not self.rules.trap or (self.rules.incheck == "before" and self.checked)

    def step(self, move: Move) -> Step:
        """The first half of a move whose origin holds a man."""
        origin = BITS[move.origin]
        promotion = Kind(LETTERS.index(move.promotion)) if move.promotion else Kind.PAWN
        return Step(self.men.kind(origin), origin, BITS[move.target], promotion)


# Where the trap may go: the second half of a turn.


def trap_squares(men: Men, side: Side, trap: int) -> int:
    """The squares where `side` may put the trap that lies on `trap`, its man having moved.

    Any other empty square, unless the trap shields the king: then it has to stay on that line, and
    where no other square is left there, its present one is the answer.
    """
    free = ALL & ~(men.white | men.black | trap)
    if not trap & LINES[men.king(side)]:
        return free
    attacker = unshielded(men, side)
    return free & between(men.king(side), attacker) or trap if attacker else free


def unshielded(men: Men, side: Side) -> int:
    """Who would give check if there were no trap; one man at most where nobody does already."""
    return men.attackers(men.king(side), side, 0)

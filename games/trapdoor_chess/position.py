"""The situation in a game of trapdoor chess: men, checks, moves and the trap."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from games.kit.chess import men as chess
from games.kit.chess.men import LETTERS, Kind, Step
from games.protocol import Side
from games.trapdoor_chess.board import BITS, BOARD, LINES, between


class Men(chess.Men):
    """All men as sets of squares: those of each kind, then those of each side."""

    __slots__ = ()

    def attackers(self, square: int, defender: Side, trap: int) -> int:
        """Returns the opponent's men that could capture on `square`; lines stop at the trap."""
        return self.attacking(BOARD, square, defender, self.white | self.black | trap, self.queens)


# Moves

_MOVE = re.compile(r"([a-h][1-8])([-x])([a-h][1-8])(?:=([NBRQ]))?(?:@([a-h][1-8]))?")


@dataclass(frozen=True, slots=True)
class Move(chess.Move):
    """A man's move from `origin` to `target`, then the trap's to `trap`, as names of squares.

    `target` is also the square of a fall, and two squares to the side when the king castles. `trap` is
    empty when the trap does not move, and its present square when it cannot.
    """

    trap: str = ""

    def __str__(self) -> str:
        man = chess.Move.__str__(self)
        return f"{man}@{self.trap}" if self.trap else man


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

    def step(self, move: chess.Move) -> Step:
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
    free = BOARD.full & ~(men.white | men.black | trap)
    if not trap & LINES[men.king(side)]:
        return free
    attacker = unshielded(men, side)
    return free & between(men.king(side), attacker) or trap if attacker else free


def unshielded(men: Men, side: Side) -> int:
    """Returns the men that would give check without the trap; at most one, unless the king is in check
    already.
    """
    return men.attackers(men.king(side), side, 0)

"""The situation in a game of Cheshire Cat Chess: men, vanished squares, unmoved kings, and the steps from there."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from typing import Literal, NamedTuple

from games.kit.chess.board import Chessboard, squares
from games.kit.chess.men import PROMOTIONS, WHITE, Kind, Men, Step
from games.protocol import Side

KingCheck = Literal["queen", "step"]
Size = Literal[8, 10]

chessboard = cache(Chessboard)
OTHER = (Side.SECOND, Side.FIRST)  # Side.other without building an enum


@dataclass(frozen=True)
class Rules:
    """The options of a variant. Without `vanishing` it is orthodox chess without castling, used to verify the
    rules.
    """

    size: Size = 8
    # "Attack" is taken as "could capture there", as everywhere in chess; Parton says nothing of unmoved kings.
    kingcheck: KingCheck = "queen"
    vanishing: bool = True

    @property
    def board(self) -> Chessboard:
        return chessboard(self.size)


class Situation(NamedTuple):
    """The fields of a position, without its rules; squares and sets of them as bits, 0 when there is none."""

    men: Men
    to_move: Side
    unmoved: int  # the kings that have not moved
    passed: int  # the square passed by a pawn that has just moved two ahead, if it exists
    gone: int  # the vanished squares


class Steps:
    """Makes the steps of men under these rules, regardless of checks."""

    def __init__(self, rules: Rules) -> None:
        self.rules, self.board = rules, rules.board

    def attackers(self, men: Men, unmoved: int, square: int, defender: Side) -> int:
        """Returns the opponent's men that could capture on `square`: vanished squares stop no line."""
        queens = men.queens | (unmoved if self.rules.kingcheck == "queen" else 0)
        return men.attacking(self.board, square, defender, men.all, queens)

    def threats(self, at: Situation, men: Men) -> int:
        """Returns the men that could capture the king of the side to move, with these men on the board."""
        side = at.to_move
        return self.attackers(men, at.unmoved, men.king(side), side)

    def reach(self, at: Situation, kind: Kind, origin: int) -> int:
        """Returns where a man other than a pawn could land, were no square gone and no man its own."""
        board, walls = self.board, at.men.all
        if kind == Kind.KNIGHT:
            return board.knight[origin]
        if kind == Kind.BISHOP:
            return board.diagonal(origin, walls)
        if kind == Kind.ROOK:
            return board.straight(origin, walls)
        if kind == Kind.KING and not origin & at.unmoved:
            return board.king[origin]
        return board.straight(origin, walls) | board.diagonal(origin, walls)

    def of(self, at: Situation) -> Iterator[Step]:
        """Yields every step of the side to move, including those that leave the king in check."""
        mine = at.men.of(at.to_move)
        barred = mine | at.gone
        yield from self._of_pawns(at, at.men.pawns & mine)
        for kind in tuple(Kind)[1:]:
            for origin in squares(at.men[kind] & mine):
                for target in squares(self.reach(at, kind, origin) & ~barred):
                    yield Step(kind, origin, target)

    def _of_pawns(self, at: Situation, pawns: int) -> Iterator[Step]:
        board, men, side = self.board, at.men, at.to_move
        forward, capture = board.forward[side], board.capture[side]
        for origin in squares(pawns):
            targets = capture[origin] & (men.of(OTHER[side]) | at.passed)
            ahead = forward[origin]
            if not ahead & men.all:  # two ahead it may pass a square that is gone
                two = forward[ahead] if origin & board.home[side] else 0
                targets |= (ahead | two) & ~(men.all | at.gone)
            for target in squares(targets):
                for promotion in PROMOTIONS if target & board.last[side] else (Kind.PAWN,):
                    yield Step(Kind.PAWN, origin, target, promotion)

    def after(self, at: Situation, step: Step) -> Men:
        """Returns the men after the step."""
        kind, origin, target, promotion = step
        cleared = origin | target
        if kind == Kind.PAWN and target == at.passed:
            cleared |= self.victim(at)
        sets = [men & ~cleared for men in at.men]
        sets[promotion or kind] |= target
        sets[WHITE + at.to_move] |= target
        return Men._make(sets)

    def victim(self, at: Situation) -> int:
        """Returns the pawn captured en passant, behind the square that it has passed."""
        return self.board.forward[OTHER[at.to_move]][at.passed] if at.passed else 0

    def safe(self, at: Situation, found: Iterator[Step]) -> Iterator[tuple[Step, Men]]:
        """Yields the steps that leave the king safe, and the men after each."""
        for step in found:
            men = self.after(at, step)
            if not self.threats(at, men):
                yield step, men

    def played(self, at: Situation, step: Step, men: Men) -> Situation:
        """Returns the situation after a step that leads to these men: the square that it leaves is gone."""
        kind, origin, target, _ = step
        side = at.to_move
        gone = at.gone | origin if self.rules.vanishing else 0
        ahead = self.board.forward[side][origin]
        two = kind == Kind.PAWN and not target & self.board.king[origin]
        return Situation(men, OTHER[side], at.unmoved & ~origin, ahead & ~gone if two else 0, gone)


@cache
def steps(rules: Rules) -> Steps:
    return Steps(rules)

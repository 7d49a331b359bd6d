"""How a game of trapdoor chess stands, and whether the king of the side to move is safe there."""

from __future__ import annotations

from dataclasses import dataclass

from games.protocol import Side
from games.trapdoor_chess.men import LETTERS, Kind, Men
from games.trapdoor_chess.moves import Move, Step
from games.trapdoor_chess.squares import BITS
from games.trapdoor_chess.variants import Rules


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

"""Where the trap may go: the second half of a turn."""

from __future__ import annotations

from games.protocol import Side
from games.trapdoor_chess.men import Men
from games.trapdoor_chess.squares import ALL, LINES, between


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

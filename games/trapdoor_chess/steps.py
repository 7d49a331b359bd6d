"""How men move, whatever becomes of their king: the first half of a turn, with the trap where it lies.

A line stops at the trap as it does at a man, but the trap can be stepped on: anyone who does, falls.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.protocol import Side
from games.trapdoor_chess.castling import BY_KING, BY_SIDE, Castling
from games.trapdoor_chess.men import WHITE, Kind, Men
from games.trapdoor_chess.moves import Step
from games.trapdoor_chess.situation import Situation
from games.trapdoor_chess.squares import CAPTURE, FORWARD, KING, KNIGHT, ROWS, diagonal, squares, straight

HOME_ROW, LAST_ROW = (ROWS[1], ROWS[6]), (ROWS[7], ROWS[0])  # of the pawns of each side
PROMOTIONS = (Kind.QUEEN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT)


def steps(position: Situation) -> Iterator[Step]:
    """Every move of a man of the side to move, even if it leaves the king in check."""
    men, side = position.men, position.to_move
    mine = men.of(side)
    for kind in Kind:
        for origin in squares(men[kind] & mine):
            if kind == Kind.PAWN:
                yield from _pawn_steps(position, origin)
            else:
                for target in squares(reach(position, kind, origin) & ~mine):
                    yield Step(kind, origin, target)
    for castling in BY_SIDE[side]:
        if castling.rook & position.castling and can_castle(position, castling):
            yield Step(Kind.KING, castling.king, castling.target)


def reach(position: Situation, kind: Kind, origin: int) -> int:
    """Where a man other than a pawn gets from `origin`, own men included; the king shuns the trap."""
    if kind == Kind.KNIGHT:
        return KNIGHT[origin]
    if kind == Kind.KING:
        return KING[origin] & ~position.trap
    walls = position.men.all | position.trap
    if kind == Kind.BISHOP:
        return diagonal(origin, walls)
    if kind == Kind.ROOK:
        return straight(origin, walls)
    return diagonal(origin, walls) | straight(origin, walls)


def can_castle(position: Situation, castling: Castling) -> bool:
    """Whether nothing stands between, and the king neither is in check nor passes one."""
    men, trap = position.men, position.trap
    return not (castling.path & (men.all | trap) or position.checked) and not men.attackers(
        castling.passed, castling.side, trap
    )


def victim(position: Situation) -> int:
    """The pawn that an en passant capture takes: it stands behind the square that it has passed."""
    return FORWARD[position.to_move.other][position.passed] if position.passed else 0


def after(position: Situation, step: Step) -> Men:
    """The men once the step is made; anyone who steps on the trap is gone."""
    kind, origin, target, promotion = step
    side: Side = position.to_move
    cleared = origin | target
    if kind == Kind.PAWN and target == position.passed:
        cleared |= victim(position)
    sets = [men & ~cleared for men in position.men]
    if target != position.trap:
        sets[promotion or kind] |= target
        sets[WHITE + side] |= target
    if kind == Kind.KING and (castling := BY_KING.get((origin, target))):
        for place in (Kind.ROOK, WHITE + side):
            sets[place] ^= castling.rook | castling.passed
    return Men._make(sets)


def en_passant(position: Situation) -> tuple[int, ...]:
    """The pawns that may take the one that has just gone two ahead."""
    if not position.passed:
        return ()
    side = position.to_move
    beside = CAPTURE[side.other][position.passed] & position.men.pawns & position.men.of(side)
    taken = ((pawn, after(position, Step(Kind.PAWN, pawn, position.passed))) for pawn in squares(beside))
    return tuple(pawn for pawn, men in taken if not position.attacks_king(men))


def _pawn_steps(position: Situation, origin: int) -> Iterator[Step]:
    men, side, trap = position.men, position.to_move, position.trap
    targets = CAPTURE[side][origin] & (men.of(side.other) | position.passed)
    ahead = FORWARD[side][origin] & ~men.all
    if ahead:
        targets |= ahead
        if ahead != trap and origin & HOME_ROW[side]:
            targets |= FORWARD[side][ahead] & ~men.all
    for target in squares(targets):
        if target & LAST_ROW[side] and target != trap:
            for promotion in PROMOTIONS:
                yield Step(Kind.PAWN, origin, target, promotion)
        else:
            yield Step(Kind.PAWN, origin, target)

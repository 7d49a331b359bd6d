"""Generates the steps of trapdoor chess and explains why a turn is illegal."""

from __future__ import annotations

from collections.abc import Iterator

from games.kit.chess import men as chess
from games.kit.chess.board import squares
from games.kit.chess.men import PROMOTIONS, WHITE, Kind, Step
from games.protocol import Objection, Side
from games.trapdoor_chess.board import (
    BITS,
    BOARD,
    BY_KING,
    BY_SIDE,
    CAPTURE,
    FORWARD,
    KING,
    KNIGHT,
    NAMES,
    Castling,
    between,
    diagonal,
    names,
    straight,
)
from games.trapdoor_chess.position import Men, Move, Situation, trap_squares, unshielded

# Steps, the first half of a turn, regardless of checks. Lines stop at the trap as at a man, but men can step
# on it and fall.


def steps(position: Situation) -> Iterator[Step]:
    """Yields every step of the side to move, including those that leave the king in check."""
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
    """Returns the reach of a man other than a pawn, own men included; the king avoids the trap."""
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
    """Tells whether the path is free and the king neither is in check nor passes one."""
    men, trap = position.men, position.trap
    return not (castling.path & (men.all | trap) or position.checked) and not men.attackers(
        castling.passed, castling.side, trap
    )


def victim(position: Situation) -> int:
    """Returns the pawn captured en passant, behind the square that it has passed."""
    return FORWARD[position.to_move.other][position.passed] if position.passed else 0


def after(position: Situation, step: Step) -> Men:
    """Returns the men after the step; a man that steps on the trap is removed."""
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
    """Returns the pawns that can capture en passant."""
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
        if ahead != trap and origin & BOARD.home[side]:
            targets |= FORWARD[side][ahead] & ~men.all
    for target in squares(targets):
        if target & BOARD.last[side] and target != trap:
            for promotion in PROMOTIONS:
                yield Step(Kind.PAWN, origin, target, promotion)
        else:
            yield Step(Kind.PAWN, origin, target)


def objection(position: Situation, move: Move) -> Objection | None:
    """Returns the first objection to `move` in a game that is not over. None when it is legal."""
    return step_objection(position, move) or next(_to_trap(position, move), None)


def step_objection(position: Situation, move: chess.Move) -> Objection | None:
    """Returns the first objection to the man's half of the turn. None when it is legal."""
    # Only the first is consumed, so each check may rely on those before it.
    return next(_to_step(position, move), None)


def _to_step(position: Situation, move: chess.Move) -> Iterator[Objection]:
    men, mine = position.men, position.men.of(position.to_move)
    origin, target = BITS[move.origin], BITS[move.target]
    if not origin & mine:
        yield Objection("not_yours" if origin & men.all else "empty", (move.origin,))
    step = position.step(move)
    castling = BY_KING.get((origin, target)) if step.kind == Kind.KING else None
    if target & mine and not castling:
        yield Objection("own_man", (move.target,))
    if castling:
        yield from _to_castling(position, castling)
    elif step.kind == Kind.PAWN:
        yield from _to_pawn(position, step)
    else:
        yield from _to_reach(position, step)
    yield from _to_signs(position, move, step)
    side, resulting = position.to_move, after(position, step)
    king = resulting.king(side)
    for attacker in names(resulting.attackers(king, side, position.trap)):
        yield Objection("in_check", (NAMES[king], attacker), (resulting.name(BITS[attacker]),))


def _to_reach(position: Situation, step: Step) -> Iterator[Objection]:
    kind, origin, target, _ = step
    if not target & _on_an_empty_board(kind, origin):
        yield _unlike(position, step)
    if kind == Kind.KING and target == position.trap:
        yield Objection("king_falls", (NAMES[target],))
    if kind in (Kind.BISHOP, Kind.ROOK, Kind.QUEEN):
        yield from _to_way(position, step, between(origin, target))


def _unlike(position: Situation, step: Step) -> Objection:
    cells = (NAMES[step.origin], NAMES[step.target])
    return Objection("wrong_way", cells, (position.men.name(step.origin),))


def _on_an_empty_board(kind: Kind, origin: int) -> int:
    match kind:
        case Kind.KNIGHT:
            return KNIGHT[origin]
        case Kind.KING:
            return KING[origin]
        case Kind.BISHOP:
            return diagonal(origin, 0)
        case Kind.ROOK:
            return straight(origin, 0)
        case _:
            return diagonal(origin, 0) | straight(origin, 0)


def _to_way(position: Situation, step: Step, way: int) -> Iterator[Objection]:
    """Yields the objection of the nearest man or trap on the way."""
    walls = way & (position.men.all | position.trap)
    for wall in squares(walls):
        if walls & between(step.origin, wall):
            continue
        if wall == position.trap:
            yield Objection("beyond_trap", (NAMES[step.origin], NAMES[step.target], NAMES[wall]))
        else:
            yield Objection("blocked", (NAMES[step.origin], NAMES[wall]))


def _to_pawn(position: Situation, step: Step) -> Iterator[Objection]:
    _, origin, target, _ = step
    side, men = position.to_move, position.men
    ahead = FORWARD[side][origin]
    two = FORWARD[side][ahead] if origin & BOARD.home[side] else 0
    if target & CAPTURE[side][origin]:
        if not target & (men.of(side.other) | position.passed):
            yield Objection("pawn_capture", (NAMES[origin], NAMES[target]))
    elif target & (ahead | two):
        yield from _to_way(position, step, between(origin, target) | target & men.all)
    else:
        yield _unlike(position, step)


def _to_castling(position: Situation, castling: Castling) -> Iterator[Objection]:
    men, trap = position.men, position.trap
    if not castling.rook & position.castling:
        yield Objection("castling_lost", (NAMES[castling.king], NAMES[castling.target]))
    for cell in names(castling.path & men.all):
        yield Objection("castling_blocked", (cell,))
    if castling.path & trap:
        yield Objection("castling_trap", (NAMES[trap],))
    for attacker in names(men.attackers(castling.king, castling.side, trap)):
        yield Objection("castling_check", (attacker,), (men.name(BITS[attacker]),))
    for attacker in names(men.attackers(castling.passed, castling.side, trap)):
        cells = (NAMES[castling.passed], attacker)
        yield Objection("castling_attacked", cells, (men.name(BITS[attacker]),))


def _to_signs(position: Situation, move: chess.Move, step: Step) -> Iterator[Objection]:
    """Compares the capture and promotion signs of the move with the position."""
    target = step.target
    taken = target & position.men.all or (step.kind == Kind.PAWN and target == position.passed)
    if move.capture and not taken:
        yield Objection("no_capture", (move.target,))
    if taken and not move.capture:
        yield Objection("unmarked_capture", (move.target,))
    last = step.kind == Kind.PAWN and target & BOARD.last[position.to_move]
    if last and target == position.trap:
        if move.promotion:
            yield Objection("falls_unpromoted", (move.target,))
    elif last and not move.promotion:
        yield Objection("promotion_missing", (move.target,))
    elif move.promotion and not last:
        yield Objection("no_promotion", (move.origin, move.target))


def _to_trap(position: Situation, move: Move) -> Iterator[Objection]:
    if position.trap_stays():
        if move.trap:
            yield Objection("trap_stays" if position.rules.trap else "no_trap", (move.trap,))
        return
    side, trap = position.to_move, position.trap
    men = after(position, position.step(move))
    allowed, place = trap_squares(men, side, trap), BITS.get(move.trap, 0)
    if place & allowed:
        return
    if allowed == trap:
        # The line where the trap shields the king has no other square for it.
        yield Objection("trap_pinned", (NAMES[trap], *_shielded(men, side)))
    if not place:
        yield Objection("trap_missing")
    if place & men.all:
        yield Objection("trap_occupied", (move.trap,))
    if place == trap:
        yield Objection("trap_must_move", (move.trap,))
    yield Objection("trap_shields", (NAMES[trap], *_shielded(men, side)))


def _shielded(men: Men, side: Side) -> tuple[str, ...]:
    """Returns the king, and the men that would give check without the trap."""
    return NAMES[men.king(side)], *names(unshielded(men, side))

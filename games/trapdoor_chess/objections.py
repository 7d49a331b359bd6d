"""Why a turn of trapdoor chess is not legal, and which squares that concerns."""

from __future__ import annotations

from collections.abc import Iterator

from games.protocol import Objection, Side
from games.trapdoor_chess.castling import BY_KING, Castling
from games.trapdoor_chess.men import Kind, Men
from games.trapdoor_chess.moves import Move, Step
from games.trapdoor_chess.situation import Situation
from games.trapdoor_chess.squares import (
    BITS,
    CAPTURE,
    FORWARD,
    KING,
    KNIGHT,
    NAMES,
    between,
    diagonal,
    names,
    squares,
    straight,
)
from games.trapdoor_chess.steps import HOME_ROW, LAST_ROW, after
from games.trapdoor_chess.trap import trap_squares, unshielded

COLOURS = ("white", "black")


def piece(men: Men, square: int) -> str:
    """The phrases' key of the man on `square`: `white_rook`."""
    side = Side.SECOND if men.black & square else Side.FIRST
    return f"{COLOURS[side]}_{men.kind(square).name.lower()}"


def objection(position: Situation, move: Move) -> Objection | None:
    """The first thing that the rules hold against `move` in a game that goes on, None if it is legal."""
    return step_objection(position, move) or next(_to_trap(position, move), None)


def step_objection(position: Situation, move: Move) -> Objection | None:
    """The first thing that they hold against the man's half of it."""
    # Only the first is asked for, so each check may rely on those before it.
    return next(_to_step(position, move), None)


def _to_step(position: Situation, move: Move) -> Iterator[Objection]:
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
        yield Objection("in_check", (NAMES[king], attacker), (piece(resulting, BITS[attacker]),))


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
    return Objection("wrong_way", cells, (piece(position.men, step.origin),))


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
    """Whatever stands on the way, the nearest alone; the trap is one of the things that stop."""
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
    two = FORWARD[side][ahead] if origin & HOME_ROW[side] else 0
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
        yield Objection("castling_check", (attacker,), (piece(men, BITS[attacker]),))
    for attacker in names(men.attackers(castling.passed, castling.side, trap)):
        cells = (NAMES[castling.passed], attacker)
        yield Objection("castling_attacked", cells, (piece(men, BITS[attacker]),))


def _to_signs(position: Situation, move: Move, step: Step) -> Iterator[Objection]:
    """What is written of capture and promotion, against what the board says."""
    target = step.target
    taken = target & position.men.all or (step.kind == Kind.PAWN and target == position.passed)
    if move.capture and not taken:
        yield Objection("no_capture", (move.target,))
    if taken and not move.capture:
        yield Objection("unmarked_capture", (move.target,))
    last = step.kind == Kind.PAWN and target & LAST_ROW[position.to_move]
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
        # There is no other square for it on the line where it shields the king.
        yield Objection("trap_pinned", (NAMES[trap], *_shielded(men, side)))
    if not place:
        yield Objection("trap_missing")
    if place & men.all:
        yield Objection("trap_occupied", (move.trap,))
    if place == trap:
        yield Objection("trap_must_move", (move.trap,))
    yield Objection("trap_shields", (NAMES[trap], *_shielded(men, side)))


def _shielded(men: Men, side: Side) -> tuple[str, ...]:
    """The king, and who would give check without the trap."""
    return NAMES[men.king(side)], *names(unshielded(men, side))

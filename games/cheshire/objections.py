"""Explains why a move of Cheshire Cat Chess is illegal."""

from __future__ import annotations

from collections.abc import Iterator

from games.cheshire.position import Situation, Steps
from games.kit.chess.board import squares
from games.kit.chess.men import LETTERS, Kind, Men, Move, Step
from games.protocol import Objection


def objection(steps: Steps, at: Situation, move: Move) -> Objection | None:
    """Returns the first objection to `move` in a game that is not over. None when it is legal."""
    # Only the first is consumed, so each check may rely on those before it.
    return next(_all(steps, at, move), None)


def _all(steps: Steps, at: Situation, move: Move) -> Iterator[Objection]:
    board, men, mine = steps.board, at.men, at.men.of(at.to_move)
    for cell in (move.origin, move.target):
        if cell not in board.bits:
            yield Objection("off_board", (cell,))
    origin, target = board.bits[move.origin], board.bits[move.target]
    if not origin & mine:
        yield Objection("not_yours" if origin & men.all else "empty", (move.origin,))
    if target & mine:
        yield Objection("own_man", (move.target,))
    promotion = Kind(LETTERS.index(move.promotion)) if move.promotion else Kind.PAWN
    step = Step(men.kind(origin), origin, target, promotion)
    yield from _to_pawn(steps, at, step) if step.kind == Kind.PAWN else _to_reach(steps, at, step)
    if target & at.gone:
        yield Objection("vanished", (move.target,))
    yield from _to_signs(steps, at, move, step)
    yield from _to_check(steps, at, step)


def _to_reach(steps: Steps, at: Situation, step: Step) -> Iterator[Objection]:
    kind, origin, target, _ = step
    board = steps.board
    empty = at._replace(men=Men(*[0] * len(at.men)))
    if not target & steps.reach(empty, kind, origin):
        if kind == Kind.KING and target & board.queen[origin]:
            yield Objection("king_moved", _names(steps, origin, target))
        yield _unlike(steps, at, step)
    if kind != Kind.KNIGHT:
        yield from _to_way(steps, at, step, board.between(origin, target) & at.men.all)


def _to_pawn(steps: Steps, at: Situation, step: Step) -> Iterator[Objection]:
    _, origin, target, _ = step
    board, side, men = steps.board, at.to_move, at.men
    ahead = board.forward[side][origin]
    two = board.forward[side][ahead] if origin & board.home[side] else 0
    if target & board.capture[side][origin]:
        if not target & (men.all | at.passed):
            yield Objection("pawn_capture", _names(steps, origin, target))
    elif target & (ahead | two):
        yield from _to_way(steps, at, step, (board.between(origin, target) | target) & men.all)
    else:
        yield _unlike(steps, at, step)


def _to_way(steps: Steps, at: Situation, step: Step, walls: int) -> Iterator[Objection]:
    """Yields the objection of the nearest man on the way."""
    for wall in squares(walls):
        if not walls & steps.board.between(step.origin, wall):
            yield Objection("blocked", _names(steps, step.origin, wall))


def _to_signs(steps: Steps, at: Situation, move: Move, step: Step) -> Iterator[Objection]:
    """Compares the capture and promotion signs of the move with the position."""
    target, pawn = step.target, step.kind == Kind.PAWN
    taken = target & at.men.all or (pawn and target == at.passed)
    if move.capture and not taken:
        yield Objection("no_capture", (move.target,))
    if taken and not move.capture:
        yield Objection("unmarked_capture", (move.target,))
    last = pawn and target & steps.board.last[at.to_move]
    if last and not move.promotion:
        yield Objection("promotion_missing", (move.target,))
    if move.promotion and not last:
        yield Objection("no_promotion", (move.origin, move.target))


def _to_check(steps: Steps, at: Situation, step: Step) -> Iterator[Objection]:
    men = steps.after(at, step)
    king = men.king(at.to_move)
    for attacker in squares(steps.threats(at, men)):
        far = attacker & men.kings and not attacker & steps.board.king[king]
        yield Objection(
            "seen_by_king" if far else "in_check", _names(steps, king, attacker), (men.name(attacker),)
        )


def _unlike(steps: Steps, at: Situation, step: Step) -> Objection:
    return Objection("wrong_way", _names(steps, step.origin, step.target), (at.men.name(step.origin),))


def _names(steps: Steps, *cells: int) -> tuple[str, ...]:
    return tuple(steps.board.names[cell] for cell in cells)

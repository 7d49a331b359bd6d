"""Evaluates trapdoor chess by material and placement, and ranks the squares for the trap."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, cast

from games.engine.evaluation import DRAWN, LOST, Action, Children
from games.kit.chess.board import squares
from games.kit.chess.men import Kind, Step
from games.protocol import Side
from games.trapdoor_chess.board import (
    BITS,
    BOARD,
    BY_KING,
    CAPTURE,
    FORFEIT,
    FORWARD,
    KING,
    NAMES,
    between,
    diagonal,
    straight,
)
from games.trapdoor_chess.objections import after, reach, steps, victim
from games.trapdoor_chess.position import Men, Situation, trap_squares

# Values of the men by kind and square

VALUES = {Kind.PAWN: 100, Kind.KNIGHT: 320, Kind.BISHOP: 330, Kind.ROOK: 500, Kind.QUEEN: 950, Kind.KING: 0}
TEMPO = 10

_INWARD = {Kind.PAWN: 4, Kind.KNIGHT: 12, Kind.BISHOP: 6, Kind.ROOK: 1, Kind.QUEEN: 3, Kind.KING: -12}
_FORWARD = {Kind.PAWN: 6, Kind.KNIGHT: 2, Kind.BISHOP: 1, Kind.ROOK: 1, Kind.QUEEN: 0, Kind.KING: -6}


def _points(kind: Kind, side: Side, name: str) -> int:
    x, y = ord(name[0]) - ord("a"), int(name[1]) - 1
    ahead = 7 - y if side else y
    inward = min(x, 7 - x) + min(y, 7 - y)
    passed = 8 * max(0, ahead - 3) ** 2 if kind == Kind.PAWN else 0
    return VALUES[kind] + _INWARD[kind] * inward + _FORWARD[kind] * ahead + passed


WORTH = tuple(
    tuple({bit: _points(kind, side, name) for name, bit in BITS.items()} for kind in Kind) for side in Side
)


def worth(men: Men, side: Side) -> int:
    """Returns the value of all men of a side."""
    mine = men.of(side)
    return sum(WORTH[side][kind][square] for kind in Kind for square in squares(men[kind] & mine))


# Squares for the trap: on enemy lines, beside the enemy king, before enemy pawns

LINE, BESIDE_KING, BEFORE_PAWN = 3, 12, 5
ATTACKED = (
    10  # a man's value in hundredths of a pawn is divided by this, for each square of a line that attacks it
)


@lru_cache(maxsize=20_000)
def ranked(men: Men, side: Side) -> tuple[int, ...]:
    """Returns the empty squares, the best for `side` first."""
    free = BOARD.full & ~men.all
    likes = dict.fromkeys(squares(free), 0)
    other = side.other
    for square in squares(KING[men.king(other)] & free):
        likes[square] += BESIDE_KING
    for pawn in squares(men.pawns & men.of(other)):
        if (ahead := FORWARD[other].get(pawn, 0)) & free:
            likes[ahead] += BEFORE_PAWN
    for owner, sign in ((other, 1), (side, -1)):
        for line, points in _lines(men, owner):
            for square in squares(line & free):
                likes[square] += sign * points
    return tuple(sorted(likes, key=lambda square: (-likes[square], square)))


def _lines(men: Men, owner: Side) -> Iterator[tuple[int, int]]:
    """Yields the squares controlled by the rooks, bishops and queens of a side, and the value of a trap there
    to the opponent.
    """
    mine, walls = men.of(owner), men.all
    enemies = men.of(owner.other)
    for origin in squares((men.rooks | men.bishops | men.queens) & mine):
        reach = 0
        if origin & (men.rooks | men.queens):
            reach |= straight(origin, walls)
        if origin & (men.bishops | men.queens):
            reach |= diagonal(origin, walls)
        yield reach, LINE
        for attacked in squares(reach & enemies):
            value = VALUES[men.kind(attacked)] or 1_000
            yield between(origin, attacked), value // ATTACKED


TRAPS = (1, 1, 2)  # squares for the trap after each step, by depth
TRAPS_AT_ROOT = 5
ASIDE = tuple(sorted(NAMES, key=lambda bit: (NAMES[bit][0] not in "ah", NAMES[bit][1] not in "45", bit)))
OTHER = (Side.SECOND, Side.FIRST)  # Side.other without building an enum
PIECES = (Kind.QUEEN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT, Kind.KING)


class Stand(NamedTuple):
    """A node: the fields of a position that `steps` reads, and the lead of the side to move."""

    men: Men
    to_move: Side
    castling: int
    passed: int
    trap: int
    checked: bool
    ahead: int


class TrapdoorEvaluator:
    """Searches trapdoor chess. An action is a step and the square for the trap, 0 when it does not move."""

    man: ClassVar[int] = 100
    scale: ClassVar[int] = 250
    budgets: ClassVar[Mapping[int, int]] = {2: 1_500, 3: 12_000, 4: 120_000}
    repeats: ClassVar[bool] = True
    selective: ClassVar[bool] = True
    rests: ClassVar[bool] = True

    def __init__(self, position: Any) -> None:
        self._rules = position.rules

    def node(self, position: Any) -> Stand:
        men, side = position.men, position.to_move
        ahead = worth(men, side) - worth(men, OTHER[side])
        return Stand(men, side, position.castling, position.passed, position.trap, position.checked, ahead)

    def result(self, node: Stand) -> int | None:
        return DRAWN if node.men.all == node.men.kings else None

    def stuck(self, node: Stand) -> int:
        return LOST if node.checked else DRAWN

    def forced(self, node: Stand) -> bool:
        return node.checked

    def children(self, node: Stand, depth: int, ply: int) -> Children:
        still = not self._rules.trap or (self._rules.incheck == "before" and node.checked)
        order = () if still else ranked(node.men, node.to_move) if depth else ASIDE
        most = TRAPS[min(depth, len(TRAPS) - 1)] if ply else TRAPS_AT_ROOT
        found: list[tuple[Action, Stand]] = []
        for step, men in _safe(node, steps(cast(Situation, node)) if depth else _captures(node)):
            ahead = -node.ahead - gained(node, step, men)
            if still:
                found.append(((*step, 0), follows(node, step, men, node.trap, ahead)))
                continue
            free = trap_squares(men, node.to_move, node.trap)
            checks = not ply and men.attackers(men.king(OTHER[node.to_move]), OTHER[node.to_move], 0)
            guards = _shield(node, step, men) & free
            for trap in _best(order, free, guards, 64 if checks or node.checked else most):
                found.append(((*step, trap), follows(node, step, men, trap, ahead)))
        return found

    def value(self, node: Stand) -> int:
        return node.ahead + TEMPO

    def move(self, position: Any, action: Any) -> Any:
        *step, trap = action
        return position.move(Step(*step), trap)


def _captures(node: Stand) -> Iterator[Step]:
    """Yields the captures; a capturing pawn promotes to a queen only."""
    men, side = node.men, node.to_move
    mine, enemies = men.of(side), men.of(OTHER[side])
    for pawn in squares(men.pawns & mine):
        for target in squares(CAPTURE[side][pawn] & enemies):
            last = target & BOARD.last[side] and target != node.trap
            yield Step(Kind.PAWN, pawn, target, Kind.QUEEN if last else Kind.PAWN)
    for kind in PIECES:
        for origin in squares(men[kind] & mine):
            for target in squares(reach(cast(Situation, node), kind, origin) & enemies):
                yield Step(kind, origin, target)


def _safe(node: Stand, found: Iterator[Step]) -> Iterator[tuple[Step, Men]]:
    """Yields the steps that leave the king safe, and the men after each."""
    side = node.to_move
    for step in found:
        men = after(cast(Situation, node), step)
        if not men.attackers(men.king(side), side, node.trap):
            yield step, men


def gained(node: Stand, step: Step, men: Men) -> int:
    """Returns the gain of the side to move by a step."""
    kind, origin, target, promotion = step
    side, other = node.to_move, OTHER[node.to_move]
    if kind == Kind.KING and (origin, target) in BY_KING:
        return worth(men, side) - worth(node.men, side)
    points = -WORTH[side][kind][origin]
    if target != node.trap:
        points += WORTH[side][promotion or kind][target]
    if target & node.men.of(other):
        points += WORTH[other][node.men.kind(target)][target]
    elif kind == Kind.PAWN and target == node.passed:
        points += WORTH[other][Kind.PAWN][victim(cast(Situation, node))]
    return points


def follows(node: Stand, step: Step, men: Men, trap: int, ahead: int) -> Stand:
    kind, origin, target, _ = step
    side = node.to_move
    passed = 0
    if kind == Kind.PAWN and target != node.trap and FORWARD[side].get(FORWARD[side][origin]) == target:
        passed = FORWARD[side][origin]
    castling = node.castling & ~(FORFEIT.get(origin, 0) | FORFEIT.get(target, 0))
    other = OTHER[side]
    checked = bool(men.attackers(men.king(other), other, trap))
    return Stand(men, other, castling, passed, trap, checked, ahead)


def _shield(node: Stand, step: Step, men: Men) -> int:
    """Returns the squares where the trap blocks the only man that could recapture."""
    target = step.target
    if not target & node.men.all or target == node.trap:
        return 0
    avenger = men.attackers(target, node.to_move, 0)
    return 0 if not avenger or avenger & (avenger - 1) else between(target, avenger)


def _best(order: tuple[int, ...], free: int, first: int, most: int) -> list[int]:
    """Returns up to `most` free squares in this order, one of `first` before all others; any squares when
    none is free.
    """
    found = [next(square for square in (*order, *squares(first)) if square & first)] if first else []
    if len(found) == most:
        return found
    for square in order:
        if square & free and square not in found:
            found.append(square)
            if len(found) == most:
                return found
    return found or list(squares(free))[:most]


EVALUATOR = TrapdoorEvaluator

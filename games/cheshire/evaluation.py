"""Evaluates Cheshire Cat Chess by material, by the squares that are left to the men, and by the kings' shelter."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from games.cheshire.position import OTHER, Situation, Steps
from games.engine.evaluation import DRAWN, LOST, Action, Children
from games.kit.chess.board import squares
from games.kit.chess.men import Kind, Step
from games.protocol import Side

# Points of a man, and for each square where it could land. Holes cost knights more than they cost pieces that
# pass over them.
VALUES = {Kind.PAWN: 90, Kind.KNIGHT: 260, Kind.BISHOP: 310, Kind.ROOK: 470, Kind.QUEEN: 920, Kind.KING: 0}
SQUARE = {Kind.KNIGHT: 8, Kind.BISHOP: 5, Kind.ROOK: 3, Kind.QUEEN: 2}

ADVANCED = 8  # a pawn for each row, as long as the square ahead exists
STUCK = 35  # less for a pawn before a vanished square
FLIGHT = 14  # a square beside the king that exists and holds no man of its own
ENOUGH = 4  # squares of flight; more are worth nothing
UNMOVED = 30  # a king that can still go like a queen
TEMPO = 10
PIECES = (Kind.QUEEN, Kind.ROOK, Kind.BISHOP, Kind.KNIGHT, Kind.KING)


class Node(NamedTuple):
    at: Situation
    checked: bool


class CheshireEvaluator:
    """Searches Cheshire Cat Chess; an action is a step."""

    man: ClassVar[int] = 100
    scale: ClassVar[int] = 250
    budgets: ClassVar[Mapping[int, int]] = {2: 500, 3: 8_000, 4: 80_000}
    repeats: ClassVar[bool] = False
    selective: ClassVar[bool] = False
    rests: ClassVar[bool] = True

    def __init__(self, position: Any) -> None:
        self._steps: Steps = position.steps
        self._side = lru_cache(maxsize=100_000)(self._of_side)

    def node(self, position: Any) -> Node:
        return Node(position.at, position.checked)

    def result(self, node: Node) -> int | None:
        return DRAWN if node.at.men.all == node.at.men.kings else None

    def stuck(self, node: Node) -> int:
        return LOST if node.checked else DRAWN

    def forced(self, node: Node) -> bool:
        return node.checked

    def children(self, node: Node, depth: int, ply: int) -> Children:
        legal, at = self._steps, node.at
        found: list[tuple[Action, Node]] = []
        for step, men in legal.safe(at, legal.of(at) if depth else self._captures(at)):
            after = legal.played(at, step, men)
            found.append((step, Node(after, bool(legal.threats(after, men)))))
        return found

    def value(self, node: Node) -> int:
        at = node.at
        return self._side(at, at.to_move) - self._side(at, OTHER[at.to_move]) + TEMPO

    def move(self, position: Any, action: Any) -> Any:
        return position.move(action)

    def _captures(self, at: Situation) -> Iterator[Step]:
        """Yields the captures; a capturing pawn promotes to a queen only."""
        board, men, side = self._steps.board, at.men, at.to_move
        mine, enemies = men.of(side), men.of(OTHER[side])
        for pawn in squares(men.pawns & mine):
            for target in squares(board.capture[side][pawn] & enemies):
                yield Step(Kind.PAWN, pawn, target, Kind.QUEEN if target & board.last[side] else Kind.PAWN)
        for kind in PIECES:
            for origin in squares(men[kind] & mine):
                for target in squares(self._steps.reach(at, kind, origin) & enemies):
                    yield Step(kind, origin, target)

    def _of_side(self, at: Situation, side: Side) -> int:
        """Returns the points of one side."""
        board, men, legal = self._steps.board, at.men, self._steps
        mine = men.of(side)
        barred = mine | at.gone
        points = UNMOVED if mine & at.unmoved else 0
        forward, first = board.forward[side], (board.size - 1 if side else 0)
        for pawn in squares(men.pawns & mine):
            points += VALUES[Kind.PAWN]
            row = pawn.bit_length() // (board.size + 1)
            points += ADVANCED * abs(row - first) if not forward[pawn] & at.gone else -STUCK
        for kind, square in SQUARE.items():
            for origin in squares(men[kind] & mine):
                points += VALUES[kind] + square * (legal.reach(at, kind, origin) & ~barred).bit_count()
        flights = board.king[men.king(side)] & ~barred
        return points + FLIGHT * min(ENOUGH, flights.bit_count())


EVALUATOR = CheshireEvaluator

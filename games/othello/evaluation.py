"""Evaluates Othello by corners and edges, by the squares playable now and later, and at the end by discs."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any, ClassVar

from games.engine.evaluation import DRAWN, LOST, WON, Action, Children, Node
from games.kit.scene import Line
from games.othello.board import Board, board
from games.othello.rules import PASS, Move

# Points of a disc: on a corner; on an edge, joined to a corner of its own or not; beside an empty corner, along the
# edge and diagonally. Points of a playable square, and of an empty one beside enemy discs. All are measured.
CORNER, JOINED, EDGE = 120, 30, 4
BESIDE, BEFORE = -20, -60
PLAYABLE, NEAR = 8, 10
ENDING = 12  # discs count when fewer squares than this are empty


class Edges(dict[int, int]):
    """The values of an edge and the two squares diagonally before its corners, for the side to move, by the discs
    on them: `mine | theirs << reach`.
    """

    def __init__(self, edge: Line, before: tuple[int, int], reach: int) -> None:
        super().__init__()
        self._edge, self._before, self._reach = edge, before, reach

    def __missing__(self, discs: int) -> int:
        mine, theirs = discs & (1 << self._reach) - 1, discs >> self._reach
        self[discs] = worth = self._side(mine, theirs) - self._side(theirs, mine)
        return worth

    def _side(self, mine: int, theirs: int) -> int:
        edge, worth = self._edge, 0
        joined = sum(self._joined(mine))
        for end, along, before in ((0, 1, self._before[0]), (-1, -2, self._before[1])):
            if edge[end] & mine:
                worth += CORNER // 2  # the corner belongs to two edges, and so does the square before it
            elif not edge[end] & theirs:
                worth += (BESIDE if edge[along] & mine else 0) + (BEFORE // 2 if before & mine else 0)
        inner = sum(edge[1:-1])
        return worth + JOINED * (joined & inner).bit_count() + EDGE * (mine & inner & ~joined).bit_count()

    def _joined(self, mine: int) -> set[int]:
        """Returns the discs that no move can turn over along this edge: in a row from a corner."""
        joined: set[int] = set()
        for way in (self._edge, self._edge[::-1]):
            for square in way:
                if not square & mine:
                    break
                joined.add(square)
        return joined


@cache
def edges(size: int) -> tuple[tuple[int, Edges], ...]:
    """Returns the squares of each edge and its table."""
    return tuple(_edges(board(size)))


def _edges(grid: Board) -> Iterator[tuple[int, Edges]]:
    reach, columns = grid.full.bit_length(), tuple(zip(*grid.rows, strict=True))
    for lines in (grid.rows, grid.rows[::-1], columns, columns[::-1]):
        edge, before = lines[0], (lines[1][1], lines[1][-2])
        mask = sum(edge) | sum(before)
        yield mask | mask << reach, Edges(edge, before, reach)


class OthelloEvaluator:
    """Searches Othello.

    A node has the discs of the side to move, those of the opponent, and the squares that the side to move may play;
    an action is a square, 0 for a pass.
    """

    man: ClassVar[int] = 40
    scale: ClassVar[int] = 250
    budgets: ClassVar[Mapping[int, int]] = {}
    repeats: ClassVar[bool] = False
    selective: ClassVar[bool] = False
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        rules = position.rules
        self._board: Board = rules.board
        self._most = rules.aim == "most"
        self._opening = rules.board.centre if rules.opening == "reversi" else 0
        self._edges, self._reach = edges(rules.size), rules.board.full.bit_length()

    def node(self, position: Any) -> Node:
        return position.mine, position.theirs, position.squares

    def result(self, node: Node) -> int | None:
        mine, theirs, squares = node
        if squares or self._squares(theirs, mine):
            return None
        ahead = mine.bit_count() - theirs.bit_count()
        return DRAWN if not ahead else WON if (ahead > 0) == self._most else LOST

    def stuck(self, node: Node) -> int:
        return DRAWN

    def forced(self, node: Node) -> bool:
        return False

    def children(self, node: Node, depth: int, ply: int) -> Children:
        mine, theirs, squares = node
        if not squares:
            return [(0, (theirs, mine, self._squares(theirs, mine)))]
        opening = self._opening & ~(mine | theirs)
        found: list[tuple[Action, Node]] = []
        while squares:
            square = squares & -squares
            squares ^= square
            turned = 0 if opening else self._board.outflanked(square, mine, theirs)
            after, before = theirs ^ turned, mine | square | turned
            found.append((square, (after, before, self._squares(after, before))))
        return found

    def value(self, node: Node) -> int:
        mine, theirs, squares = node
        grid = self._board
        discs = mine | theirs << self._reach
        ahead = 0
        for mask, table in self._edges:
            ahead += table[discs & mask]
        empty = grid.full & ~(mine | theirs)
        left = empty.bit_count()
        if left < ENDING:
            ahead += (ENDING - left) * (mine.bit_count() - theirs.bit_count())
        later = (grid.beside(theirs) & empty).bit_count() - (grid.beside(mine) & empty).bit_count()
        room: int = (
            PLAYABLE * (squares.bit_count() - grid.outflanking(theirs, mine).bit_count()) + NEAR * later
        )
        # A side that wants few discs wants no corner, but as many squares to choose from.
        return room + (ahead if self._most else -ahead)

    def move(self, position: Any, action: Action) -> Any:
        return Move(self._board.names[action]) if isinstance(action, int) and action else PASS

    def _squares(self, mine: int, theirs: int) -> int:
        return self._opening & ~(mine | theirs) or self._board.outflanking(mine, theirs)


EVALUATOR = OthelloEvaluator

"""Evaluates GIPF by the pieces of both sides, GIPF-pieces above all, by reserves, the centre, and rows to come."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from games.engine.evaluation import LOST, WON, Action, Children, Node
from games.gipf.board import LATTICE, SPOTS, listed, rows
from games.gipf.rules import Camp, clearings, entries, is_decided, written
from games.kit.turn import Turn

PIECE = 100  # on the board or in the reserve; what is lost is gone for good
GIPFS = (0, 250, 370, 410, 420)  # for GIPF-pieces on the board; more than four add nothing
RESERVE = (0, 60, 160, 240, 300, 340, 370, 390)  # for pieces in reserve; more than seven add nothing
CENTRAL = 5  # for each step of a piece from the edge
THREE = 18  # for each three in line of one's own

# Spots within three, two and one steps of the edge: each is counted once more the nearer it is to the centre.
_INNER = [LATTICE.enclosed(SPOTS)]
_INNER.append(LATTICE.enclosed(_INNER[0]))
_INNER.append(LATTICE.enclosed(_INNER[1]))
_STEPS = LATTICE.axes


class GipfEvaluator:
    """Searches GIPF.

    A node has the camps of the side to move and of the other; an action is the spots emptied before, what is brought
    in (None where the removal decides), and the spots emptied after it.
    """

    man: ClassVar[int] = 100
    scale: ClassVar[int] = 350
    budgets: ClassVar[Mapping[int, int]] = {3: 15_000, 4: 150_000}
    repeats: ClassVar[bool] = True
    selective: ClassVar[bool] = True
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        self._needs = position.rules.needs_gipfs
        self._values: dict[Node, int] = {}

    def node(self, position: Any) -> Node:
        return position.facing

    def result(self, node: Node) -> int | None:
        mine, theirs = node
        if self._needs and (mine.bare or theirs.bare):
            return LOST if mine.bare else WON
        if not mine.reserve:
            own = mine.singles | mine.gipfs
            if not any(rows(own, own | theirs.singles | theirs.gipfs)):
                return LOST
        return None

    def stuck(self, node: Node) -> int:
        return LOST

    def forced(self, node: Node) -> bool:
        return False

    def children(self, node: Node, depth: int, ply: int) -> Children:
        found, seen = list[tuple[Action, Node]](), set[Node]()
        for before, own, other in clearings(node[0], node[1], self._needs, likely=ply > 0):
            if is_decided(own, other, self._needs):
                found.append(((before, None, 0), (other, own)))
                continue
            for entered, moved, pushed in entries(own, other):
                for after, mine, theirs in clearings(moved, pushed, self._needs, likely=ply > 0):
                    if before and after:
                        same = entered, before | after, mine, theirs
                        if same in seen:
                            continue
                        seen.add(same)
                    found.append(((before, entered, after), (theirs, mine)))
        return found

    def value(self, node: Node) -> int:
        known = self._values.get(node)
        if known is None:
            mine, theirs = node
            known = self._values[node] = self._worth(mine) - self._worth(theirs)
        return known

    def move(self, position: Any, action: Any) -> Any:
        before, entered, after = action
        return Turn(listed(before), written(entered) if entered else "", listed(after))

    def _worth(self, camp: Camp) -> int:
        singles, gipfs, reserve, _ = camp
        own, count = singles | gipfs, gipfs.bit_count()
        worth = PIECE * (reserve + singles.bit_count() + 2 * count)
        worth += RESERVE[min(reserve, len(RESERVE) - 1)]
        if self._needs:
            worth += GIPFS[min(count, len(GIPFS) - 1)]
        worth += CENTRAL * sum((own & inner).bit_count() for inner in _INNER)
        return worth + THREE * sum((own & own >> step & own >> 2 * step).bit_count() for step in _STEPS)


EVALUATOR = GipfEvaluator

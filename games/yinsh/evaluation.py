"""Evaluates YINSH by rings taken off, by markers side by side, and by the moves of rings."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from games.engine.evaluation import DRAWN, LOST, WON, Action, Children, Node
from games.kit.turn import Turn
from games.yinsh.board import BOARD, MARKERS, PASS, RAYS, RINGS, bits, reached, rows
from games.yinsh.rules import NOTHING, Removal, named, removals

TAKEN = (0, 500, 1_200, 0, 0, 0)  # for rings taken off
SINGLE, PAIR, THREE, FOUR = 4, 6, 22, 60  # for a marker, and for two, three and four side by side
TURN = 15  # for the side to move
CENTRAL = 2  # while rings are placed: for each point in line

_OPEN = {bit: sum(map(len, rays)) for bit, rays in RAYS.items()}


class YinshEvaluator:
    """Searches YINSH.

    A node has the rings of the side to move and of the other, their markers, and whether rings are being placed. An
    action is what is removed before, the origin (0 when a ring is placed or none can move), the target, and what is
    removed after.
    """

    man: ClassVar[int] = 60
    scale: ClassVar[int] = 400
    budgets: ClassVar[Mapping[int, int]] = {}
    repeats: ClassVar[bool] = False
    selective: ClassVar[bool] = False
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        self._wanted = position.rules.rings
        self._values: dict[Node, int] = {}

    def node(self, position: Any) -> Node:
        side, other = position.to_move, position.to_move.other
        return (
            position.rings[side],
            position.rings[other],
            position.markers[side],
            position.markers[other],
            position.placing,
        )

    def result(self, node: Node) -> int | None:
        mine, theirs, own, others, placing = node
        if placing:
            return None
        if RINGS - theirs.bit_count() >= self._wanted:
            return LOST
        if RINGS - mine.bit_count() >= self._wanted:
            return WON
        if own.bit_count() + others.bit_count() < MARKERS or any(rows(own)):
            return None
        return _most(node)

    def stuck(self, node: Node) -> int:
        return _most(node)

    def forced(self, node: Node) -> bool:
        return False

    def children(self, node: Node, depth: int, ply: int) -> Children:
        mine, theirs, own, others, placing = node
        if placing:
            free = BOARD.full & ~(mine | theirs)
            last = mine.bit_count() + theirs.bit_count() == 2 * RINGS - 1
            return [
                ((NOTHING, 0, point, NOTHING), (theirs, mine | point, others, own, not last))
                for point in bits(free)
            ]
        found, seen = list[tuple[Action, Node]](), set[Node]()
        for before in self._removals(mine, own):
            left, kept = mine & ~sum(before[1]), own & ~sum(before[0])
            if before != NOTHING and RINGS - left.bit_count() >= self._wanted:
                found.append(((before, 0, 0, NOTHING), (theirs, left, others, kept, False)))
                continue
            turns = list(self._turns(before, (left, theirs, kept, others), seen))
            if not turns and (before != NOTHING or self._opponent_goes_on(node)):
                turns = [((before, 0, 0, NOTHING), (theirs, left, others, kept, False))]
            found += turns
        return found

    def value(self, node: Node) -> int:
        known = self._values.get(node)
        if known is None:
            mine, theirs, own, others, placing = node
            if placing:
                known = CENTRAL * (
                    sum(map(_OPEN.__getitem__, bits(mine))) - sum(map(_OPEN.__getitem__, bits(theirs)))
                )
            else:
                known = TAKEN[RINGS - mine.bit_count()] - TAKEN[RINGS - theirs.bit_count()]
                known += _worth(own) - _worth(others) + TURN
            self._values[node] = known
        return known

    def move(self, position: Any, action: Any) -> Any:
        before, origin, target, after = action
        if position.placing:
            return Turn(action=BOARD.name[target])
        if not origin:
            return Turn(named(before)) if before != NOTHING else PASS
        return Turn(named(before), f"{BOARD.name[origin]}-{BOARD.name[target]}", named(after))

    def _removals(self, rings: int, markers: int) -> Iterator[Removal]:
        if not _five(markers):
            return iter((NOTHING,))
        return removals(markers, rings, self._wanted - RINGS + rings.bit_count())

    def _turns(
        self, before: Removal, sets: tuple[int, int, int, int], seen: set[Node]
    ) -> Iterator[tuple[Action, Node]]:
        """Yields the moves of rings, and what is removed after them. `seen` has what two parts together remove."""
        mine, theirs, own, others = sets
        occupied, markers = mine | theirs, own | others
        if markers.bit_count() >= MARKERS:
            return
        for origin in bits(mine):
            for target, passed in reached(origin, occupied, markers):
                turned = own & ~passed | others & passed | origin
                rest = others & ~passed | own & passed
                moved = mine ^ origin | target
                if not _five(turned):
                    yield (before, origin, target, NOTHING), (theirs, moved, rest, turned, False)
                    continue
                for after in self._removals(moved, turned):
                    left = theirs, moved & ~sum(after[1]), rest, turned & ~sum(after[0]), False
                    if before != NOTHING:
                        same = frozenset((*before[0], *after[0])), frozenset((*before[1], *after[1])), left
                        if same in seen:
                            continue
                        seen.add(same)
                    yield (before, origin, target, after), left

    def _opponent_goes_on(self, node: Node) -> bool:
        mine, theirs, own, others, _ = node
        return _five(others) or any(
            True for ring in bits(theirs) for _ in reached(ring, mine | theirs, own | others)
        )


def _five(markers: int) -> bool:
    """Tells whether there is a row."""
    for step in BOARD.axes:
        run = markers & markers >> step
        run &= run >> 2 * step
        if run & markers >> 4 * step:
            return True
    return False


def _worth(markers: int) -> int:
    worth = SINGLE * markers.bit_count()
    for step in BOARD.axes:
        two = markers & markers >> step
        if two:
            three = two & two >> step
            worth += PAIR * two.bit_count() + THREE * three.bit_count()
            if three:
                worth += FOUR * (three & three >> step).bit_count()
    return worth


def _most(node: Node) -> int:
    mine, theirs = node[0].bit_count(), node[1].bit_count()
    return WON if mine < theirs else LOST if theirs < mine else DRAWN


EVALUATOR = YinshEvaluator

"""Evaluates PÜNCT by the cells that each side lacks to join two opposite sides, and late by the centre.

Of the thousands of turns those are searched that have most cells on the shortest ways of both sides.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import Any, ClassVar

from games.engine.evaluation import DRAWN, LOST, WON, Children, Node
from games.punct.board import CENTRE, LATTICE, PIECES, PLACEMENTS, SIDES, Move, Placement, reached
from games.punct.rules import Piece, Pieces, Position, surface

LACKS = 60  # for each cell that the other side lacks more on its shortest way
SECOND = 15  # the same, on its second shortest way, between two other sides
CENTRAL = 40  # for a cell of the centre, when all pieces are placed; at first nothing
TEMPO = 80  # for the side to move: half of what a turn adds on the average

COVER = 2  # cells that a cell of the other side counts as: it can be covered, from one's own pieces only
FARTHEST = 40  # cells of a way that is not found

# What a turn promises, for each of its cells: on one's own ways, on those of the other side, in the centre late.
OWN_WAY, THEIR_WAY, TO_CENTRE = 4, 3, 4
URGENT = 12  # for each cell with which the other side would win

WIDTHS = (12, 14, 16)  # turns searched, by depth
AT_ROOT = 60
KEPT = 5_000  # nodes with their turns
DOTS = 3
SOME = 2  # dots on what is wanted, for a turn to be looked at

Promise = tuple[int, str, Placement]  # how much, the cell that a PÜNCT leaves, how the piece then lies


def _by_cells() -> tuple[tuple[int, Mapping[str, Placement]], ...]:
    """Returns for each three cells one way to lie on them of each kind."""
    found: dict[int, dict[str, Placement]] = {}
    for lies in PLACEMENTS.values():
        found.setdefault(lies.cells, {}).setdefault(lies.kind, lies)
    return tuple(found.items())


_BY_CELLS = _by_cells()


class PunctEvaluator:
    """Searches PÜNCT. A node has the pieces on the board and the side to move; an action is a turn."""

    man: ClassVar[int] = 180
    scale: ClassVar[int] = 150
    budgets: ClassVar[Mapping[int, int]] = {2: 400, 3: 2_500, 4: 25_000}
    repeats: ClassVar[bool] = True
    selective: ClassVar[bool] = True
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        self._rules = position.rules
        self._values: dict[Node, int] = {}
        self._known: dict[Node, Children] = {}  # what is searched again, deeper

    def node(self, position: Any) -> Node:
        return position.pieces, position.to_move

    def result(self, node: Node) -> int | None:
        pieces, side = node
        above = surface(pieces)
        if above.joined[1 - side] or above.joined[side]:
            return LOST if above.joined[1 - side] else WON
        if self._rules.centre == "closed" and max(_placed(pieces)) == PIECES:
            ahead = _central(above.own[side]) - _central(above.own[1 - side])
            return WON if ahead > 0 else LOST if ahead else DRAWN
        return None

    def stuck(self, node: Node) -> int:
        return LOST

    def forced(self, node: Node) -> bool:
        return False

    def children(self, node: Node, depth: int, ply: int) -> Children:
        if not ply:
            return self._turns(node, AT_ROOT)
        known = self._known.get(node)
        if known is None:
            if len(self._known) == KEPT:
                self._known.clear()
            known = self._known[node] = self._turns(node, WIDTHS[-1], enough=1)
        return known[: WIDTHS[min(depth, len(WIDTHS)) - 1]]

    def value(self, node: Node) -> int:
        known = self._values.get(node)
        if known is None:
            pieces, side = node
            own, theirs = surface(pieces).own[side], surface(pieces).own[1 - side]
            (mine, second), (other, their_second) = lacking(own, theirs), lacking(theirs, own)
            known = LACKS * (other - mine) + SECOND * (their_second - second) + TEMPO
            if self._rules.centre == "closed":
                late = max(_placed(pieces)) ** 2
                known += CENTRAL * late * (_central(own) - _central(theirs)) // PIECES**2
            self._values[node] = known
        return known

    def move(self, position: Any, action: Any) -> Any:
        return action

    def _turns(self, node: Node, width: int, enough: int | None = None) -> Children:
        """Returns the turns that join two sides, and others besides; where `enough` join, only these."""
        winning = list(islice(self._legal(node, self._winning(node), AT_ROOT), enough))
        if winning and enough:
            return winning
        known = {action for action, _ in winning}
        found = [turn for turn in self._legal(node, self._promising(node), width) if turn[0] not in known]
        position = self._position(node)
        return [*winning, *found] or [(move, self.node(position.play(move))) for move in position.turns()]

    def _position(self, node: Node) -> Any:
        pieces, side = node
        return Position(self._rules, pieces, side)

    def _promising(self, node: Node) -> list[Promise]:
        """Returns what promises something, legal or not, the best first."""
        pieces, side = node
        above, position = surface(pieces), self._position(node)
        own, theirs = above.own[side], above.own[1 - side]
        mine, others = on_ways(own, theirs), on_ways(theirs, own)
        gains, danger = mine & ~own, _least(theirs, own)
        # what the other side needs to join at once
        urgent = _on_ways(theirs, own, danger, cover=1) & ~theirs if danger <= DOTS else 0
        late = TO_CENTRE * max(_placed(pieces)) // PIECES if self._rules.centre == "closed" else 0
        centre = CENTRE & ~own if late else 0
        wanted, closed, stock = gains | others | centre, position.closed, position.stock(side)
        kinds = sorted(filter(stock.get, stock), key=lambda kind: -stock[kind])
        found = [
            (
                OWN_WAY * (cells & gains).bit_count()
                + THEIR_WAY * (cells & others).bit_count()
                + URGENT * (cells & urgent).bit_count()
                + late * (cells & centre).bit_count(),
                "",
                lies,
            )
            for cells, ways in _BY_CELLS
            if not cells & closed and (cells & wanted).bit_count() >= SOME
            for lies in next(([ways[kind]] for kind in kinds if kind in ways), ())
        ]
        for piece in pieces:
            if piece.side == side and position.is_free(piece):
                lies = piece.lies
                loss, name, here = OWN_WAY * (lies.cells & mine).bit_count(), lies.names[0], lies.cells
                found += [
                    (
                        OWN_WAY * (to.cells & (gains | here & mine)).bit_count()
                        + THEIR_WAY * (to.cells & others).bit_count()
                        + URGENT * (to.cells & urgent).bit_count()
                        + late * (to.cells & centre).bit_count()
                        - loss,
                        name,
                        to,
                    )
                    for to in reached(lies.kind, lies.punct)
                    if (to.cells & wanted).bit_count() >= SOME and to is not lies
                ]
        found.sort(key=itemgetter(0), reverse=True)
        return found

    def _legal(self, node: Node, promising: Iterable[Promise], width: int) -> Iterator[tuple[Move, Node]]:
        """Yields the first legal turns, of those that cover the same cells one."""
        pieces, side = node
        position, below, seen = self._position(node), dict[str, Pieces](), set[int]()
        for _, origin, lies in promising:
            if lies.cells in seen:
                continue
            level: int | None = 0
            left = pieces
            if origin:
                if origin not in below:
                    below[origin] = position.without(position.top(origin))
                left = below[origin]
                level = surface(left).level(lies, side)
            if level is not None:
                where = str(lies)
                seen.add(lies.cells)
                yield Move(origin, where), (tuple(sorted((*left, Piece(level, side, where)))), side.other)
                if len(seen) == width:
                    return

    def _winning(self, node: Node) -> Iterator[Promise]:
        """Yields what joins two sides, legal or not."""
        pieces, side = node
        own, theirs = surface(pieces).own[side], surface(pieces).own[1 - side]
        least = _least(own, theirs)
        if least > DOTS:
            return
        position, gaps = self._position(node), _on_ways(own, theirs, DOTS, cover=1) & ~own
        closed, stock = position.closed, position.stock(side)
        for cells, ways in _BY_CELLS:
            if (cells & gaps).bit_count() >= least and not cells & closed and _joins(cells, own):
                yield from ((0, "", lies) for lies in ways.values() if stock[lies.kind])
        for piece in pieces:
            if piece.side == side and position.is_free(piece):
                lies, left = piece.lies, surface(position.without(piece)).own[side]
                for to in reached(lies.kind, lies.punct):
                    if (to.cells & gaps).bit_count() >= least and _joins(to.cells, left):
                        yield 0, lies.names[0], to


def _placed(pieces: Pieces) -> tuple[int, int]:
    """Counts the pieces of both sides."""
    second = sum(piece.side for piece in pieces)
    return len(pieces) - second, second


def _central(cells: int) -> int:
    return (cells & CENTRE).bit_count()


# Ways between opposite sides

_FULL, _BELOW = LATTICE.full, LATTICE.axes[-1]  # below right is one more, and right is one


@lru_cache(maxsize=20_000)
def lacking(own: int, theirs: int) -> tuple[int, int]:
    """Returns the cells that a side lacks on its shortest way, and on the next one, between two other sides."""
    first, second, _ = sorted(len(_waves(*sides, own, theirs)) - 1 for sides in SIDES)
    return first, second


@lru_cache(maxsize=2_000)
def on_ways(own: int, theirs: int) -> int:
    """Returns the cells on a side's shortest ways."""
    return _on_ways(own, theirs, lacking(own, theirs)[0], COVER)


def _least(own: int, theirs: int) -> int:
    """Returns the cells that a side lacks on its shortest way if each can be covered at once."""
    return min(len(_waves(*sides, own, theirs, cover=1)) - 1 for sides in SIDES)


def _joins(cells: int, own: int) -> bool:
    """Tells whether neighbouring cells join two opposite sides together with a side's own."""
    near = cells
    while more := _around(near) & own & ~near:
        near |= more
    return any(one & near and other & near for one, other in SIDES)


def _on_ways(own: int, theirs: int, longest: int, cover: int) -> int:
    """Returns the cells on a side's ways that lack so many cells at most."""
    costs = (own, 0), (LATTICE.full & ~own & ~theirs, 1), (theirs, cover)
    found = 0
    for one, other in SIDES:
        there = _waves(one, other, own, theirs, cover, longest)
        if not there[longest] & other:
            continue
        back, before = _waves(other, one, own, theirs, cover, longest), 0
        for far, wave in enumerate(there[: longest + 1]):
            new = wave & ~before
            before = wave
            # what a cell costs is counted both ways
            for cells, cost in costs:
                if cells & new:
                    found |= cells & new & back[min(longest + cost - far, longest)]
    return found


def _waves(one: int, other: int, own: int, theirs: int, cover: int = COVER, least: int = 0) -> list[int]:
    """Returns the cells on ways from a side that lack 0, 1, 2... cells at most, until they come to the other one.

    They go on from there up to `least`.
    """
    free = LATTICE.full & ~own & ~theirs
    wave = LATTICE.connected(one & own, own)
    waves, beside = [wave], [one | _around(wave)]
    while len(waves) <= least or (not wave & other and len(waves) <= FARTHEST):
        wave |= beside[-1] & free
        if len(beside) >= cover:
            wave |= beside[-cover] & theirs
        near = _around(wave)
        while joins := near & own & ~wave:
            wave |= joins
            near |= _around(joins)
        waves.append(wave)
        beside.append(one | near)
    return waves


def _around(cells: int) -> int:
    """Returns the neighbours of a set, as the lattice does, in less time."""
    before, behind = cells >> 1, cells << 1
    return (before | behind | (cells | behind) << _BELOW | (cells | before) >> _BELOW) & _FULL


EVALUATOR = PunctEvaluator

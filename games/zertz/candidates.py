"""Which placements of Zèrtz a robot looks at, of the hundreds that there are; colours make no difference to it.

Those that force jumps and are answered by a jump, those that cut marbles off, and some of the quiet ones, which all
leave the same marbles to both sides.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from games.kit.hexagon import Hexagon

Pair = tuple[int, int]  # the ring to be filled, and the one to be removed: 0 where none can be

_REMOVALS = 3  # of those that leave a sacrifice what it is
_APART = 4  # rings to fill while a group is cut off, whichever it is


class Candidates(NamedTuple):
    """`checked` are removals after which something may be cut off; all of them where that includes 0."""

    forcing: tuple[Pair, ...]
    cutting: tuple[Pair, ...]
    quiet: tuple[Pair, ...]
    checked: frozenset[int]


class Chooser:
    """Chooses for positions on one board."""

    def __init__(self, board: Hexagon) -> None:
        self._board = board
        self._openings = {bit: tuple(_openings(board, bit)) for bit in board.name}
        self._around = {bit: board.around(bit) & ~bit for bit in board.name}

    def candidates(self, rings: int, occupied: int, most_quiet: int, thorough: bool) -> Candidates:
        """Where nobody can jump. `thorough` looks at every removal with each sacrifice."""
        empty = rings & ~occupied
        removable = list(bits(self._board.loose(rings) & empty)) or [0]
        groups = list(self._board.groups(rings))
        cuts = [ring for ring in removable if ring and self._may_cut(rings, ring)]
        narrow = len(groups) > 1 or any((group & empty).bit_count() < 3 for group in groups)
        opened = {cell: self._opened(cell, occupied, empty) for cell in bits(empty)}
        cutting = self._cutting(rings, empty, groups, cuts, removable) if narrow or cuts else ()
        forcing = tuple(self._forcing(rings, occupied, opened, removable, thorough))
        at_stake = 0
        for cell, _ in forcing:
            at_stake |= cell | opened[cell]
        return Candidates(
            forcing,
            tuple(dict.fromkeys(cutting)),
            tuple(_quiet(opened, removable, at_stake, most_quiet)),
            frozenset((0, *removable) if narrow else cuts),
        )

    def _opened(self, cell: int, occupied: int, empty: int) -> int:
        """The rings on which a jump may land once `cell` is filled."""
        found = 0
        for over, landing in self._openings[cell]:
            if over & occupied and landing & empty:
                found |= landing
        return found

    def _forcing(
        self, rings: int, occupied: int, opened: dict[int, int], removable: Sequence[int], thorough: bool
    ) -> Iterator[Pair]:
        for number, (cell, landings) in enumerate(opened.items()):
            if not landings:
                continue
            neutral = [ring for ring in removable if ring != cell and not ring & landings]
            if not thorough and len(neutral) > _REMOVALS:
                step = len(neutral) // _REMOVALS
                neutral = neutral[number % step :: step][:_REMOVALS]
            restricting = [
                ring for ring in removable if ring & landings and ring != cell and landings & ~ring
            ]
            for ring in (*restricting, *neutral):
                if self._answered(rings & ~ring, occupied | cell):
                    yield cell, ring

    def _answered(self, rings: int, occupied: int) -> bool:
        """Whether after each jump that is there the other side has one."""
        heads = self._board.heads
        return all(
            heads(after, after, rings & ~after) for _, _, after in chains(self._board, rings, occupied)
        )

    def _may_cut(self, rings: int, ring: int) -> bool:
        """Whether the rings beside this one do not all hang together."""
        beside = self._around[ring] & rings
        return self._board.connected(beside & -beside, beside) != beside

    def _cutting(
        self, rings: int, empty: int, groups: Sequence[int], cuts: Sequence[int], removable: Sequence[int]
    ) -> Iterator[Pair]:
        for group in groups:
            left = list(bits(group & empty))
            if len(left) == 1:
                others = [ring for ring in removable if ring != left[0]] or [0]
                yield from ((left[0], ring) for ring in others[:2])
            elif len(left) == 2:
                yield from (
                    (cell, ring) for cell in left for ring in left if ring != cell and ring in removable
                )
        for ring in cuts:
            parts = list(self._board.groups(rings ^ ring))
            for part in parts:
                left = list(bits(part & empty))
                if len(left) == 1:
                    yield left[0], ring
            elsewhere = list(bits(empty & ~ring))
            yield from ((cell, ring) for cell in elsewhere[:: len(elsewhere) // _APART + 1])


def bits(cells: int) -> Iterator[int]:
    """The cells of a set one by one."""
    while cells:
        bit = cells & -cells
        yield bit
        cells ^= bit


def chains(board: Hexagon, rings: int, occupied: int) -> list[tuple[tuple[int, ...], int, int]]:
    """Every complete chain of jumps: the rings it touches, what it jumps, and what is occupied after it."""
    found: list[tuple[tuple[int, ...], int, int]] = []
    for start in bits(board.heads(occupied, occupied, rings & ~occupied)):
        _grow(board, rings, (start,), 0, occupied ^ start, found)
    return found


def _grow(
    board: Hexagon,
    rings: int,
    path: tuple[int, ...],
    jumped: int,
    occupied: int,
    found: list[tuple[tuple[int, ...], int, int]],
) -> None:
    """The chain as far as it goes; the marble that jumps is not among the occupied."""
    end = True
    for landing, over in board.jumps[path[-1]].items():
        if over & occupied and landing & rings and not landing & occupied:
            end = False
            _grow(board, rings, (*path, landing), jumped | over, occupied ^ over, found)
    if end:
        found.append((path, jumped, occupied | path[-1]))


def _openings(board: Hexagon, cell: int) -> Iterator[Pair]:
    """What must be occupied, and what empty, for a jump that a marble on `cell` makes or suffers."""
    for landing, over in board.jumps[cell].items():
        yield over, landing
    for start, ways in board.jumps.items():
        yield from ((start, landing) for landing, over in ways.items() if over == cell)


def _quiet(opened: dict[int, int], removable: Sequence[int], at_stake: int, most: int) -> Iterator[Pair]:
    """Some pairs that open no jump: half of them where the other side could sacrifice next, the rest from all over."""
    cells = sorted(opened, key=lambda cell: (opened[cell] != 0, cell))
    pairs = [
        (cell, ring)
        for turn in range(len(removable))
        for number, cell in enumerate(cells)
        if (ring := removable[(number * 5 + turn) % len(removable)]) != cell and not opened[cell] & ~ring
    ] or [(cell, 0) for cell in cells if removable == [cell] and not opened[cell]]
    parrying = [pair for pair in pairs if (pair[0] | pair[1]) & at_stake]
    others = [pair for pair in pairs if not (pair[0] | pair[1]) & at_stake]
    parries = min(len(parrying), max(most - len(others), most // 2))
    return chain(_spaced(parrying, parries), _spaced(others, most - parries))


def _spaced(pairs: Sequence[Pair], most: int) -> Sequence[Pair]:
    return pairs[:: max(1, len(pairs) // most)][:most] if most else ()

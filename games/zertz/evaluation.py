"""Evaluates Zèrtz by the distance of each side from its goals, and selects placements to search.

Jumps are compulsory and cost no depth.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import chain
from typing import Any, ClassVar, NamedTuple

from games.engine.evaluation import DRAWN, LOST, Action, Children, Node
from games.kit.scene import Hexagon, hexagon
from games.zertz.board import Colour, Jump, Placement, isolated
from games.zertz.variants import Counts, Goals

# Candidate placements, out of hundreds, regardless of colour: those that force jumps and are answered by a
# jump, those that cut marbles off, and some of the quiet ones.

Pair = tuple[int, int]  # the ring to fill, and the one to remove: 0 when none can be

_REMOVALS = 3  # neutral removals tried with a sacrifice
_APART = 4  # rings to fill when the removal cuts a group off


class Candidates(NamedTuple):
    """Selected placements. `checked` are the removals that may isolate rings; with 0, also placements without
    one.
    """

    forcing: tuple[Pair, ...]
    cutting: tuple[Pair, ...]
    quiet: tuple[Pair, ...]
    checked: frozenset[int]


class Chooser:
    """Selects the candidates on one board."""

    def __init__(self, board: Hexagon) -> None:
        self._board = board
        self._openings = {bit: tuple(_openings(board, bit)) for bit in board.name}
        self._around = {bit: board.around(bit) & ~bit for bit in board.name}

    def candidates(self, rings: int, occupied: int, most_quiet: int, thorough: bool) -> Candidates:
        """Returns the candidates when there is no jump. `thorough` tries every removal with each sacrifice."""
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
        """Returns the rings on which a jump may land once `cell` is filled."""
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
        """Tells whether the opponent can answer each possible jump with another."""
        heads = self._board.heads
        return all(
            heads(after, after, rings & ~after) for _, _, after in chains(self._board, rings, occupied)
        )

    def _may_cut(self, rings: int, ring: int) -> bool:
        """Tells whether the neighbours of this ring are not all connected among themselves."""
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
    """Yields the cells of a set."""
    while cells:
        bit = cells & -cells
        yield bit
        cells ^= bit


def chains(board: Hexagon, rings: int, occupied: int) -> list[tuple[tuple[int, ...], int, int]]:
    """Returns every complete chain of jumps: the rings touched, the marbles jumped, and the occupied rings
    after it.
    """
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
    """Extends the chain to its ends; the jumping marble is not among the occupied."""
    end = True
    for landing, over in board.jumps[path[-1]].items():
        if over & occupied and landing & rings and not landing & occupied:
            end = False
            _grow(board, rings, (*path, landing), jumped | over, occupied ^ over, found)
    if end:
        found.append((path, jumped, occupied | path[-1]))


def _openings(board: Hexagon, cell: int) -> Iterator[Pair]:
    """Yields the ring to be occupied and the one to be empty for each jump by or over a marble on `cell`."""
    for landing, over in board.jumps[cell].items():
        yield over, landing
    for start, ways in board.jumps.items():
        yield from ((start, landing) for landing, over in ways.items() if over == cell)


def _quiet(opened: dict[int, int], removable: Sequence[int], at_stake: int, most: int) -> Iterator[Pair]:
    """Returns some pairs that open no jump: half of them among the rings of possible sacrifices, the rest
    spread out.
    """
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


SINGLE = 400  # for all marbles of a winning single colour
NEAREST = (0, 900, 420, 180, 60)  # by the number of marbles missing for the nearest goal
EACH = 25  # for each marble of the goal of all colours
REACHED = 100_000

QUIET = (1, 2, 12, 16)  # quiet placements searched, by depth; more at the root
QUIET_AT_ROOT = 36
_REMEMBERED = 20_000  # boards


class Progress(dict[Counts, int]):
    """A table of the values of a side's captives."""

    def __init__(self, goals: Goals) -> None:
        super().__init__()
        self._goals = goals

    def __missing__(self, captives: Counts) -> int:
        single, each = self._goals.single, self._goals.each
        missing = [needed - taken for taken, needed in zip(captives, single, strict=True)]
        worth = sum(SINGLE * taken // needed for taken, needed in zip(captives, single, strict=True))
        worth += EACH * sum(min(taken, each) for taken in captives)
        nearest = max(0, min(*missing, sum(max(0, each - taken) for taken in captives)))
        worth += NEAREST[nearest] if nearest < len(NEAREST) else 0
        self[captives] = worth = worth + REACHED if self._goals.reached(captives) else worth
        return worth


class Known(dict[tuple[int, int, int, bool], Candidates]):
    """The candidates of each board, which do not depend on colours."""

    def __init__(self, board: Hexagon) -> None:
        super().__init__()
        self._chooser = Chooser(board)

    def __missing__(self, key: tuple[int, int, int, bool]) -> Candidates:
        if len(self) >= _REMEMBERED:
            self.clear()
        self[key] = found = self._chooser.candidates(*key)
        return found


@cache
def known(rows: str) -> Known:
    return Known(hexagon(rows))


class ZertzEvaluator:
    """Searches Zèrtz.

    A node has the rings, the marbles by colour, the pool, the captives of the side to move and of the
    opponent, and whether there is a jump. An action is the rings of a jump, or the colour, the ring filled
    and the ring removed (0 for none).
    """

    man: ClassVar[int] = 150
    scale: ClassVar[int] = 350
    budgets: ClassVar[Mapping[int, int]] = {3: 4_000, 4: 40_000}
    repeats: ClassVar[bool] = False
    selective: ClassVar[bool] = True
    rests: ClassVar[bool] = False

    def __init__(self, position: Any) -> None:
        rules = position.rules
        self._board: Hexagon = rules.board
        self._islands = rules.islands
        self._progress = Progress(rules.goals)
        self._known = known(rules.ring_map or rules.rings)

    def node(self, position: Any) -> Node:
        captives, side = position.captives, position.to_move
        return self._node(
            position.rings, position.marbles, position.pool, captives[side], captives[side.other]
        )

    def result(self, node: Node) -> int | None:
        return LOST if not node[0] or self._progress[node[6]] >= REACHED else None

    def stuck(self, node: Node) -> int:
        return DRAWN

    def forced(self, node: Node) -> bool:
        jumps: bool = node[7]
        return jumps

    def children(self, node: Node, depth: int, ply: int) -> Children:
        if node[7]:
            return self._jumps(node)
        rings, *marbles, pool, mine, _, _ = node
        supply = pool if any(pool) else mine
        colours = [colour for colour in (0, 1, 2) if supply[colour]]
        if not colours:
            return []
        occupied = marbles[0] | marbles[1] | marbles[2]
        quiet = QUIET[min(depth, len(QUIET) - 1)] if ply else QUIET_AT_ROOT
        chosen = self._known[rings, occupied, quiet, not ply]
        turns = [(colour, *pair) for pair in (*chosen.cutting, *chosen.forcing) for colour in colours]
        turns += _in_turn(chosen.quiet, colours)
        turns = turns or [(colours[0], *pair) for pair in self._any_pair(rings, occupied)]
        return [(turn, self._placed(node, turn, chosen.checked)) for turn in dict.fromkeys(turns)]

    def value(self, node: Node) -> int:
        return self._progress[node[5]] - self._progress[node[6]]

    def move(self, position: Any, action: Any) -> Any:
        names = self._board.name
        if position.must_jump:
            return Jump(tuple(names[ring] for ring in action))
        colour, cell, removed = action
        return Placement(Colour(colour), names[cell], names.get(removed))

    def _any_pair(self, rings: int, occupied: int) -> Sequence[Pair]:
        """Returns every pair, for positions without candidates: all placements are sacrifices."""
        empty = rings & ~occupied
        removable = self._board.loose(rings) & empty
        cells = [bit for bit in self._board.name if bit & empty]
        pairs = [(cell, ring) for cell in cells for ring in cells if ring & removable and ring != cell]
        return pairs or [(cell, 0) for cell in cells]

    def _node(self, rings: int, marbles: Sequence[int], pool: Counts, mine: Counts, theirs: Counts) -> Node:
        white, grey, black = marbles
        occupied = white | grey | black
        jumps = bool(self._board.heads(occupied, occupied, rings & ~occupied))
        return rings, white, grey, black, pool, mine, theirs, jumps

    def _jumps(self, node: Node) -> Children:
        rings, white, grey, black, pool, mine, theirs, _ = node
        found: list[tuple[Action, Node]] = []
        for path, jumped, _ in chains(self._board, rings, white | grey | black):
            moved = path[0] ^ path[-1]
            marbles = [each & ~jumped ^ (moved if each & path[0] else 0) for each in (white, grey, black)]
            taken = [(each & jumped).bit_count() for each in (white, grey, black)]
            captives = (mine[0] + taken[0], mine[1] + taken[1], mine[2] + taken[2])
            found.append((path, self._node(rings, marbles, pool, theirs, captives)))
        return found

    def _placed(self, node: Node, turn: tuple[int, int, int], checked: frozenset[int]) -> Node:
        colour, cell, removed = turn
        rings, *marbles, pool, mine, theirs, _ = node
        if any(pool):
            pool = _changed(pool, colour, -1)
        else:
            mine = _changed(mine, colour, -1)
        marbles[colour] |= cell
        rings ^= removed
        if removed in checked:
            empty = rings & ~(marbles[0] | marbles[1] | marbles[2])
            if gone := isolated(self._board, rings, empty, self._islands):
                rings &= ~gone
                for each in (0, 1, 2):
                    mine = _changed(mine, each, (marbles[each] & gone).bit_count())
                    marbles[each] &= ~gone
        return self._node(rings, marbles, pool, theirs, mine)


def _changed(counts: Counts, colour: int, by: int) -> Counts:
    white, grey, black = counts
    return white + by * (colour == 0), grey + by * (colour == 1), black + by * (colour == 2)


def _in_turn(pairs: Sequence[Pair], colours: Sequence[int]) -> list[tuple[int, int, int]]:
    return [(colours[number % len(colours)], *pair) for number, pair in enumerate(pairs)]


EVALUATOR = ZertzEvaluator

"""How a robot looks at Zèrtz: how far each side is from its goals. Jumps are compulsory and cost no depth."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any, ClassVar

from games.kit.hexagon import Hexagon, hexagon
from games.robots.mind import DRAWN, LOST, Action, Children, Node
from games.zertz.candidates import Candidates, Chooser, Pair, chains
from games.zertz.islands import isolated
from games.zertz.moves import Colour, Jump, Placement
from games.zertz.variants import Counts, Goals

SINGLE = 400  # all marbles of one colour that win
NEAREST = (0, 900, 420, 180, 60)  # so many are missing of the colour that is nearest to winning
EACH = 25  # a marble of those that win together
REACHED = 100_000

QUIET = (1, 2, 12, 16)  # placements without consequence that are looked at, by depth; more at the root
QUIET_AT_ROOT = 36
_REMEMBERED = 20_000  # boards


class Progress(dict[Counts, int]):
    """What the marbles that a side has captured are worth."""

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
    """The candidates of each board, which the colours of its marbles do not change."""

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


class ZertzMind:
    """A node has the rings, the marbles on them by colour, the pool, the captives of the side to move and of the other,
    and whether there is a jump. An action is the rings of a jump, or colour, ring filled and ring removed."""

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
        """Every pair, where no placement is among the candidates: all are sacrifices."""
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


MIND = ZertzMind

"""The rules of Zèrtz: positions, legal turns, objections and outcomes.

Sources: PerGioco newsletter 56, Fogliaccio degli Astratti 6 and the rules at gipf.com; the first takes
precedence.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from games.protocol import Objection, Outcome, Side
from games.zertz.board import LETTERS, Colour, Jump, Move, Placement, isolated, ring_map
from games.zertz.variants import Counts, Rules

# The situation in a game of Zèrtz: marbles, rings and chains of jumps. Sets of rings are bit masks
# of the board (`games.kit.scene`).

Masks = tuple[int, int, int]  # one set of rings per colour


@dataclass(frozen=True, slots=True)
class Situation:
    """The `rings` in play, the `marbles` on them by colour, the common `pool`, the `captives` of both sides."""

    rules: Rules
    rings: int
    marbles: Masks
    pool: Counts
    captives: tuple[Counts, Counts]
    to_move: Side

    @property
    def occupied(self) -> int:
        white, grey, black = self.marbles
        return white | grey | black

    @property
    def empty(self) -> int:
        return self.rings & ~self.occupied

    @property
    def removable(self) -> int:
        """Returns the empty rings that can slide out: two adjacent sides are free (newsletter 56)."""
        return self.rules.board.loose(self.rings) & self.empty

    @property
    def supply(self) -> Counts:
        """Returns the marbles to place from: the pool, or the mover's captives when the pool is empty."""
        return self.pool if any(self.pool) else self.captives[self.to_move]

    @property
    def must_jump(self) -> bool:
        return bool(self._jumpers())

    def colour_of(self, ring: int) -> Colour:
        """Returns the colour of the marble on an occupied ring."""
        return next(colour for colour in Colour if self.marbles[colour] & ring)

    def landings(self, ring: int, occupied: int) -> dict[int, int]:
        """Returns the jumps of a marble on `ring` over the others, `occupied`: landing -> ring jumped."""
        free = self.rings & ~occupied
        ways = self.rules.board.jumps[ring].items()
        return {landing: over for landing, over in ways if over & occupied and landing & free}

    def jumps(self) -> Iterator[Jump]:
        """Yields every complete chain of jumps."""
        # the starting ring is free, so a chain may return to it
        occupied = self.occupied
        for name in self.rules.board.names(self._jumpers()):
            yield from self._chains((name,), occupied & ~self.rules.board.bit[name])

    def _jumpers(self) -> int:
        occupied = self.occupied
        return self.rules.board.heads(occupied, occupied, self.rings & ~occupied)

    def _chains(self, path: tuple[str, ...], occupied: int) -> Iterator[Jump]:
        board = self.rules.board
        onward = self.landings(board.bit[path[-1]], occupied)
        if not onward:
            yield Jump(path)
        for landing, over in onward.items():
            yield from self._chains((*path, board.name[landing]), occupied & ~over)


# Objections


def objection(position: Situation, move: Move) -> Objection | None:
    """Returns the first objection to `move` in a game that is not over. None when it is legal."""
    # only the first is consumed, so each check may rely on those before it
    found = _to_jump(position, move) if isinstance(move, Jump) else _to_placement(position, move)
    return next(found, None)


def must_jump(position: Situation) -> Objection:
    """Returns the objection that a jump is compulsory, with the first step of one. There must be a jump."""
    return Objection("must_jump", next(position.jumps()).path[:2])


def _to_placement(position: Situation, move: Placement) -> Iterator[Objection]:
    yield from _no_ring(position, move.cell)
    if position.must_jump:
        yield must_jump(position)
    cell = position.rules.board.bit[move.cell]
    if not cell & position.empty:
        yield Objection("occupied", (move.cell,))
    if not position.supply[move.colour]:
        code = "not_in_pool" if any(position.pool) else "not_captured"
        yield Objection(code, pieces=(move.colour.kind,))
    yield from _to_removal(position, move)


def _to_removal(position: Situation, move: Placement) -> Iterator[Objection]:
    board = position.rules.board
    removable = position.removable & ~board.bit[move.cell]
    if move.removed is None:
        if removable:
            yield Objection("removal_missing", tuple(board.names(removable)))
        return
    yield from _no_ring(position, move.removed)
    if move.removed == move.cell:
        yield Objection("removes_own", (move.cell,))
    if not removable:
        yield Objection("nothing_removable", (move.removed,))
    ring = board.bit[move.removed]
    if ring & position.occupied:
        yield Objection("removes_occupied", (move.removed,))
    if not ring & removable:
        yield Objection("not_removable", (move.removed,))


def _to_jump(position: Situation, move: Jump) -> Iterator[Objection]:
    for name in move.path:
        yield from _no_ring(position, name)
    board = position.rules.board
    start, end = board.bit[move.path[0]], board.bit[move.path[-1]]
    if not start & position.occupied:
        yield Objection("no_marble", (move.path[0],))
    occupied = position.occupied & ~start
    for at, to in pairwise(move.path):
        landing = board.bit[to]
        over = board.jumps[board.bit[at]].get(landing)
        if over is None:
            yield Objection("not_a_jump", (at, to))
            return
        if not over & occupied:
            yield Objection("nothing_to_jump", (board.name[over], at, to))
        if landing & occupied:
            yield Objection("landing_occupied", (to,))
        occupied &= ~over
    for landing in position.landings(end, occupied):
        yield Objection("incomplete", (move.path[-1], board.name[landing]))


def _no_ring(position: Situation, name: str) -> Iterator[Objection]:
    bit = position.rules.board.bit.get(name)
    if bit is None:
        yield Objection("no_such_ring", (name,))
    elif not bit & position.rings:
        yield Objection("ring_gone", (name,))


# Text of a position: the board row by row (`.` an empty ring, `W` `G` `B` a marble on its ring, `-` a removed
# ring), the counts of white, grey and black marbles in the pool and captured, and the side to move:
# `..../...../....../...W.../....../...../-... pool=5,8,10 first=0,0,0 second=0,0,0 move=second`. A board
# other than the variant's is appended, `rings=a1-5,b1-6,...`.

_TEXT = re.compile(
    r"([-./WGB]+) pool=([0-9,]+) first=([0-9,]+) second=([0-9,]+) move=(first|second)"
    r"(?: rings=([-a-z0-9,]+))?",
    re.ASCII,
)


def write(position: Situation) -> str:
    """Writes the position as one line, without its rules."""
    first, second = map(_counts_text, position.captives)
    rows = "/".join("".join(_sign(position, name) for name in row) for row in position.rules.board.rows)
    pool = _counts_text(position.pool)
    line = f"{rows} pool={pool} first={first} second={second} move={position.to_move.name.lower()}"
    laid = position.rules.ring_map.replace(" ", ",")
    return f"{line} rings={laid}" if laid else line


def read(rules: Rules, text: str) -> tuple[Rules, int, Masks, Counts, tuple[Counts, Counts], Side]:
    """Reads the fields of a position, in their order.

    Raises ValueError when the rings do not fit the board or the marbles are not complete.
    """
    found = _TEXT.fullmatch(text)
    if found and found[6]:
        rules = rules.on(ring_map(found[6]))
    rows = found[1].split("/") if found else []
    if not found or [len(row) for row in rows] != [len(row) for row in rules.board.rows]:
        raise ValueError(f"{text!r} is not a position of Zèrtz on {rules.ring_map or rules.rings}")
    signs = dict(zip(rules.board.bit.values(), "".join(rows), strict=True))
    pool, first, second = _counts(found[2]), _counts(found[3]), _counts(found[4])
    white, grey, black = (sum(bit for bit, sign in signs.items() if sign == letter) for letter in LETTERS)
    for masks, *counts, all_there in zip(
        (white, grey, black), pool, first, second, rules.marbles, strict=True
    ):
        if masks.bit_count() + sum(counts) != all_there:
            raise ValueError(f"{text!r} does not have {_counts_text(rules.marbles)} marbles in all")
    rings = sum(bit for bit, sign in signs.items() if sign != "-")
    return rules, rings, (white, grey, black), pool, (first, second), Side[found[5].upper()]


def _sign(position: Situation, name: str) -> str:
    bit = position.rules.board.bit[name]
    if not bit & position.rings:
        return "-"
    return LETTERS[position.colour_of(bit)] if bit & position.occupied else "."


def _counts(text: str) -> Counts:
    white, grey, black = map(int, text.split(","))
    return white, grey, black


def _counts_text(counts: Counts) -> str:
    return ",".join(map(str, counts))


@dataclass(frozen=True, slots=True)
class Position(Situation):
    """A moment of the game, with the turns that it allows."""

    def __str__(self) -> str:
        return write(self)

    def key(self) -> str:
        return str(self)

    def moves(self) -> Iterator[Move]:
        if self.outcome():
            return
        if self.must_jump:
            yield from self.jumps()
            return
        board, empty, removable = self.rules.board, self.empty, self.removable
        for colour in self._colours():
            for cell in board.names(empty):
                removals = removable & ~board.bit[cell]
                for removed in board.names(removals) if removals else (None,):
                    yield Placement(colour, cell, removed)

    def count(self) -> int:
        if self.outcome():
            return 0
        if self.must_jump:
            return sum(1 for _ in self.jumps())
        empty, removable = self.empty.bit_count(), self.removable.bit_count()
        # With several removable rings, each goes with any other empty ring to fill. Otherwise each ring is
        # filled in one way: with the only removal, or with none when no other ring can go.
        pairs = removable * (empty - 1) if removable > 1 else empty
        return pairs * len(self._colours())

    def sample(self, rng: Random) -> Move:
        if self.must_jump:
            return rng.choice(list(self.jumps()))
        board, empty, removed = self.rules.board, self.empty, self.removable
        if removed.bit_count() > 1:
            removed = board.pick(removed, rng)
            cell = board.pick(empty & ~removed, rng)
        else:
            cell = board.pick(empty, rng)
            removed &= ~cell
        return Placement(rng.choice(self._colours()), board.name[cell], board.name.get(removed))

    def objection(self, move: Move) -> Objection | None:
        return Objection("finished") if self.outcome() else objection(self, move)

    def play(self, move: Move) -> Position:
        return self._jump(move) if isinstance(move, Jump) else self._place(move)

    def outcome(self) -> Outcome | None:
        mover = self.to_move.other
        if reason := self.rules.goals.reached(self.captives[mover]):
            return Outcome(mover, reason)
        if not self.rings:
            return Outcome(mover, "filled")
        if not any(self.supply) and not self.must_jump:
            return Outcome(None, "stuck")
        return None

    def taken(self, move: Move) -> tuple[tuple[str, Colour], ...]:
        """Returns the marbles captured by a legal move, as ring and colour, in order of the jumps or of the
        board.
        """
        board = self.rules.board
        if isinstance(move, Jump):
            return tuple((board.name[ring], self.colour_of(ring)) for ring in self._jumped(move))
        put = board.bit[move.cell]
        occupied = self.occupied | put
        gone = occupied & ~self.play(move).occupied
        return tuple(
            (name, move.colour if name == move.cell else self.colour_of(board.bit[name]))
            for name in board.names(gone)
        )

    def _colours(self) -> list[Colour]:
        return [colour for colour in Colour if self.supply[colour]]

    def _jumped(self, move: Jump) -> list[int]:
        board = self.rules.board
        return [board.jumps[board.bit[at]][board.bit[to]] for at, to in pairwise(move.path)]

    def _jump(self, move: Jump) -> Position:
        board = self.rules.board
        marbles, captives = list(self.marbles), list(self.captives[self.to_move])
        for ring in self._jumped(move):
            colour = self.colour_of(ring)
            marbles[colour] ^= ring
            captives[colour] += 1
        start, end = board.bit[move.path[0]], board.bit[move.path[-1]]
        marbles[self.colour_of(start)] ^= start ^ end
        return self._after(self.rings, marbles, self.pool, captives)

    def _place(self, move: Placement) -> Position:
        board, colour = self.rules.board, move.colour
        marbles, captives = list(self.marbles), list(self.captives[self.to_move])
        pool = self.pool
        if any(pool):
            pool = _less_one(pool, colour)
        else:
            captives[colour] -= 1
        marbles[colour] |= board.bit[move.cell]
        rings = self.rings ^ board.bit[move.removed] if move.removed else self.rings
        empty = rings & ~(marbles[0] | marbles[1] | marbles[2])
        if gone := isolated(board, rings, empty, self.rules.islands):
            rings &= ~gone
            for each in Colour:
                captives[each] += (marbles[each] & gone).bit_count()
                marbles[each] &= ~gone
        return self._after(rings, marbles, pool, captives)

    def _after(self, rings: int, marbles: list[int], pool: Counts, captives: list[int]) -> Position:
        white, grey, black = marbles
        mine, theirs = (captives[0], captives[1], captives[2]), self.captives[self.to_move.other]
        both = (mine, theirs) if self.to_move is Side.FIRST else (theirs, mine)
        return Position(self.rules, rings, (white, grey, black), pool, both, self.to_move.other)


def start(rules: Rules, setup: str = "") -> Position:
    """Returns the first position: all rings, and all marbles in the pool.

    A set-up is a map of rings in place of the variant's board. Raises ValueError for a bad one (see
    `ring_map`).
    """
    if setup.strip():
        rules = rules.on(ring_map(setup))
    nothing = (0, 0, 0)
    return Position(rules, rules.board.full, nothing, rules.marbles, (nothing, nothing), Side.FIRST)


def position(rules: Rules, text: str) -> Position:
    """Parses the text of `str(position)`. Raises ValueError when it is no position of `rules`."""
    return Position(*read(rules, text))


def _less_one(counts: Counts, colour: Colour) -> Counts:
    white, grey, black = (n - (each == colour) for each, n in enumerate(counts))
    return white, grey, black

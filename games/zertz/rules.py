"""The rules of Zèrtz: which turns are legal, what they do, when the game is over.

Sources: PerGioco newsletter 56, Fogliaccio degli Astratti 6 and the rules at gipf.com; where they
differ the first one wins.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from games.protocol import Objection, Outcome, Side
from games.zertz import objections, snapshot
from games.zertz.islands import isolated
from games.zertz.moves import Colour, Jump, Move, Placement
from games.zertz.ring_map import ring_map
from games.zertz.situation import Situation
from games.zertz.variants import Counts, Rules


@dataclass(frozen=True, slots=True)
class Position(Situation):
    """A moment of the game: how it stands, and the turns that it allows."""

    def __str__(self) -> str:
        return snapshot.write(self)

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
        # With a choice of removals, each goes with any other empty ring to fill. Otherwise each ring
        # is filled in one way: with the only removal, or with none where there is none or it is that ring.
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
        return Objection("finished") if self.outcome() else objections.objection(self, move)

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
        """The marbles that a legal move captures, ring and colour: in order of the jumps, or of
        the board."""
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
    """All rings, all marbles in the pool. A set-up is the map of the rings; without one the board is
    that of the rules. Raises ValueError for what is no map (see `ring_map`)."""
    if setup.strip():
        rules = rules.on(ring_map(setup))
    nothing = (0, 0, 0)
    return Position(rules, rules.board.full, nothing, rules.marbles, (nothing, nothing), Side.FIRST)


def position(rules: Rules, text: str) -> Position:
    """The inverse of `str(position)`. Raises ValueError for a text that is no position of `rules`."""
    return Position(*snapshot.read(rules, text))


def _less_one(counts: Counts, colour: Colour) -> Counts:
    white, grey, black = (n - (each == colour) for each, n in enumerate(counts))
    return white, grey, black

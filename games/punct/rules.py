"""The rules of PÜNCT (Kris Burm, 2005): pieces of three dots are placed, or moved, to join opposite sides."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Literal, NamedTuple, Self

from games.protocol import Objection, Outcome, Side
from games.punct.board import (
    BIT,
    CENTRE,
    EACH,
    LATTICE,
    OF_KIND,
    PLACEMENTS,
    SIDES,
    Move,
    Placement,
    in_line,
    reached,
)

NAMES = ("white", "black")
LETTERS = "wb"


@dataclass(frozen=True)
class Rules:
    """The option of a variant: whether pieces can be placed on the centre, from the second turn on."""

    centre: Literal["closed", "open"] = "closed"


class Piece(NamedTuple):
    """A piece on the board: its level, 0 for the board itself, its side, and how it lies."""

    level: int
    side: Side
    where: str

    @property
    def lies(self) -> Placement:
        return PLACEMENTS[self.where]

    def __str__(self) -> str:
        return f"{LETTERS[self.side]}{self.lies.kind}{self.level}{self.where}"


Pieces = tuple[Piece, ...]  # sorted, the lower levels first


class Surface(NamedTuple):
    """What is seen from above: the cells that each side has, and on `steps[n]` those where level n is next.

    `low[n]` are the cells of all steps up to n. `joined` tells of each side whether its cells join opposite sides.
    """

    own: tuple[int, int]
    steps: tuple[int, ...]
    low: tuple[int, ...]
    joined: tuple[bool, bool]

    def level(self, lies: Placement, side: Side) -> int | None:
        """Returns the level on which a piece of this side can rest. None when it cannot."""
        ends = lies.ends
        for level, cells in enumerate(self.steps):
            if ends & cells:
                fits = ends & cells == ends and not lies.middle & ~self.low[level]
                return level if fits and (not level or lies.punct & self.own[side]) else None
        return None


@lru_cache(maxsize=2048)
def surface(pieces: Pieces) -> Surface:
    own, steps = [0, 0], [LATTICE.full]
    for level, side, where in pieces:
        cells = PLACEMENTS[where].cells
        own[side] |= cells
        own[1 - side] &= ~cells
        steps = [step & ~cells for step in steps]
        if len(steps) == level + 1:
            steps.append(0)
        steps[level + 1] |= cells
    low = tuple(sum(steps[: level + 1]) for level in range(len(steps)))
    return Surface((own[0], own[1]), tuple(steps), low, (is_joined(own[0]), is_joined(own[1])))


def is_joined(cells: int) -> bool:
    """Tells whether a chain of these cells joins two opposite sides of the board."""
    return any(one & cells and LATTICE.connected(one, cells) & other for one, other in SIDES)


@dataclass(frozen=True)
class Position:
    """The pieces on the board, and the side to move."""

    rules: Rules
    pieces: Pieces
    to_move: Side

    @property
    def surface(self) -> Surface:
        return surface(self.pieces)

    def stock(self, side: Side) -> Mapping[str, int]:
        """Counts the pieces of each kind that a side still has beside the board."""
        used = Counter(piece.lies.kind for piece in self.pieces if piece.side == side)
        return {kind: count - used[kind] for kind, count in EACH.items()}

    def central(self, side: Side) -> int:
        """Counts the cells of the centre that a side has."""
        return (self.surface.own[side] & CENTRE).bit_count()

    def top(self, name: str) -> Piece | None:
        """Returns the piece that is seen on a cell."""
        cell = BIT[name]
        return next((piece for piece in reversed(self.pieces) if piece.lies.cells & cell), None)

    def is_free(self, piece: Piece) -> bool:
        """Tells whether nothing lies on a piece."""
        return not piece.lies.cells & ~self.surface.steps[piece.level + 1]

    def without(self, piece: Piece) -> Pieces:
        return tuple(one for one in self.pieces if one != piece)

    def moves(self) -> Iterator[Move]:
        return iter(()) if self.outcome() else self.turns()

    def count(self) -> int:
        return sum(1 for _ in self.moves())

    def sample(self, rng: Random) -> Move:
        # of all turns that the shapes allow, until one is legal: faster than listing those
        stock = self.stock(self.to_move)
        ways = [("", OF_KIND[kind]) for kind in EACH if stock[kind]]
        ways += [
            (piece.lies.names[0], reached(piece.lies.kind, piece.lies.punct)) for piece in self._movable()
        ]
        counts = [len(placements) for _, placements in ways]
        while True:
            origin, placements = rng.choices(ways, counts)[0]
            move = Move(origin, str(rng.choice(placements)))
            if not any(self._objections(move)):
                return move

    def play(self, move: Move) -> Self:
        side, lies = self.to_move, PLACEMENTS[move.target]
        pieces, level = self.pieces, 0
        if move.origin:
            piece = self.top(move.origin)
            assert piece is not None
            pieces = self.without(piece)
            level = surface(pieces).level(lies, side) or 0
        pieces = tuple(sorted((*pieces, Piece(level, side, move.target))))
        return type(self)(self.rules, pieces, side.other)

    def outcome(self) -> Outcome | None:
        mover = self.to_move.other
        for side in (mover, self.to_move):
            if self.surface.joined[side]:
                return Outcome(side, "joined")
        if self.rules.centre == "closed" and not all(any(self.stock(side).values()) for side in Side):
            ahead = self.central(Side.FIRST) - self.central(Side.SECOND)
            if not ahead:
                return Outcome(None, "even")
            return Outcome(Side.FIRST if ahead > 0 else Side.SECOND, "centre")
        if not any(True for _ in self.turns()):
            return Outcome(mover, "stuck")
        return None

    def objection(self, move: Move) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        return next(self._objections(move), None)

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return f"{' '.join(map(str, self.pieces)) or '-'} {NAMES[self.to_move]}"

    # Turns

    @property
    def closed(self) -> int:
        """Returns the cells on which no piece can be placed."""
        closed = self.rules.centre == "closed" or not self.pieces
        return LATTICE.full & ~self.surface.steps[0] | (CENTRE if closed else 0)

    def turns(self) -> Iterator[Move]:
        """Yields the turns, whether or not the game is over."""
        closed, side = self.closed, self.to_move
        for kind, left in self.stock(side).items():
            if left:
                for lies in OF_KIND[kind]:
                    if not lies.cells & closed:
                        yield Move("", str(lies))
        for piece in self._movable():
            origin, below = piece.lies.names[0], surface(self.without(piece))
            for lies in reached(piece.lies.kind, piece.lies.punct):
                if lies != piece.lies and below.level(lies, side) is not None:
                    yield Move(origin, str(lies))

    def _movable(self) -> Iterator[Piece]:
        return (piece for piece in self.pieces if piece.side == self.to_move and self.is_free(piece))

    # Objections

    def _objections(self, move: Move) -> Iterator[Objection]:
        # only the first is consumed, so each check may rely on those before it
        lies = PLACEMENTS[move.target]
        if move.origin:
            yield from self._to_move(move.origin, lies)
        else:
            yield from self._to_place(lies)

    def _to_place(self, lies: Placement) -> Iterator[Objection]:
        if not self.stock(self.to_move)[lies.kind]:
            yield Objection("none_left", pieces=(lies.kind,))
        if taken := lies.cells & ~self.surface.steps[0]:
            yield Objection("taken", tuple(LATTICE.names(taken)))
        if closed := lies.cells & self.closed:
            code = "centre" if self.rules.centre == "closed" else "centre_first"
            yield Objection(code, tuple(LATTICE.names(closed)))

    def _to_move(self, origin: str, lies: Placement) -> Iterator[Objection]:
        yield from self.to_lift(origin)
        piece = self.top(origin)
        assert piece is not None
        if piece.lies.kind != lies.kind:
            yield Objection("other_kind", (origin,), (piece.lies.kind,))
        if not lies.punct & in_line(piece.lies.punct):
            yield Objection("off_line", (origin, lies.names[0]))
        if lies == piece.lies:
            yield Objection("stays")
        below = surface(self.without(piece))
        if below.level(lies, self.to_move) is None:
            yield from self._to_rest(below, lies)

    def to_lift(self, origin: str) -> Iterator[Objection]:
        """Yields why the piece with its PÜNCT on this cell cannot be moved."""
        piece = self.top(origin)
        if not piece:
            yield Objection("empty", (origin,))
            return
        if piece.side != self.to_move:
            yield Objection("not_yours", (origin,))
        if piece.lies.names[0] != origin:
            yield Objection("no_punct", (origin, piece.lies.names[0]))
        if not self.is_free(piece):
            covered = piece.lies.cells & ~self.surface.steps[piece.level + 1]
            yield Objection("covered", tuple(LATTICE.names(covered)))

    def _to_rest(self, below: Surface, lies: Placement) -> Iterator[Objection]:
        """Yields why a piece cannot lie there."""
        level = next((n for n, cells in enumerate(below.steps) if lies.ends & cells == lies.ends), None)
        if level is None:
            yield Objection("uneven", tuple(LATTICE.names(lies.ends)))
            return
        if high := lies.middle & ~below.low[level]:
            yield Objection("middle", tuple(LATTICE.names(high)))
        yield Objection("punct_below", lies.names[:1])


# Positions as text


def start(rules: Rules, setup: str = "") -> Position:
    """Returns the first position. Raises ValueError for any set-up, as there is none to choose."""
    if setup:
        raise ValueError(f"there is no set-up to choose here, not even {setup!r}")
    return Position(rules, (), Side.FIRST)


_PIECE = re.compile(r"([wb])([TCEMLR])(\d)([a-q/\d]+)")


def position(rules: Rules, text: str) -> Position:
    """Parses the text of `str(position)`. Raises ValueError for any other text."""
    *written, to_move = text.split(" ")
    if not written or to_move not in NAMES:
        raise ValueError(f"{text!r} is not a position of PÜNCT")
    pieces = _built([] if written == ["-"] else sorted(map(_piece, written)))
    made = Position(rules, pieces, Side(NAMES.index(to_move)))
    few = all(left >= 0 for side in Side for left in made.stock(side).values())
    if str(made) != text or not few:
        raise ValueError(f"{text!r} has pieces that cannot be there")
    return made


def _piece(text: str) -> Piece:
    found = _PIECE.fullmatch(text)
    if not found or found[4] not in PLACEMENTS or PLACEMENTS[found[4]].kind != found[2]:
        raise ValueError(f"{text!r} is not a piece of PÜNCT")
    return Piece(int(found[3]), Side(LETTERS.index(found[1])), found[4])


def _built(pieces: Sequence[Piece]) -> Pieces:
    """Puts each piece on those before it. Raises ValueError for one that cannot rest there."""
    built: Pieces = ()
    for piece in pieces:
        if surface(built).level(piece.lies, piece.side) != piece.level:
            raise ValueError(f"{piece} cannot rest there")
        built = (*built, piece)
    return built

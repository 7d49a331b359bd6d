"""The rules of Emergo (Christian Freeling and Ed van Zon, 1986), after PerGioco newsletter 68."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from random import Random
from typing import Literal

from games.emergo.board import (
    ALL,
    BIT,
    BORDER,
    CENTRE,
    INDEX,
    JUMPS,
    MEN,
    SQUARES,
    STEPS,
    WAYS,
    Move,
    exposed,
    indices,
    walkers,
)
from games.protocol import Objection, Outcome, Side

# The situation in a game of Emergo, with compulsory captures and allowed entries. A column consists
# of its owner's men, the caps, above enemy men, the prisoners; jumps cannot make any other kind. It
# is one byte, `caps << 4 | prisoners`, enough for twelve men a side.

# Chains of jumps

# The squares visited by the column, those that it jumped, and the columns that it may still jump.
Chain = tuple[tuple[int, ...], tuple[int, ...], int]


def longest(mine: int, prey: int, theirs: int, empty: int, columns: bytes) -> list[Chain]:
    """Returns every chain that captures the most men; `prey` are the columns that can be jumped first."""
    # Breadth first: the last generation has the longest chains. It is reached soon, since each jump captures
    # one of twelve men.
    starts = {start for over in indices(prey) for start in STEPS[over] if mine >> start & 1}
    chains: list[Chain] = [((start,), (), theirs) for start in sorted(starts)]
    while longer := [longer for chain in chains for longer in grown(chain, empty, columns)]:
        chains = longer
    return chains


def grown(chain: Chain, empty: int, columns: bytes) -> Iterator[Chain]:
    """Yields the chain extended by one jump, over any column except the one just jumped."""
    # It lands an even number of steps away and jumps columns at an odd number, so captures free no landing:
    # it can land on the squares `empty` at first and on its start.
    path, jumped, theirs = chain
    for over, landing, over_bit, landing_bit in JUMPS[path[-1]]:
        free = landing_bit & empty or landing == path[0]
        if over_bit & theirs and free and not (jumped and over == jumped[-1]):
            its_last = columns[over] >> 4 == jumped.count(over) + 1
            yield (*path, landing), (*jumped, over), theirs ^ over_bit if its_last else theirs


# Rules and situation

Blocked = Literal["draw", "loss"]


@dataclass(frozen=True)
class Rules:
    """The options of a variant: when all columns are blocked, a draw (newsletter 68) or a loss (gamerz.net)."""

    blocked: Blocked = "draw"


NEXT = (Side.SECOND, Side.FIRST)  # Side.other without building an enum, for speed in playouts


@dataclass(frozen=True, slots=True)
class Situation:
    """The squares, columns and men in hand of both sides; `mine` and `hand` are of the side to move."""

    rules: Rules
    mine: int
    theirs: int
    columns: bytes  # caps << 4 | prisoners, by the index of the square
    hand: int
    their_hand: int
    to_move: Side

    @property
    def empty(self) -> int:
        return ALL ^ (self.mine | self.theirs)

    @property
    def prey(self) -> int:
        """Returns the enemy columns that can be jumped; if there is one, a capture is compulsory."""
        return exposed(self.theirs, self.mine, self.empty)

    @property
    def hands(self) -> tuple[int, int]:
        """Returns the men in hand of the first and the second side."""
        return (self.their_hand, self.hand) if self.to_move else (self.hand, self.their_hand)

    @property
    def entering(self) -> int:
        """Returns how many men enter at a time: all at once, the shadow piece, after the opponent's last."""
        return 1 if self.their_hand else self.hand

    def owner(self, square: int) -> Side:
        """Returns the owner of the column on an occupied square, given by its index."""
        return self.to_move if self.mine >> square & 1 else NEXT[self.to_move]

    def entries(self) -> int:
        """Returns the squares where a man in hand may enter while nothing can be captured."""
        occupied, empty = self.mine | self.theirs, self.empty
        if not occupied:
            return ALL ^ CENTRE
        if exposed(self.mine, self.theirs, empty):
            return empty
        # No feeding: an entry may expose only the entering man, so this check is enough.
        return empty & ~exposed(empty, self.theirs, empty)

    def captures(self) -> list[Chain]:
        """Returns every chain that captures the most men."""
        empty = ALL ^ (self.mine | self.theirs)
        prey = exposed(self.theirs, self.mine, empty)
        return longest(self.mine, prey, self.theirs, empty, self.columns) if prey else []


# Text of a position: each column with its square, from the top down, then the men in hand and the side to
# move. `e1:B c5:W2B hands=9,10 move=white` has two white men above a black prisoner on c5, one black man on
# e1.

Fields = tuple[int, int, bytes, int, int, Side]

NAMES = ("white", "black")
LETTERS = "WB"

_TEXT = re.compile(r"((?:\S+ )*)hands=(\d\d?),(\d\d?) move=(white|black)", re.ASCII)
_COLUMN = re.compile(r"(?P<square>\w+):(?P<owner>[WB])(?P<caps>\d?\d?)(?P<captives>[WB](\d?\d?))?", re.ASCII)


def write(position: Situation) -> str:
    """Writes the position as one line, without its rules."""
    occupied = indices(position.mine | position.theirs)
    columns = "".join(f"{SQUARES[square]}:{_column(position, square)} " for square in occupied)
    white, black = position.hands
    return f"{columns}hands={white},{black} move={NAMES[position.to_move]}"


def read(text: str) -> Fields:
    """Reads the fields of a position, in their order after the rules.

    Raises ValueError when men are missing or too many. The order of the squares is not checked: the caller
    compares the position with `text`.
    """
    found = _TEXT.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a position of Emergo")
    owned, men, columns = [0, 0], [int(found[2]), int(found[3])], bytearray(len(SQUARES))
    hands = tuple(men)
    for square, owner, caps, prisoners in _columns(found[1].split()):
        owned[owner] |= 1 << square
        men[owner] += caps
        men[owner.other] += prisoners
        columns[square] = (caps << 4 | prisoners) & 0xFF
    to_move = Side[("FIRST", "SECOND")[NAMES.index(found[4])]]
    waits = to_move.other
    if men != [MEN, MEN] or not (owned[waits] or hands[waits]):
        raise ValueError(f"{text!r} does not have {MEN} men of each side, or nobody who moved last")
    return owned[to_move], owned[waits], bytes(columns), hands[to_move], hands[waits], to_move


def _columns(written: list[str]) -> Iterator[tuple[int, Side, int, int]]:
    """Yields the square, owner, caps and prisoners of each column."""
    for text in written:
        found = _COLUMN.fullmatch(text)
        if not found or found["square"] not in INDEX:
            raise ValueError(f"{text!r} is not a column on a square of Emergo")
        prisoners = int(found[5] or 1) if found["captives"] else 0
        yield INDEX[found["square"]], Side(LETTERS.index(found["owner"])), int(found["caps"] or 1), prisoners


def _column(position: Situation, square: int) -> str:
    owner, column = position.owner(square), position.columns[square]
    return _run(owner, column >> 4) + _run(owner.other, column & 15)


def _run(side: Side, men: int) -> str:
    """Writes the men of a side: `W`, `W2`. Empty when there are none."""
    return f"{LETTERS[side]}{men if men > 1 else ''}" if men else ""


# Objections


def objection(position: Situation, move: Move) -> Objection | None:
    """Returns the first objection to `move` in a game that is not over. None when it is legal."""
    # only the first is consumed, so each check may rely on those before it
    return next(_all(position, move), None)


def _all(position: Situation, move: Move) -> Iterator[Objection]:
    for name in move.path:
        if name not in INDEX:
            yield Objection("no_square", (name,))
    if move.capture:
        yield from _to_capture(position, move)
    elif position.prey:
        yield _must_capture(position)
    elif len(move.path) == 1:
        yield from _to_entry(position, *move.path)
    else:
        yield from _to_step(position, *move.path)


def _must_capture(position: Situation) -> Objection:
    """Returns the objection that a capture is compulsory, with its number of men and an example."""
    path = tuple(SQUARES[square] for square in position.captures()[0][0])
    code = "must_capture" if len(path) == 2 else "must_capture_most"
    return Objection(code, path, numbers=(len(path) - 1,))


def _to_entry(position: Situation, name: str) -> Iterator[Objection]:
    square = BIT[name]
    if not position.hand:
        yield Objection("hand_empty", (name,))
    if not square & position.empty:
        yield Objection("occupied", (name,))
    if square & position.entries():
        return
    if square == CENTRE and not position.mine | position.theirs:
        yield Objection("first_man", (name,))
    here = INDEX[name]
    for hunter in STEPS[here]:
        for over, landing, _, landing_bit in JUMPS[hunter]:
            if over == here and position.theirs >> hunter & 1 and landing_bit & position.empty:
                yield Objection("feeds", (name, SQUARES[hunter], SQUARES[landing]))


def _to_step(position: Situation, name: str, other: str) -> Iterator[Objection]:
    yield from _not_yours(position, name)
    if position.hand:
        yield Objection("must_enter", numbers=(position.hand,))
    if INDEX[other] not in STEPS[INDEX[name]]:
        yield Objection("not_a_step", (name, other))
    if not BIT[other] & position.empty:
        yield Objection("occupied", (other,))


def _to_capture(position: Situation, move: Move) -> Iterator[Objection]:
    yield from _not_yours(position, move.path[0])
    here = INDEX[move.path[0]]
    chain: Chain = (here,), (), position.theirs
    for name, other in pairwise(move.path):
        following = {longer[0][-1]: longer for longer in grown(chain, position.empty, position.columns)}
        if INDEX[other] not in following:
            yield _no_jump(position, chain, name, other)
        chain = following[INDEX[other]]
    captures = [tuple(SQUARES[square] for square in path) for path, *_ in position.captures()]
    if move.path not in captures:
        # The example is a capture that begins like the move, if there is one.
        likely = max(captures, key=lambda path: path[: len(move.path)] == move.path)
        yield Objection("too_few", likely, numbers=(len(move.path) - 1, len(likely) - 1))


def _no_jump(position: Situation, chain: Chain, name: str, other: str) -> Objection:
    """Returns why the chain cannot continue from one square to the other."""
    path, _, theirs = chain
    over = {landing: over for over, landing, *_ in JUMPS[INDEX[name]]}.get(INDEX[other])
    if over is None:
        return Objection("not_a_jump", (name, other))
    if not theirs >> over & 1:
        return Objection("nothing_to_jump", (SQUARES[over], name, other))
    if not BIT[other] & position.empty and INDEX[other] != path[0]:
        return Objection("no_landing", (other,))
    return Objection("twice", (SQUARES[over],))


def _not_yours(position: Situation, name: str) -> Iterator[Objection]:
    if not BIT[name] & position.mine:
        yield Objection("not_yours" if BIT[name] & position.theirs else "nothing_there", (name,))


_ENTRIES = tuple(Move((name,)) for name in SQUARES)
_STEPS = {
    (here, there - here): Move((SQUARES[here], SQUARES[there]))
    for here, steps in enumerate(STEPS)
    for there in steps
}
_PATIENCE = 64


@dataclass(frozen=True, slots=True)
class Position(Situation):
    """A moment of the game, with the turns that it allows."""

    def __str__(self) -> str:
        return write(self)

    def key(self) -> str:
        return str(self)

    def moves(self) -> Iterator[Move]:
        if captures := self.captures():
            yield from map(written, captures)
        elif self.hand:
            yield from (_ENTRIES[square] for square in indices(self.entries()))
        else:
            for way, men in zip(WAYS, walkers(self.mine, self.empty), strict=True):
                yield from (_STEPS[here, way] for here in indices(men))

    def count(self) -> int:
        if captures := self.captures():
            return len(captures)
        if self.hand:
            return self.entries().bit_count()
        return sum(map(int.bit_count, walkers(self.mine, self.empty)))

    def sample(self, rng: Random) -> Move:
        draw = rng.random
        if captures := self.captures():
            return written(captures[int(draw() * len(captures))])
        if not self.hand:
            return self._sample_step(draw())
        entries = self.entries()
        # Rejection sampling is faster than listing the entries.
        for _ in range(_PATIENCE):
            square = int(draw() * len(SQUARES))
            if entries >> square & 1:
                return _ENTRIES[square]
        return _ENTRIES[rng.choice(list(indices(entries)))]

    def objection(self, move: Move) -> Objection | None:
        return Objection("finished") if self.outcome() else objection(self, move)

    def play(self, move: Move) -> Position:
        mine, hand = self.mine, self.hand
        columns = bytearray(self.columns)
        start, end = INDEX[move.path[0]], INDEX[move.path[-1]]
        if len(move.path) == 1:
            columns[start] = self.entering << 4
            hand -= self.entering
            return self._after(mine | 1 << start, self.theirs, columns, hand)
        moving, columns[start] = columns[start], 0
        mine ^= 1 << start
        if not move.capture:
            columns[end] = moving
            return self._after(mine | 1 << end, self.theirs, columns, hand)
        theirs = self.theirs
        for over in jumped(move):
            columns[over] -= 1 << 4
            if columns[over] < 1 << 4:  # no cap is left: its prisoners are freed and become its caps
                theirs ^= 1 << over
                mine |= 1 << over if columns[over] else 0
                columns[over] <<= 4
        columns[end] = moving + len(move.path) - 1
        return self._after(mine | 1 << end, theirs, columns, hand)

    def outcome(self) -> Outcome | None:
        empty = self.empty
        if self.hand:
            # A man on the border cannot be jumped.
            if BORDER & empty or self.entries() or self.prey:
                return None
            return Outcome(None, "no_entry")
        if not self.mine:
            return Outcome(NEXT[self.to_move], "all_taken")
        if any(walkers(self.mine, empty)) or self.prey:
            return None
        if self.rules.blocked == "loss":
            return Outcome(NEXT[self.to_move], "blocked_loss")
        return Outcome(None, "blocked_draw")

    def _sample_step(self, drawn: float) -> Move:
        """Returns one of the steps; `drawn` is at least 0 and below 1."""
        ways = walkers(self.mine, self.empty)
        counts = [men.bit_count() for men in ways]
        chosen = int(drawn * sum(counts))
        for way, men, count in zip(WAYS, ways, counts, strict=True):
            if chosen < count:
                return _STEPS[next(islice(indices(men), chosen, None)), way]
            chosen -= count
        raise ValueError(f"no column of {self} can step")

    def _after(self, mine: int, theirs: int, columns: bytearray, hand: int) -> Position:
        """Passes the turn and swaps the sides."""
        return Position(self.rules, theirs, mine, bytes(columns), self.their_hand, hand, NEXT[self.to_move])


def written(chain: Chain) -> Move:
    """Returns the move of a chain."""
    return Move(tuple(SQUARES[square] for square in chain[0]), capture=True)


def jumped(move: Move) -> Iterator[int]:
    """Yields the squares that a capture jumps, in order, with repetitions."""
    return ((INDEX[one] + INDEX[other]) // 2 for one, other in pairwise(move.path))


def start(rules: Rules, setup: str = "") -> Position:
    """Returns an empty board with twelve men in each hand. Raises ValueError for a set-up: Emergo has none."""
    if setup:
        raise ValueError(f"Emergo has no set-up to choose, not even {setup!r}")
    return Position(rules, 0, 0, bytes(len(SQUARES)), MEN, MEN, Side.FIRST)


def position(rules: Rules, text: str) -> Position:
    """Parses the text of `str(position)`. Raises ValueError for any other text."""
    found = Position(rules, *read(text))
    if str(found) != text:
        raise ValueError(f"{text!r} is not how a position of Emergo is written: that is {str(found)!r}")
    return found

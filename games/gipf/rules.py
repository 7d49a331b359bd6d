"""The rules of GIPF (Kris Burm, 1997): pieces are pushed in from the edge, and four in a row are taken off."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, NamedTuple, Self

from games.gipf.board import (
    BIT,
    DOTS,
    EDGE,
    ENTRIES,
    LINES,
    NAME,
    SPOTS,
    listed,
    names,
    rows,
    shifted,
    spots_of,
)
from games.kit.turn import Turn
from games.protocol import Objection, Outcome, Side

NAMES = ("white", "black")
LETTERS = "wWbB"  # a single piece and a GIPF-piece of each side


@dataclass(frozen=True)
class Rules:
    """The options of a variant: how it begins, and the reserve of each side then."""

    start: Literal["tournament", "standard", "basic"] = "tournament"
    reserve: int = 18

    @property
    def pieces(self) -> int:
        """Returns the pieces of each side; a GIPF-piece is two."""
        return self.reserve + {"tournament": 0, "standard": 6, "basic": 3}[self.start]

    @property
    def needs_gipfs(self) -> bool:
        """Tells whether a side without a GIPF-piece has lost."""
        return self.start != "basic"


class Camp(NamedTuple):
    """The pieces of one side on the board, as sets of spots, and its reserve.

    `opening` is 2 before its first turn of the tournament start, which brings in a GIPF-piece, 1 while it may bring in
    more of them, and 0 from its first single piece on.
    """

    singles: int
    gipfs: int
    reserve: int
    opening: int

    @property
    def bare(self) -> bool:
        """Tells whether it lacks the GIPF-piece that it needs to go on, where it needs one."""
        return not self.gipfs and self.opening < 2


Camps = tuple[Camp, Camp]  # of the side to move, and of the other
Cleared = tuple[int, Camp, Camp]  # the spots emptied, and both camps after it


def is_decided(mine: Camp, theirs: Camp, needs_gipfs: bool) -> bool:
    return needs_gipfs and (mine.bare or theirs.bare)


def clearings(mine: Camp, theirs: Camp, needs_gipfs: bool, likely: bool = False) -> list[Cleared]:
    """Returns each way to take one's rows off, once. Nothing is taken off where there is no row.

    The `likely` ways take all GIPF-pieces of the opponent, and of one's own in a row all or none.
    """
    own = mine.singles | mine.gipfs
    if not any(rows(own, own | theirs.singles | theirs.gipfs)):
        return [(0, mine, theirs)]
    found = {cleared[0]: cleared for cleared in _cleared((0, mine, theirs), frozenset(), needs_gipfs, likely)}
    return [found[gone] for gone in sorted(found, key=lambda gone: (*names(gone),))]


def _cleared(so_far: Cleared, lines: frozenset[int], needs_gipfs: bool, likely: bool) -> Iterator[Cleared]:
    """Takes a row on each line at most once, or a row of GIPF-pieces that stay would come back for ever."""
    gone, mine, theirs = so_far
    own = mine.singles | mine.gipfs
    found = [(line, run) for line, run in rows(own, own | theirs.singles | theirs.gipfs) if line not in lines]
    if not found or (gone and is_decided(mine, theirs, needs_gipfs)):
        yield so_far
        return
    for line, run in found:
        optional = run & (mine.gipfs if likely else mine.gipfs | theirs.gipfs)
        for more in {0, optional} if likely else _subsets(optional):
            taken = run & ~optional | more
            left = _without(mine, theirs, taken)
            yield from _cleared((gone | taken, *left), lines | {line}, needs_gipfs, likely)


def _subsets(points: int) -> Iterator[int]:
    subset = points
    while subset:
        yield subset
        subset = (subset - 1) & points
    yield 0


def _without(mine: Camp, theirs: Camp, taken: int) -> Camps:
    """Returns the camps without these pieces: one's own return to the reserve, those of the other are lost."""
    back = (mine.singles & taken).bit_count() + 2 * (mine.gipfs & taken).bit_count()
    return (
        mine._replace(singles=mine.singles & ~taken, gipfs=mine.gipfs & ~taken, reserve=mine.reserve + back),
        theirs._replace(singles=theirs.singles & ~taken, gipfs=theirs.gipfs & ~taken),
    )


# What comes in: a GIPF-piece or not, the dot (0 if the spot is empty), the spot where the last piece comes to rest.
Entered = tuple[bool, int, int]


def entries(mine: Camp, theirs: Camp) -> Iterator[tuple[Entered, Camp, Camp]]:
    """Yields what can be brought in, and both camps after it. An empty spot is entered alike from each dot."""
    kinds = [gipf for gipf in (False, True) if can_bring(mine, gipf)]
    occupied = mine.singles | mine.gipfs | theirs.singles | theirs.gipfs
    for spot in EDGE:
        if not spot & occupied:
            for gipf in kinds:
                yield (gipf, 0, spot), _with(mine, spot, gipf), theirs
    for entry in ENTRIES:
        pushed, first = 0, entry.spots[0]
        if not first & occupied:
            continue
        for rest in entry.spots:
            if not rest & occupied:
                moved = _pushed(mine, pushed, entry.step)
                others = _pushed(theirs, pushed, entry.step)
                for gipf in kinds:
                    yield (gipf, entry.dot, rest), _with(moved, first, gipf), others
                break
            pushed |= rest


def can_bring(camp: Camp, gipf: bool) -> bool:
    return camp.reserve > 1 and camp.opening > 0 if gipf else camp.reserve > 0 and camp.opening < 2


def _pushed(camp: Camp, pushed: int, step: int) -> Camp:
    singles, gipfs = camp.singles & pushed, camp.gipfs & pushed
    if not singles | gipfs:
        return camp
    return camp._replace(
        singles=camp.singles ^ singles | shifted(singles, step),
        gipfs=camp.gipfs ^ gipfs | shifted(gipfs, step),
    )


def _with(camp: Camp, spot: int, gipf: bool) -> Camp:
    singles, gipfs, reserve, opening = camp
    if gipf:
        return Camp(singles, gipfs | spot, reserve - 2, min(opening, 1))
    return Camp(singles | spot, gipfs, reserve - 1, 0)


def written(entered: Entered) -> str:
    gipf, dot, rest = entered
    return f"{'G' if gipf else ''}{f'{NAME[dot]}-' if dot else ''}{NAME[rest]}"


@dataclass(frozen=True, slots=True)
class Position:
    """The camps of White and Black, and the side to move."""

    rules: Rules
    camps: Camps
    to_move: Side

    @property
    def facing(self) -> Camps:
        """Returns the camp of the side to move, and the other."""
        return self.camps[self.to_move], self.camps[self.to_move.other]

    def on(self, name: str) -> str:
        """Returns what is on a spot: w, b a single piece, W, B a GIPF-piece. Empty when there is nothing."""
        sets = zip(LETTERS, (points for camp in self.camps for points in camp[:2]), strict=True)
        return next((letter for letter, points in sets if points & BIT[name]), "")

    def lost(self, side: Side) -> int:
        """Counts the pieces that a side has lost for good."""
        camp = self.camps[side]
        return self.rules.pieces - camp.reserve - camp.singles.bit_count() - 2 * camp.gipfs.bit_count()

    def moves(self) -> Iterator[Turn]:
        return iter(()) if self.outcome() else self._turns()

    def count(self) -> int:
        return sum(1 for _ in self.moves())

    def sample(self, rng: Random) -> Turn:
        return rng.choice(list(self.moves()))

    def play(self, move: Turn) -> Self:
        mine, theirs = _without(*self.facing, _mask(move.before))
        if move.action:
            mine, theirs = next(
                after for entered, *after in entries(mine, theirs) if written(entered) == move.action
            )
        mine, theirs = _without(mine, theirs, _mask(move.after))
        return type(self)(self.rules, (theirs, mine) if self.to_move else (mine, theirs), self.to_move.other)

    def outcome(self) -> Outcome | None:
        mine, theirs = self.facing
        mover = self.to_move.other
        # Where both lose their last GIPF-piece at once, the mover took it off and wins.
        if self.rules.needs_gipfs and (mine.bare or theirs.bare):
            return Outcome(mover if mine.bare else self.to_move, "no_gipf")
        if not mine.reserve and not any(self._rows()):
            return Outcome(mover, "no_piece")
        return None

    def objection(self, move: Turn) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        return next(self._objections(move), None)

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        board = "/".join(
            "".join(self.on(name) or "-" for name in line if BIT[name] & SPOTS) for line in LINES[1:-1]
        )
        reserves, openings = (",".join(str(camp[field]) for camp in self.camps) for field in (2, 3))
        return f"{board} reserve={reserves} opening={openings} {NAMES[self.to_move]}"

    # Turns

    def fitting(self, like: Turn) -> Iterator[Turn]:
        """Yields the legal turns with this action and these removals, with others besides."""
        if not self.outcome():
            yield from self._turns(like)

    def same(self, move: Turn) -> Turn:
        """Returns a legal turn as it is listed: what could go before or after is written as it is listed first."""
        if not (move.before and move.after):
            return move
        gone, after = {*spots_of(move.before), *spots_of(move.after)}, self.play(move)
        return next(
            one
            for one in self._turns(Turn(action=move.action))
            if {*spots_of(one.before), *spots_of(one.after)} == gone and self.play(one) == after
        )

    def _turns(self, like: Turn | None = None) -> Iterator[Turn]:
        """Yields the turns. With `like`, those of its action and of its removals, with others besides."""
        needs, known = self.rules.needs_gipfs, set[tuple[str, int, Camps]]()
        wanted_before, wanted_after = (_mask(like.before), _mask(like.after)) if like else (0, 0)
        for gone, mine, theirs in clearings(*self.facing, needs):
            if wanted_before & ~gone:
                continue
            before = listed(gone)
            if is_decided(mine, theirs, needs):
                if not like or not like.action:
                    yield Turn(before)
                continue
            for entered, *camps in entries(mine, theirs):
                action = written(entered)
                if like and like.action != action:
                    continue
                for after, *left in clearings(camps[0], camps[1], needs):
                    if wanted_after & ~after:
                        continue
                    if gone and after:
                        same = action, gone | after, (left[0], left[1])
                        if same in known:
                            continue
                        known.add(same)
                    yield Turn(before, action, listed(after))

    def _rows(self) -> Iterator[tuple[int, int]]:
        mine, theirs = self.facing
        own = mine.singles | mine.gipfs
        return rows(own, own | theirs.singles | theirs.gipfs)

    # Objections

    def _objections(self, move: Turn) -> Iterator[Objection]:
        # only the first is consumed, so each check may rely on those before it
        points = move.action.removeprefix("G").split("-") if move.action else []
        for name in (*spots_of(move.before), *points, *spots_of(move.after)):
            if name not in BIT:
                yield Objection("no_point", (name,))
        needs = self.rules.needs_gipfs
        mine, theirs = self.facing
        yield from _to_removal(mine, theirs, move.before, needs, "row_stands")
        mine, theirs = _without(mine, theirs, _mask(move.before))
        if is_decided(mine, theirs, needs):
            if move.action:
                yield Objection("decided")
            return
        if not mine.reserve:
            yield Objection("keeps_none")
        if not move.action:
            yield Objection("must_enter")
        yield from _to_entry(mine, theirs, move.action, self.rules)
        mine, theirs = next(
            after for entered, *after in entries(mine, theirs) if written(entered) == move.action
        )
        yield from _to_removal(mine, theirs, move.after, needs, "row_made")


MOST = 4  # ways to take off that are told


def _mask(removals: tuple[str, ...]) -> int:
    return sum({BIT.get(name, 0) for name in spots_of(removals)})


def _to_removal(
    mine: Camp, theirs: Camp, removals: tuple[str, ...], needs_gipfs: bool, code: str
) -> Iterator[Objection]:
    gone = _mask(removals)
    ways = [way[0] for way in clearings(mine, theirs, needs_gipfs)]
    if gone in ways:
        return
    if ways == [0]:
        yield Objection("nothing_to_remove", spots_of(removals))
    if not gone:
        yield Objection(code, tuple(f"x{part}" for way in ways[:MOST] for part in listed(way) or ("",)))
    nearest = min(ways, key=lambda way: (way ^ gone).bit_count())
    if gone & ~nearest:
        yield Objection("stays", tuple(names(gone & ~nearest)))
    yield Objection("goes_too", tuple(names(nearest & ~gone)))


def _to_entry(mine: Camp, theirs: Camp, action: str, rules: Rules) -> Iterator[Objection]:
    gipf = action.startswith("G")
    origin, _, target = action.removeprefix("G").partition("-")
    if not gipf and mine.opening == 2:
        yield Objection("first_gipf", (f"G{action}",))
    if gipf and not mine.opening:
        yield Objection("no_more_gipfs" if rules.start == "tournament" else "no_gipfs")
    if gipf and mine.reserve < 2:
        yield Objection("two_pieces")
    there = {written(entered).removeprefix("G") for entered, *_ in entries(mine, theirs)}
    if action.removeprefix("G") in there:
        return
    occupied = mine.singles | mine.gipfs | theirs.singles | theirs.gipfs
    start = BIT[origin]
    if not target and start & SPOTS:
        if start not in EDGE:
            yield Objection("not_at_edge", (origin,))
        ways = [entry for entry in ENTRIES if entry.spots[0] == start]
    else:
        if not start & DOTS:
            yield Objection("no_dot", (origin,))
        ways = [entry for entry in ENTRIES if entry.dot == start]
    texts = tuple(
        f"{NAME[entry.dot]}-{NAME[rest]}" if rest != entry.spots[0] else NAME[rest]
        for entry in ways
        if (rest := next((spot for spot in entry.spots if not spot & occupied), 0))
    )
    yield Objection("which_way", texts) if texts else Objection("closed", (origin,))


# Set-ups and positions as text

_CORNERS = ("b5 e2 h5", "b2 e8 h2")


def start(rules: Rules, setup: str = "") -> Position:
    """Returns the first position. Raises ValueError for any set-up, as there is none to choose."""
    if setup:
        raise ValueError(f"there is no set-up to choose here, not even {setup!r}")
    camps = []
    for corners in _CORNERS:
        there = sum(BIT[name] for name in corners.split())
        singles, gipfs = {"tournament": (0, 0), "standard": (0, there), "basic": (there, 0)}[rules.start]
        camps.append(Camp(singles, gipfs, rules.reserve, 2 if rules.start == "tournament" else 0))
    return Position(rules, (camps[0], camps[1]), Side.FIRST)


_TEXT = re.compile(r"([wWbB/-]+) reserve=(\d{1,2}),(\d{1,2}) opening=([012]),([012]) (white|black)")
_SPOT_NAMES = tuple(names(SPOTS))


def position(rules: Rules, text: str) -> Position:
    """Parses the text of `str(position)`. Raises ValueError for any other text."""
    found = _TEXT.fullmatch(text)
    lengths = [sum(1 for name in line if BIT[name] & SPOTS) for line in LINES[1:-1]]
    if not found or [*map(len, found[1].split("/"))] != lengths:
        raise ValueError(f"{text!r} is not a position of GIPF")
    letters = list(zip(_SPOT_NAMES, found[1].replace("/", ""), strict=True))
    sets = [sum(BIT[name] for name, letter in letters if letter == one) for one in LETTERS]
    camps = [
        Camp(sets[2 * side], sets[2 * side + 1], int(found[2 + side]), int(found[4 + side])) for side in Side
    ]
    made = Position(rules, (camps[0], camps[1]), Side(NAMES.index(found[6])))
    openings = max(camp.opening for camp in camps) if rules.start != "tournament" else 0
    gipfs = any(camp.gipfs for camp in camps) and not rules.needs_gipfs
    new = any(camp.opening == 2 and camp.singles | camp.gipfs for camp in camps)
    if openings or gipfs or new or any(made.lost(side) < 0 for side in Side):
        raise ValueError(f"{text!r} has pieces that cannot be there")
    return made

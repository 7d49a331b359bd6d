"""The rules of YINSH (Kris Burm, 2003): five markers in a row cost a ring, and three rings taken off win."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from random import Random
from typing import Self

from games.kit.turn import Turn
from games.protocol import Objection, Outcome, Side
from games.yinsh.board import (
    BOARD,
    MARKERS,
    PASS,
    RAYS,
    RINGS,
    bits,
    ordered,
    reached,
    row_name,
    row_of,
    rows,
)

NAMES = ("white", "black")


@dataclass(frozen=True)
class Rules:
    """The options of a variant: how many rings win."""

    rings: int = 3


Removal = tuple[tuple[int, ...], tuple[int, ...]]  # rows, and as many rings
NOTHING: Removal = ((), ())


def removals(markers: int, rings: int, wanted: int) -> Iterator[Removal]:
    """Yields what can be removed: rows until none is left or `wanted` rings are, each with any ring.

    Yields nothing removed where there is no row.
    """
    found = sorted(rows(markers), key=lambda row: row & -row)
    for chosen in _chosen(found, 0, (), wanted):
        for gone in combinations(bits(rings), len(chosen)):
            yield chosen, gone


def _chosen(
    found: Sequence[int], start: int, chosen: tuple[int, ...], wanted: int
) -> Iterator[tuple[int, ...]]:
    taken = sum(chosen)
    if len(chosen) == wanted or not any(not row & taken for row in found):
        yield chosen
        return
    for number in range(start, len(found)):
        if not found[number] & taken:
            yield from _chosen(found, number + 1, (*chosen, found[number]), wanted)


def named(removal: Removal) -> tuple[str, ...]:
    """Returns the removal as the parts of a turn."""
    return ordered((*map(row_name, removal[0]), *map(BOARD.name.__getitem__, removal[1])))


@dataclass(frozen=True, slots=True)
class Position:
    """The rings and markers of both sides, as sets of points, and the side to move.

    `placing` tells that rings are still being placed.
    """

    rules: Rules
    rings: tuple[int, int]
    markers: tuple[int, int]
    to_move: Side
    placing: bool

    @property
    def pool(self) -> int:
        return MARKERS - sum(map(int.bit_count, self.markers))

    def in_hand(self, side: Side) -> int:
        """Counts the rings that a side has still to place."""
        return RINGS - self.rings[side].bit_count() if self.placing else 0

    def taken(self, side: Side) -> int:
        """Counts the rings that a side has taken off."""
        return 0 if self.placing else RINGS - self.rings[side].bit_count()

    def on(self, name: str) -> str:
        """Returns what is on a point: W or B for a ring, w or b for a marker. Empty when there is nothing."""
        bit = BOARD.bit[name]
        sets = zip("WBwb", (*self.rings, *self.markers), strict=True)
        return next((letter for letter, points in sets if points & bit), "")

    def moves(self) -> Iterator[Turn]:
        return iter(()) if self.outcome() else self._turns()

    def count(self) -> int:
        return sum(1 for _ in self.moves())

    def sample(self, rng: Random) -> Turn:
        return rng.choice(list(self.moves()))

    def play(self, move: Turn) -> Self:
        side = self.to_move
        if self.placing:
            placed = self._with(self.rings[side] | BOARD.bit[move.action], self.markers)
            full = sum(map(int.bit_count, placed.rings)) == 2 * RINGS
            return replace(placed, to_move=side.other, placing=not full)
        after = self._without(move.before)
        if move.action and move != PASS:
            origin, target = map(BOARD.bit.__getitem__, move.action.split("-"))
            after = after._moved(origin, target)
        return replace(after._without(move.after), to_move=side.other)

    def outcome(self) -> Outcome | None:
        if self.placing:
            return None
        for side in (self.to_move.other, self.to_move):
            if self.taken(side) >= self.rules.rings:
                return Outcome(side, "rings")
        if any(rows(self.markers[self.to_move])):
            return None
        if not self.pool:
            return self._most("more", "equal")
        if any(self._reaches(side) for side in Side) or any(rows(self.markers[self.to_move.other])):
            return None
        return self._most("stuck_more", "stuck_equal")

    def _most(self, more: str, equal: str) -> Outcome:
        white, black = map(self.taken, Side)
        if white == black:
            return Outcome(None, equal)
        return Outcome(Side.FIRST if white > black else Side.SECOND, more)

    def objection(self, move: Turn) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        return next(self._objections(move), None)

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        written = "/".join("".join(self.on(name) or "-" for name in row) for row in BOARD.rows)
        return f"{written} {'placing ' if self.placing else ''}{NAMES[self.to_move]}"

    # Turns

    def fitting(self, written: Turn) -> Iterator[Turn]:
        """Yields the legal turns with this action and these removals, which may be fewer than are needed."""
        if not self.placing and not self.outcome():
            yield from self._turns(written)

    def _turns(self, like: Turn | None = None) -> Iterator[Turn]:
        """Yields the turns. With `like`, those of its action and of its removals, with others besides."""
        if self.placing:
            yield from (Turn(action=BOARD.name[bit]) for bit in bits(self._empty()))
            return
        known = set[tuple[frozenset[str], Position]]()
        for before in self._removals(like.before if like else ()):
            cleared = self._without(before)
            if self._decided(cleared):
                yield Turn(before)
                continue
            actions = list(cleared._actions())
            if not actions:
                yield Turn(before) if before else PASS
            for origin, target in actions:
                action = f"{BOARD.name[origin]}-{BOARD.name[target]}"
                if like and like.action != action:
                    continue
                moved = cleared._moved(origin, target)
                for after in moved._removals(like.after if like else ()):
                    made = Turn(before, action, after)
                    if before and after:
                        # Rings that both parts could remove: either order is the same turn.
                        same = frozenset((*before, *after)), moved._without(after)
                        if same in known:
                            continue
                        known.add(same)
                    yield made

    def same(self, move: Turn) -> Turn:
        """Returns a legal turn as it is listed: rings that could go before or after go in order."""
        if not (move.before and move.after):
            return move
        gone, after = {*move.before, *move.after}, self.play(move)
        like = Turn(action=move.action)
        return next(
            one for one in self._turns(like) if {*one.before, *one.after} == gone and self.play(one) == after
        )

    def _removals(self, like: Iterable[str] = ()) -> Iterator[tuple[str, ...]]:
        """Yields what the side to move can remove now, with all of `like`."""
        side, wanted = self.to_move, self._wanted()
        for removal in removals(self.markers[side], self.rings[side], wanted):
            parts = named(removal)
            if (parts and set(like) <= {*parts}) or (not parts and not like):
                yield parts

    def _wanted(self) -> int:
        return self.rules.rings - self.taken(self.to_move)

    def _decided(self, after: Position) -> bool:
        return after.taken(self.to_move) >= self.rules.rings

    def _empty(self) -> int:
        return BOARD.full & ~sum(self.rings) & ~sum(self.markers)

    def _actions(self) -> Iterator[tuple[int, int]]:
        """Yields the moves of rings. None where there is no marker to place."""
        for origin in bits(self.rings[self.to_move]) if self.pool else ():
            for target, _ in reached(origin, sum(self.rings), sum(self.markers)):
                yield origin, target

    def _reaches(self, side: Side) -> bool:
        """Tells whether a ring of a side can move."""
        occupied = sum(self.rings), sum(self.markers)
        return any(True for origin in bits(self.rings[side]) for _ in reached(origin, *occupied))

    def _moved(self, origin: int, target: int) -> Self:
        """Returns the position after a marker is placed and a ring moved, with the same side to move."""
        side = self.to_move
        passed = next(
            passed for point, passed in reached(origin, sum(self.rings), sum(self.markers)) if point == target
        )
        white, black = self.markers
        # What is turned over leaves one set for the other.
        white, black = white & ~passed | black & passed, black & ~passed | white & passed
        markers = (white, black | origin) if side else (white | origin, black)
        return self._with(self.rings[side] ^ origin | target, markers)

    def _without(self, parts: Iterable[str]) -> Self:
        """Returns the position without these rows and rings of the side to move."""
        side, gone, left = self.to_move, 0, self.rings[self.to_move]
        white, black = self.markers
        for part in parts:
            if "-" in part:
                gone |= row_of(part)
            else:
                left &= ~BOARD.bit[part]
        return self._with(left, (white, black & ~gone) if side else (white & ~gone, black))

    def _with(self, own: int, markers: tuple[int, int]) -> Self:
        white, black = self.rings
        rings = (white, own) if self.to_move else (own, black)
        return replace(self, rings=rings, markers=markers)

    # Objections

    def _objections(self, move: Turn) -> Iterator[Objection]:
        # only the first is consumed, so each check may rely on those before it
        for part in (*move.before, move.action, *move.after):
            for name in part.split("-") if part and part != str(PASS) else ():
                if name not in BOARD.bit:
                    yield Objection("no_point", (name,))
        if self.placing:
            yield from self._to_placing(move)
        else:
            yield from self._to_turn(move)

    def _to_placing(self, move: Turn) -> Iterator[Objection]:
        if "-" in str(move) or move.before or move.after or move == PASS:
            yield Objection("placing", numbers=(sum(map(self.in_hand, Side)),))
        elif self.on(move.action):
            yield Objection("occupied", (move.action,))

    def _to_turn(self, move: Turn) -> Iterator[Objection]:
        if any(rows(self.markers[self.to_move])) or move.before:
            yield from self._to_removal(move.before, "row_stands")
        cleared = self._without(move.before)
        if self._decided(cleared):
            if move.action:
                yield Objection("decided")
            return
        able = any(cleared._actions())
        if move == PASS or not move.action:
            if able:
                yield Objection("must_move")
            return
        if not able:
            yield Objection("stuck")
        yield from cleared._to_action(move.action)
        origin, target = map(BOARD.bit.__getitem__, move.action.split("-"))
        yield from cleared._moved(origin, target)._to_removal(move.after, "which_row")

    def _to_removal(self, parts: tuple[str, ...], which: str) -> Iterator[Objection]:
        side = self.to_move
        found = list(rows(self.markers[side]))
        chosen, rings = [part for part in parts if "-" in part], [part for part in parts if "-" not in part]
        gone = 0
        for part in chosen:
            row = row_of(part)
            if row not in found:
                yield Objection("no_row", tuple(part.split("-")))
            if row & gone:
                yield Objection("crossing", (part,))
            gone |= row
        if parts and not found:
            yield Objection("nothing_to_remove", parts)
        wanted = self._wanted()
        if len(chosen) > wanted:
            yield Objection("decided")
        left = [row_name(row) for row in found if not row & gone]
        if left and len(chosen) < wanted:
            yield Objection(which if not chosen else "another_row", ordered(tuple(left)))
        for ring in rings:
            if not self.rings[side] & BOARD.bit[ring]:
                yield Objection("no_ring", (ring,))
        if len(rings) > len(chosen):
            yield Objection("too_many_rings", numbers=(len(chosen), len(rings)))
        if len(rings) < len(chosen):
            own = (BOARD.name[bit] for bit in bits(self.rings[side]))
            code = "which_ring" if len(chosen) == 1 else "which_rings"
            yield Objection(code, tuple(name for name in own if name not in rings), numbers=(len(chosen),))

    def _to_action(self, action: str) -> Iterator[Objection]:
        origin, _, target = action.partition("-")
        if not target:
            yield Objection("all_placed", (origin,))
        start, end = BOARD.bit[origin], BOARD.bit[target]
        if start & self.rings[self.to_move.other]:
            yield Objection("not_yours", (origin,))
        if not start & self.rings[self.to_move]:
            yield Objection("no_ring", (origin,))
        if end in (point for point, _ in reached(start, sum(self.rings), sum(self.markers))):
            return
        if self.on(target):
            yield Objection("occupied", (target,))
        way = next((ray for ray in RAYS[start] if end in ray), ())
        if not way:
            yield Objection("off_line", (origin, target))
        between = way[: way.index(end)]
        if ring := next((point for point in between if point & sum(self.rings)), 0):
            yield Objection("over_ring", (origin, target, BOARD.name[ring]))
        landing = next(
            point for point, passed in reached(start, 0, sum(self.markers)) if passed and point in between
        )
        yield Objection("goes_on", (target, BOARD.name[landing]))


# Positions as text


def start(rules: Rules, setup: str = "") -> Position:
    """Returns the empty board. Raises ValueError for any set-up, as there is none to choose."""
    if setup:
        raise ValueError(f"there is no set-up to choose here, not even {setup!r}")
    return Position(rules, (0, 0), (0, 0), Side.FIRST, placing=True)


_TEXT = re.compile(r"([WBwb/-]+) (placing )?(white|black)")


def position(rules: Rules, text: str) -> Position:
    """Parses the text of `str(position)`. Raises ValueError for any other text."""
    found = _TEXT.fullmatch(text)
    if not found or [*map(len, found[1].split("/"))] != [*map(len, BOARD.rows)]:
        raise ValueError(f"{text!r} is not a position of YINSH")
    written = list(zip(BOARD.name, found[1].replace("/", ""), strict=True))
    white, black, light, dark = (sum(bit for bit, letter in written if letter == one) for one in "WBwb")
    made = Position(rules, (white, black), (light, dark), Side(NAMES.index(found[3])), placing=bool(found[2]))
    counts = white.bit_count(), black.bit_count()
    if made.placing:
        right = made.to_move == counts[0] - counts[1] and sum(counts) < 2 * RINGS and not light | dark
    else:
        right = made.pool >= 0 and all(RINGS - rules.rings <= count <= RINGS for count in counts)
    if not right or max(counts) > RINGS:
        raise ValueError(f"{text!r} has rings or markers that cannot be there")
    return made

"""The rules of Bashni, column draughts: Russian draughts, but what is captured goes below its captor."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import NamedTuple

from games.bashni.board import (
    AHEAD,
    BACK,
    ENEMIES,
    INDEX,
    KINGS,
    LINES,
    MEN,
    PIECES,
    RAYS,
    SQUARES,
    Columns,
    Move,
    Path,
    crowned,
    names,
    owner,
)
from games.protocol import Objection, Outcome, Side

# Chains of jumps

NO_WAY = -1
SPENT = "x"  # without stacking, what was jumped blocks its square until the end of the capture


class Chain(NamedTuple):
    """A capture under way: its column, lifted from the board at the square `at`, and all other columns.

    `way` is that of the last jump, NO_WAY before the first.
    """

    at: int
    way: int
    column: str
    columns: Columns


def begun(columns: Columns, at: int) -> Chain:
    """Returns the chain of the column on `at` before its first jump."""
    # its square is free at once
    return Chain(at, NO_WAY, columns[at], (*columns[:at], "", *columns[at + 1 :]))


def jumps(chain: Chain, stacking: bool) -> Iterator[list[Chain]]:
    """Yields, for each column that can be jumped next, the chain on each free square behind it."""
    at, last, column, columns = chain
    theirs, flies = ENEMIES[column[-1]], column[-1] in KINGS
    for way, ray in enumerate(RAYS[at]):
        # never straight back, or a king could strip a tall column by shuttling over it
        if last != NO_WAY and way == BACK[last]:
            continue
        for distance, over in enumerate(ray if flies else ray[:1]):
            if columns[over]:
                behind = _free(columns, ray[distance + 1 :], flies) if columns[over][-1] in theirs else ()
                if behind:
                    yield _landed(chain, way, over, behind, stacking)
                break


def _free(columns: Columns, ray: Path, flies: bool) -> Path:
    """Returns the squares of a ray before its first column, at most one unless the captor `flies`."""
    free = next((n for n, square in enumerate(ray) if columns[square]), len(ray))
    return ray[: free if flies else min(free, 1)]


def _landed(chain: Chain, way: int, over: int, landings: Path, stacking: bool) -> list[Chain]:
    jumped = chain.columns[over]
    left, column = (jumped[:-1], jumped[-1] + chain.column) if stacking else (SPENT, chain.column)
    columns = (*chain.columns[:over], left, *chain.columns[over + 1 :])
    return [Chain(square, way, crowned(column, square), columns) for square in landings]


def grown(chain: Chain, stacking: bool) -> list[Chain]:
    """Returns the chain extended by each jump that is allowed.

    Of the squares behind a column, only those from where it can go on capturing, if there are any.
    """
    found = []
    for behind in jumps(chain, stacking):
        onward = [one for one in behind if any(jumps(one, stacking))] if len(behind) > 1 else behind
        found += onward or behind
    return found


def settled(chain: Chain) -> Columns:
    """Returns the board after a capture that ends here."""
    columns = [column.replace(SPENT, "") for column in chain.columns]
    columns[chain.at] = chain.column
    return tuple(columns)


def chains(columns: Columns, path: Path, stacking: bool) -> list[Chain]:
    """Returns the stages of a capture, its beginning first. The path must consist of jumps."""
    found = [begun(columns, path[0])]
    for square in path[1:]:
        found.append(next(one for behind in jumps(found[-1], stacking) for one in behind if one.at == square))
    return found


def captures(columns: Columns, side: Side, stacking: bool = True) -> dict[Columns, Path]:
    """Returns the boards to which complete captures lead, each with the path of its capture.

    Captures that leave the same board are one turn, written as the first of their paths in the order of the
    squares.
    """
    ends: dict[Columns, Path] = {}
    under_way: dict[Chain, Path] = {begun(columns, at): (at,) for at in columns_of(columns, side)}
    while under_way:
        longer: dict[Chain, Path] = {}
        for chain, path in under_way.items():
            following = grown(chain, stacking)
            for other in following:
                onward = (*path, other.at)
                longer[other] = min(onward, longer.get(other, onward))
            if not following and len(path) > 1:
                board = settled(chain)
                ends[board] = min(path, ends.get(board, path))
        under_way = longer
    return ends


def columns_of(columns: Columns, side: Side) -> list[int]:
    """Returns the squares of the columns that a side leads."""
    mine = PIECES[side]
    return [at for at, column in enumerate(columns) if column and column[-1] in mine]


def steps(columns: Columns, side: Side) -> Iterator[tuple[int, int]]:
    """Yields the start and end of each step, which are turns while nothing can be captured."""
    for at in columns_of(columns, side):
        if columns[at][-1] in KINGS:
            yield from ((at, square) for ray in RAYS[at] for square in _free(columns, ray, flies=True))
        else:
            for way in AHEAD[side]:
                yield from ((at, square) for square in _free(columns, RAYS[at][way], flies=False))


def stepped(columns: Columns, here: int, there: int) -> Columns:
    """Returns the board after a step."""
    after = list(columns)
    after[here], after[there] = "", crowned(columns[here], there)
    return tuple(after)


# Rules and position

MOST_QUIET = 30  # turns in a row with kings and without a capture, 15 of each side: then it is a draw
NAMES = ("white", "black")


@dataclass(frozen=True)
class Rules:
    """The rules, which leave nothing to choose. Tests switch `stacking` off: that is Russian draughts."""

    stacking: bool = True


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of the game; `quiet` counts the last turns in a row with kings and without a capture."""

    rules: Rules
    columns: Columns
    to_move: Side
    quiet: int = 0

    def __str__(self) -> str:
        return f"{self._board()}quiet={self.quiet} move={NAMES[self.to_move]}"

    def key(self) -> str:
        return f"{self._board()}move={NAMES[self.to_move]}"

    def captures(self) -> dict[Columns, Path]:
        """Returns the boards after all captures, and their paths. Empty when none is possible."""
        return captures(self.columns, self.to_move, self.rules.stacking)

    def moves(self) -> Iterator[Move]:
        if self.quiet < MOST_QUIET:
            paths = self.captures().values()
            turns = paths or steps(self.columns, self.to_move)
            yield from (Move(names(path), capture=bool(paths)) for path in turns)

    def count(self) -> int:
        if self.quiet >= MOST_QUIET:
            return 0
        return len(self.captures()) or sum(1 for _ in steps(self.columns, self.to_move))

    def sample(self, rng: Random) -> Move:
        return rng.choice(list(self.moves()))

    def objection(self, move: Move) -> Objection | None:
        # only the first is consumed, so each check may rely on those before it
        return Objection("finished") if self.outcome() else next(_objections(self, move), None)

    def play(self, move: Move) -> Position:
        path = tuple(INDEX[name] for name in move.path)
        if move.capture:
            columns = settled(chains(self.columns, path, self.rules.stacking)[-1])
            return Position(self.rules, columns, self.to_move.other)
        king = self.columns[path[0]][-1] in KINGS
        after = stepped(self.columns, *path)
        return Position(self.rules, after, self.to_move.other, self.quiet + 1 if king else 0)

    def outcome(self) -> Outcome | None:
        if not any(steps(self.columns, self.to_move)) and not self.captures():
            left = columns_of(self.columns, self.to_move)
            return Outcome(self.to_move.other, "blocked" if left else "all_taken")
        return Outcome(None, "quiet") if self.quiet >= MOST_QUIET else None

    def _board(self) -> str:
        named = zip(SQUARES, self.columns, strict=True)
        return "".join(f"{name}={column} " for name, column in named if column)


def start(rules: Rules, setup: str = "") -> Position:
    """Returns the first position. Raises ValueError for a set-up: Bashni has none."""
    if setup:
        raise ValueError(f"Bashni has no set-up to choose, not even {setup!r}")
    return Position(rules, ("w",) * MEN + ("",) * 8 + ("b",) * MEN, Side.FIRST)


# The text of a position: each column with its square, from a1, then the quiet turns and the side to move.

_TEXT = re.compile(r"((?:\S+ )*)quiet=(\d\d?) move=(white|black)", re.ASCII)
_COLUMN = re.compile(r"([a-h][1-8])=([bB]*[wW]+|[wW]*[bB]+)")  # captures make no others


def position(rules: Rules, text: str) -> Position:
    """Parses the text of `str(position)`; pieces may be missing. Raises ValueError for any other text."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a position of Bashni")
    placed = dict(map(_placed, found[1].split()))
    columns = tuple(placed.get(square, "") for square in range(len(SQUARES)))
    read = Position(rules, columns, Side(NAMES.index(found[3])), int(found[2]))
    pieces = "".join(columns)
    if any(sum(map(pieces.count, PIECES[side])) > MEN for side in Side):
        raise ValueError(f"{text!r} has more than {MEN} pieces of a side")
    if not columns_of(columns, read.to_move.other) or read.quiet > MOST_QUIET or str(read) != text:
        raise ValueError(f"{text!r} is not how a position of Bashni is written: that is {str(read)!r}")
    return read


def _placed(text: str) -> tuple[int, str]:
    found = _COLUMN.fullmatch(text)
    if not found or found[1] not in INDEX or crowned(found[2], INDEX[found[1]]) != found[2]:
        raise ValueError(f"{text!r} is not a column on a square of Bashni")
    return INDEX[found[1]], found[2]


# Objections


def _objections(position: Position, move: Move) -> Iterator[Objection]:
    for name in move.path:
        if name not in INDEX:
            yield Objection("no_square", (name,))
    path, paths = tuple(INDEX[name] for name in move.path), tuple(position.captures().values())
    if paths and not move.capture:
        # the example is a capture by the same column, if there is one
        yield Objection("must_capture", names(max(paths, key=lambda other: other[0] == path[0])))
    column = position.columns[path[0]]
    if not column:
        yield Objection("nothing_there", move.path[:1])
    if owner(column) != position.to_move:
        yield Objection("not_yours", move.path[:1])
    yield from _to_capture(position, path) if move.capture else _to_step(position, *path)


def _to_step(position: Position, here: int, there: int) -> Iterator[Objection]:
    columns, ends = position.columns, names((here, there))
    if (here, there) not in LINES:
        yield Objection("not_diagonal", ends)
    way, between = LINES[here, there]
    if columns[here][-1] not in KINGS and way not in AHEAD[position.to_move]:
        yield Objection("backwards", ends)
    if columns[here][-1] not in KINGS and between:
        yield Objection("one_square", ends)
    for square in (*between, there):
        if columns[square]:
            yield Objection("blocked", (SQUARES[square], *ends))


def _to_capture(position: Position, path: Path) -> Iterator[Objection]:
    stacking, chain = position.rules.stacking, begun(position.columns, path[0])
    for square in path[1:]:
        landed = {one.at: one for behind in jumps(chain, stacking) for one in behind}
        if square not in landed:
            yield _no_jump(position, chain, square)
        following = grown(chain, stacking)
        if landed[square] not in following:
            better = next(one.at for one in following if one.way == landed[square].way)
            yield Objection("must_go_on", names((square, better)))
        chain = landed[square]
    if following := grown(chain, stacking):
        yield Objection("unfinished", names((chain.at, following[0].at)))
    first = position.captures()[settled(chain)]
    if first != path:
        yield Objection("same_turn", names(first))


def _no_jump(position: Position, chain: Chain, square: int) -> Objection:
    """Returns why the chain cannot jump to a square."""
    ends = names((chain.at, square))
    if (chain.at, square) not in LINES:
        return Objection("not_diagonal", ends)
    way, between = LINES[chain.at, square]
    over = [other for other in between if chain.columns[other]]
    if not over:
        return Objection("nothing_to_jump", ends)
    if owner(chain.columns[over[0]]) == position.to_move:
        return Objection("own_column", (SQUARES[over[0]], *ends))
    if chain.way != NO_WAY and way == BACK[chain.way]:
        return Objection("straight_back", ends)
    if chain.columns[square]:
        return Objection("no_landing", ends[1:])
    if len(over) > 1:
        return Objection("two_columns", names((over[0], over[1])))
    return Objection("man_jumps", (*ends, SQUARES[over[0]]))

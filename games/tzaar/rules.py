"""The rules of TZAAR (Kris Burm, 2007): a capture each turn, then another, a stacking or nothing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Self

from games.protocol import Objection, Outcome, Side
from games.tzaar.board import EACH, FIXED, INDEX, POINTS, RAYS, TYPES, Action, Move, Setup

NAMES = ("white", "black")
CASES = (str.upper, str.lower)


@dataclass(frozen=True)
class Rules:
    """The options of a variant: how the pieces come to the board."""

    setup: Setup = "fixed"


# The stacks on the points, each the letter of its top piece, a capital for White, and its height: `T`, `a3`. What lies
# below the top never matters again.
Board = tuple[str, ...]


def height(stack: str) -> int:
    return int(stack[1:] or 1)


def _raised(stack: str, by: int) -> str:
    return f"{stack[0]}{height(stack) + by}"


def owner(stack: str) -> Side:
    return Side.FIRST if stack[0].isupper() else Side.SECOND


def reached(board: Board, origin: int) -> Iterator[int]:
    """Yields the first occupied point in each direction."""
    for ray in RAYS[origin]:
        for point in ray:
            if board[point]:
                yield point
                break


def actions(board: Board, side: Side, stacking: bool) -> Iterator[tuple[int, int]]:
    """Yields the origins and targets of the captures of a side, and of its stackings, too."""
    white = side == Side.FIRST
    for origin, stack in enumerate(board):
        if stack and stack[0].isupper() == white:
            tall = height(stack)
            for point in reached(board, origin):
                there = board[point]
                if stacking if there[0].isupper() == white else height(there) <= tall:
                    yield origin, point


def acted(board: Board, origin: int, target: int) -> Board:
    """Returns the board after a capture or a stacking."""
    stack, there = board[origin], board[target]
    after = list(board)
    after[origin] = ""
    after[target] = stack if stack[0].isupper() != there[0].isupper() else _raised(stack, height(there))
    return tuple(after)


def missing(board: Board, side: Side) -> str:
    """Returns the types that no stack of a side has on top."""
    tops = {stack[0] for stack in board if stack}
    return "".join(kind for kind in TYPES if CASES[side](kind) not in tops)


@dataclass(frozen=True, slots=True)
class Position:
    """The board, and the side to move. `placing` tells that the players still place their pieces."""

    rules: Rules
    board: Board
    to_move: Side
    placing: bool

    @property
    def opening(self) -> bool:
        """Tells whether this is White's first turn of captures: one is all of it."""
        return not self.placing and "" not in self.board

    def on(self, name: str) -> str:
        """Returns the stack on a point. Empty when there is none."""
        return self.board[INDEX[name]]

    def counts(self, side: Side) -> Mapping[str, int]:
        """Counts the stacks of a side by the type on top."""
        tops = Counter(stack[0] for stack in self.board if stack)
        return {kind: tops[CASES[side](kind)] for kind in TYPES}

    def in_hand(self, side: Side) -> Mapping[str, int]:
        """Counts the pieces that a side has still to place."""
        there = self.counts(side)
        return {kind: EACH[kind] - there[kind] for kind in TYPES}

    def moves(self) -> Iterator[Move]:
        if self.placing:
            kinds = [kind for kind, left in self.in_hand(self.to_move).items() if left]
            yield from (
                Move(placed=kind, point=name)
                for name, stack in zip(POINTS, self.board, strict=True)
                if not stack
                for kind in kinds
            )
        elif not self.outcome():
            yield from map(self.named, self._turns())

    def count(self) -> int:
        if self.placing:
            return self.board.count("") * sum(map(bool, self.in_hand(self.to_move).values()))
        return 0 if self.outcome() else sum(1 for _ in self._turns())

    def sample(self, rng: Random) -> Move:
        return rng.choice(list(self.moves())) if self.placing else self.named(rng.choice(list(self._turns())))

    def after(self, move: Move) -> Board:
        """Returns the board after a legal move."""
        if move.placed:
            there = INDEX[move.point]
            return (*self.board[:there], CASES[self.to_move](move.placed), *self.board[there + 1 :])
        board = self.board
        for origin, _, target in move.actions:
            board = acted(board, INDEX[origin], INDEX[target])
        return board

    def play(self, move: Move) -> Self:
        board = self.after(move)
        return type(self)(self.rules, board, self.to_move.other, self.placing and "" in board)

    def outcome(self) -> Outcome | None:
        if self.placing:
            return None
        mover = self.to_move.other
        # After each action first the opponent's types are looked at: the mover's capture wins.
        if lost := missing(self.board, self.to_move):
            return Outcome(mover, f"no_{lost[0].lower()}")
        if covered := missing(self.board, mover):
            return Outcome(self.to_move, f"covered_{covered[0].lower()}")
        if not any(actions(self.board, self.to_move, stacking=False)):
            return Outcome(mover, "no_capture")
        return None

    def objection(self, move: Move) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        return next(self._objections(move), None)

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        written = ("" if self.placing else "/").join(stack or "-" for stack in self.board)
        return f"{'' if self.placing else '/'}{written} {NAMES[self.to_move]}"

    def _turns(self) -> Iterator[tuple[tuple[int, int], ...]]:
        """Yields the turns of captures as origins and targets. The same in another order is another turn."""
        for first in actions(self.board, self.to_move, stacking=False):
            yield (first,)
            board = acted(self.board, *first)
            if not self.opening and not missing(board, self.to_move.other):
                yield from ((first, second) for second in actions(board, self.to_move, stacking=True))

    def named(self, turn: tuple[tuple[int, int], ...]) -> Move:
        """Returns the turn of these origins and targets."""
        named, board = [], self.board
        for origin, target in turn:
            sign = "x" if owner(board[target]) != self.to_move else "+"
            named.append((POINTS[origin], sign, POINTS[target]))
            board = acted(board, origin, target) if len(turn) > len(named) else board
        return Move(tuple(named))

    def _objections(self, move: Move) -> Iterator[Objection]:
        # only the first is consumed, so each check may rely on those before it
        for name in (move.point, *(name for origin, _, target in move.actions for name in (origin, target))):
            if name and name not in INDEX:
                yield Objection("no_point", (name,))
        if self.placing:
            yield from self._to_placing(move)
        elif move.placed:
            yield Objection("all_placed", (move.point,))
        else:
            yield from self._to_actions(move)

    def _to_placing(self, move: Move) -> Iterator[Objection]:
        if not move.placed:
            yield Objection("placing", numbers=(self.board.count(""),))
        elif self.on(move.point):
            yield Objection("occupied", (move.point,))
        elif not self.in_hand(self.to_move)[move.placed]:
            yield Objection(f"none_left_{move.placed.lower()}")

    def _to_actions(self, move: Move) -> Iterator[Objection]:
        board = self.board
        for number, action in enumerate(move.actions):
            if number:
                if self.opening:
                    yield Objection("one_capture")
                if missing(board, self.to_move.other):
                    yield Objection("decided")
            yield from _to_action(board, self.to_move, action, first=not number)
            board = acted(board, INDEX[action[0]], INDEX[action[2]])


def _to_action(board: Board, side: Side, action: Action, first: bool) -> Iterator[Objection]:
    origin, sign, target = action
    stack, there = board[INDEX[origin]], board[INDEX[target]]
    if not stack:
        yield Objection("empty", (origin,))
    if owner(stack) != side:
        yield Objection("not_yours", (origin,))
    if not there or origin == target:
        yield Objection("nothing_there", (target,))
    if INDEX[target] not in reached(board, INDEX[origin]):
        between = (
            point for ray in RAYS[INDEX[origin]] if INDEX[target] in ray for point in ray if board[point]
        )
        yield (
            Objection("off_line", (origin, target))
            if (point := next(between, None)) is None
            else Objection("blocked", (origin, target, POINTS[point]))
        )
    captures = owner(there) != side
    if first and not captures:
        yield Objection("first_captures", (target,))
    if captures != (sign == "x"):
        yield Objection("captures" if captures else "stacks", (target,))
    if captures and height(there) > height(stack):
        yield Objection("too_high", (origin, target), numbers=(height(stack), height(there)))


# Set-ups and positions as text


def start(rules: Rules, setup: str = "") -> Position:
    """Returns the first position. A random set-up is 60 letters, a1 to a5, b1 to b6 and so on, capitals for White.

    Raises ValueError for a bad set-up, and for any where there is none to choose.
    """
    if rules.setup != "random":
        if setup:
            raise ValueError(f"there is no set-up to choose here, not even {setup!r}")
        board = tuple(FIXED) if rules.setup == "fixed" else ("",) * len(POINTS)
        return Position(rules, board, Side.FIRST, placing=rules.setup == "free")
    pieces = "".join(setup.split())
    if Counter(pieces) != Counter(FIXED):
        raise ValueError(f"{setup!r} is not {len(POINTS)} letters: 6 Z, 9 A and 15 T, and as many z, a and t")
    return Position(rules, tuple(pieces), Side.FIRST, placing=False)


_STACK = re.compile(r"-|[ZATzat](?:[2-9]|[1-3][0-9])?")
_TEXT = re.compile(r"(/?)(\S+) (white|black)")


def position(rules: Rules, text: str) -> Position:
    """Parses the text of `str(position)`. Raises ValueError for any other text."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a position of TZAAR")
    written = found[2].split("/") if found[1] else list(found[2])
    if len(written) != len(POINTS) or not all(map(_STACK.fullmatch, written)):
        raise ValueError(f"{text!r} does not have {len(POINTS)} points, each a stack or -")
    board = tuple(stack.replace("-", "") for stack in written)
    made = Position(rules, board, Side(NAMES.index(found[3])), placing=not found[1])
    sides = [[stack for stack in board if stack and owner(stack) == side] for side in Side]
    if any(sum(map(height, side)) > sum(EACH.values()) for side in sides) or any(
        made.counts(side)[kind] > EACH[kind] for side in Side for kind in TYPES
    ):
        raise ValueError(f"{text!r} has more pieces than there are")
    if made.placing and ("" not in board or made.to_move != len(sides[0]) - len(sides[1])):
        raise ValueError(f"{text!r} does not say whose turn it is to place a piece")
    return made

"""The rules of DVONN (Kris Burm, 2001): 49 pieces are placed, then stacks move as far as they are high."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Self

from games.dvonn.board import BOARD, LONGEST, MEN, PASS, PIECES, POINTS, REDS, TARGETS, Move, Setup
from games.protocol import Objection, Outcome, Side

LETTERS = "wb"
NAMES = ("white", "black")
_SIDES = tuple(Side)
_INDEX = {name: index for index, name in enumerate(POINTS)}


@dataclass(frozen=True)
class Rules:
    """The options of a variant: who places the pieces."""

    setup: Setup = "played"


@dataclass(frozen=True, slots=True)
class Position:
    """The stacks in the order of `POINTS`, each its pieces, bottom first: `wbr`. `placing` tells the first phase."""

    rules: Rules
    stacks: tuple[str, ...]
    to_move: Side
    placing: bool

    def stack(self, name: str) -> str:
        """Returns the stack on a point. Empty when there is none."""
        return self.stacks[_INDEX[name]]

    def stood(self) -> dict[str, str]:
        """Maps each occupied point to its stack."""
        return {name: stack for name, stack in zip(POINTS, self.stacks, strict=True) if stack}

    @property
    def placed(self) -> int:
        """Counts the occupied points: in the first phase, the pieces placed."""
        return len(self.stacks) - self.stacks.count("")

    @property
    def piece(self) -> str:
        """Returns the letter of the piece that is placed next."""
        return "r" if self.placed < REDS else LETTERS[self.to_move]

    @property
    def full(self) -> bool:
        """Tells whether all pieces have been placed and Black has yet to leave the first move to White."""
        return self.placing and "" not in self.stacks

    def moves(self) -> Iterator[Move]:
        if self.placing and not self.full:
            yield from (Move("", name) for name, stack in zip(POINTS, self.stacks, strict=True) if not stack)
            return
        there = list(self._stack_moves(self.to_move))
        if there or self._goes_on():
            yield from there or (PASS,)

    def count(self) -> int:
        return sum(1 for _ in self.moves())

    def sample(self, rng: Random) -> Move:
        return rng.choice(list(self.moves()))

    def objection(self, move: Move) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        return next(self._objections(move), None)

    def play(self, move: Move) -> Self:
        after = type(self)(
            self.rules, self.stacks, self.to_move.other, placing=self.placing and not self.full
        )
        if move == PASS:
            return after
        stacks = list(self.stacks)
        if self.placing:
            stacks[_INDEX[move.target]] = self.piece
        else:
            origin = _INDEX[move.origin]
            stacks[_INDEX[move.target]] += stacks[origin]
            stacks[origin] = ""
            stacks = _connected(stacks)
        return type(self)(self.rules, tuple(stacks), after.to_move, after.placing)

    def outcome(self) -> Outcome | None:
        if self._goes_on() or any(self._stack_moves(self.to_move)):
            return None
        white, black = self.score
        if white == black:
            return Outcome(None, "equal")
        return Outcome(Side.FIRST if white > black else Side.SECOND, "more")

    @property
    def score(self) -> tuple[int, int]:
        """Returns the pieces in White's stacks and in Black's, of whatever colour."""
        white, black = (
            sum(len(stack) for stack in self.stacks if stack[-1:] == letter) for letter in LETTERS
        )
        return white, black

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        return f"{'' if self.placing else '/'}{self._written()} {NAMES[self.to_move]}"

    def _written(self) -> str:
        return ("" if self.placing else "/").join(stack or "-" for stack in self.stacks)

    def _goes_on(self) -> bool:
        """Tells whether pieces are being placed or the opponent can move."""
        return self.placing or any(self._stack_moves(self.to_move.other))

    def _stack_moves(self, side: Side) -> Iterator[Move]:
        """Yields the moves of stacks of a side in the second phase."""
        if self.placing:
            return
        stood, letter = self.stood(), LETTERS[side]
        enclosed = set(BOARD.names(BOARD.enclosed(sum(map(BOARD.bit.__getitem__, stood)))))
        for name, stack in stood.items():
            if stack[-1] == letter and name not in enclosed:
                yield from (
                    Move(name, there) for there in TARGETS.get((name, len(stack)), ()) if there in stood
                )

    def _objections(self, move: Move) -> Iterator[Objection]:
        # only the first is consumed, so each check may rely on those before it
        if self.full:
            if move != PASS:
                yield Objection("white_begins")
        elif move == PASS:
            if self.placing or any(self._stack_moves(self.to_move)):
                yield Objection("no_pass")
        elif strange := next(
            (name for name in (move.origin, move.target) if name and name not in _INDEX), None
        ):
            yield Objection("no_point", (strange,))
        elif self.placing:
            yield from self._to_placing(move)
        elif not any(self._stack_moves(self.to_move)):
            yield Objection("must_pass")
        else:
            yield from self._to_moving(move)

    def _to_placing(self, move: Move) -> Iterator[Objection]:
        if move.origin:
            yield Objection("placing", numbers=(len(POINTS) - self.placed,))
        if self.stack(move.target):
            yield Objection("occupied", (move.target,))

    def _to_moving(self, move: Move) -> Iterator[Objection]:
        origin, target = move.origin, move.target
        if not origin:
            yield Objection("all_placed", (target,))
            return
        stack = self.stack(origin)
        if not stack:
            yield Objection("empty", (origin,))
        elif stack[-1] == "r":
            yield Objection("red_alone", (origin,))
        elif stack[-1] != LETTERS[self.to_move]:
            yield Objection("not_yours", (origin,))
        elif target not in TARGETS.get((origin, len(stack)), ()):
            yield from _to_distance(move, len(stack))
        elif Move(origin, target) not in self._stack_moves(self.to_move):
            yield (
                Objection("lands_nowhere", (target,))
                if not self.stack(target)
                else Objection("enclosed", (origin,))
            )


def _to_distance(move: Move, height: int) -> Iterator[Objection]:
    """Yields why a stack of this height does not reach the point."""
    ends = move.origin, move.target
    for distance in range(1, LONGEST + 1):
        if move.target in TARGETS[move.origin, distance]:
            yield Objection("distance", ends, numbers=(height, distance))
    yield Objection("off_line", ends)


def _connected(stacks: list[str]) -> list[str]:
    """Empties the points that no way over occupied ones connects to a red piece."""
    occupied = sum(BOARD.bit[name] for name, stack in zip(POINTS, stacks, strict=True) if stack)
    reds = sum(BOARD.bit[name] for name, stack in zip(POINTS, stacks, strict=True) if "r" in stack)
    left = BOARD.connected(reds, occupied)
    return [stack if BOARD.bit[name] & left else "" for name, stack in zip(POINTS, stacks, strict=True)]


# Set-ups and positions as text


def start(rules: Rules, setup: str = "") -> Position:
    """Returns the empty board, or the board of a set-up: 49 letters, a1 to i1, a2 to j2 and so on, blanks ignored.

    Raises ValueError for a bad set-up, and for any where the players place the pieces themselves.
    """
    pieces = "".join(setup.split()).lower()
    if rules.setup == "played":
        if pieces:
            raise ValueError(f"here the players place the pieces themselves: there is no set-up {setup!r}")
        return Position(rules, ("",) * len(POINTS), Side.FIRST, placing=True)
    if Counter(pieces) != Counter("r" * REDS + "wb" * MEN):
        raise ValueError(
            f"{setup!r} is not a set-up of {MEN} w, {MEN} b and {REDS} r, {len(POINTS)} letters in all"
        )
    return Position(rules, tuple(pieces), Side.FIRST, placing=False)


_STACK = re.compile(r"-|r|[wbr]*[wb]")
_TEXT = re.compile(r"(/?)([-wbr/]+) (white|black)")


def position(rules: Rules, text: str) -> Position:
    """Parses the text of `str(position)`. Raises ValueError for any other text."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a position of DVONN")
    written = found[2].split("/") if found[1] else list(found[2])
    if len(written) != len(POINTS) or not all(map(_STACK.fullmatch, written)):
        raise ValueError(f"{text!r} does not have {len(POINTS)} points, each a stack or -")
    stacks = [stack.replace("-", "") for stack in written]
    made = Position(rules, tuple(stacks), Side(NAMES.index(found[3])), placing=not found[1])
    if not (_is_begun(made) if made.placing else _is_played(made)):
        raise ValueError(f"{text!r} does not occur in a game of DVONN")
    return made


def _is_begun(position: Position) -> bool:
    """Tells whether these pieces may have been placed, and this side be next."""
    placed = Counter(position.stacks)
    of_sides = max(0, position.placed - REDS)
    right = {"r": min(position.placed, REDS), "b": (of_sides + 1) // 2, "w": of_sides // 2}
    return position.to_move == position.placed % 2 and all(placed[piece] == right[piece] for piece in PIECES)


def _is_played(position: Position) -> bool:
    """Tells whether all red pieces are there, no more of the others than there are, and all connected."""
    left = Counter("".join(position.stacks))
    fits = left["r"] == REDS and left["w"] <= MEN and left["b"] <= MEN
    return fits and tuple(_connected(list(position.stacks))) == position.stacks

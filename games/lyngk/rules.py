"""The rules of LYNGK (Kris Burm, 2017): a claim if wished, then a stack is put on another."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Literal, Self

from games.lyngk.board import COLOURS, EACH, INDEX, JOKER, PASS, POINTS, RAYS, Move
from games.protocol import Objection, Outcome, Side

NAMES = ("first", "second")
CLAIMS = 2  # of a side in a game
FIVE = 5


@dataclass(frozen=True)
class Rules:
    """The options of a variant: how high a stack may be. One of six wins at once."""

    stack: Literal[5, 6] = 5


Board = tuple[str, ...]  # the stacks on the points, bottom first; empty without one


def clash(stack: str, other: str) -> str:
    """Returns the colours, not jokers, that both stacks have."""
    return "".join(piece for piece in COLOURS if piece in stack and piece in other)


def reached(board: Board, origin: int) -> Iterator[int]:
    """Yields the first occupied point in each direction."""
    for ray in RAYS[origin]:
        for point in ray:
            if board[point]:
                yield point
                break


def turned(board: Board, origin: int) -> Mapping[int, int]:
    """Returns the points that an own stack reaches, over any number of stacks with its colour on top, and from
    where.
    """
    colour, came, left = board[origin][-1], {origin: origin}, [origin]
    for here in left:
        for point in reached(board, here):
            if point not in came:
                came[point] = here
                if board[point][-1] == colour:
                    left.append(point)
    del came[origin]
    return came


@dataclass(frozen=True, slots=True)
class Position:
    """The stacks, the colours that each side has claimed, and the stacks of five won of each colour."""

    rules: Rules
    board: Board
    claims: tuple[str, str]
    won: tuple[int, ...]  # in the order of COLOURS; of six in that variant, where they stay on the board
    to_move: Side

    def on(self, name: str) -> str:
        """Returns the stack on a point, bottom first. Empty when there is none."""
        return self.board[INDEX[name]]

    def owner(self, colour: str) -> Side | None:
        """Returns the side that has claimed a colour."""
        return next((side for side in Side if colour in self.claims[side]), None)

    @property
    def claimable(self) -> str:
        """Returns the colours that the side to move may claim."""
        if len(self.claims[self.to_move]) == CLAIMS:
            return ""
        return "".join(colour for colour in COLOURS if self.owner(colour) is None)

    def stacks(self, side: Side, height: int) -> int:
        """Counts the stacks of a height that a side has: those of five that it has won, too."""
        own = [stack for stack in self.board if stack and stack[-1] in self.claims[side]]
        won = sum(self.fives(colour) for colour in self.claims[side]) if height == FIVE else 0
        return won + sum(len(stack) == height for stack in own)

    def fives(self, colour: str) -> int:
        """Counts the stacks won with a colour on top."""
        return self.won[COLOURS.index(colour)]

    def claimed(self, colour: str) -> Self:
        """Returns the position after a claim, with the same side to move: stacks of five of that colour are won."""
        side = self.to_move
        claims = {**dict(enumerate(self.claims)), side: self.claims[side] + colour}
        fives = self.rules.stack == FIVE
        board = tuple(
            "" if fives and len(stack) == FIVE and stack[-1] == colour else stack for stack in self.board
        )
        waiting = board.count("") - self.board.count("")
        won = tuple(n + waiting * (each == colour) for n, each in zip(self.won, COLOURS, strict=True))
        return replace(self, board=board, claims=(claims[0], claims[1]), won=won)

    def way(self, move: Move) -> tuple[str, ...]:
        """Returns the points at which the stack of a legal move begins, turns and ends."""
        position = self.claimed(move.claim) if move.claim else self
        origin, here = INDEX[move.origin], INDEX[move.target]
        if self.owner(position.board[origin][-1]) is None and move.claim != position.board[origin][-1]:
            return move.origin, move.target
        came, points = turned(position.board, origin), [move.target]
        while here != origin:
            here = came[here]
            points.append(POINTS[here])
        return tuple(reversed(points))

    def moves(self) -> Iterator[Move]:
        if self.outcome():
            return
        none = True
        for claim, origin, target in self._turns():
            none = False
            yield Move(claim, POINTS[origin], POINTS[target])
        if none:
            yield PASS

    def count(self) -> int:
        return 0 if self.outcome() else sum(1 for _ in self._turns()) or 1

    def sample(self, rng: Random) -> Move:
        turns = list(self._turns())
        if not turns:
            return PASS
        claim, origin, target = rng.choice(turns)
        return Move(claim, POINTS[origin], POINTS[target])

    def play(self, move: Move) -> Self:
        if move == PASS:
            return replace(self, to_move=self.to_move.other)
        claimed = self.claimed(move.claim) if move.claim else self
        return claimed._moved(INDEX[move.origin], INDEX[move.target])

    def outcome(self) -> Outcome | None:
        if (winner := self._six()) is not None:
            return Outcome(winner, "six")
        if any(True for _ in self._turns()) or any(True for _ in self._turned()._turns()):
            return None
        for height in range(FIVE, 0, -1):
            ahead = self.stacks(Side.FIRST, height) - self.stacks(Side.SECOND, height)
            if ahead:
                return Outcome(Side.FIRST if ahead > 0 else Side.SECOND, f"stacks_{height}")
        return Outcome(None, "equal")

    def objection(self, move: Move) -> Objection | None:
        if self.outcome():
            return Objection("finished")
        return next(self._objections(move), None)

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        claims = ("".join(f"{colour}{self.fives(colour)}" for colour in side) or "-" for side in self.claims)
        return f"{'/'.join(stack or '-' for stack in self.board)} {' '.join(claims)} {NAMES[self.to_move]}"

    def _six(self) -> Side | None:
        """Returns the side that completed a stack of six with its move."""
        winners = (side for side in Side if any(map(self.fives, self.claims[side])))
        return next(winners, None) if self.rules.stack > FIVE else None

    def _turned(self) -> Self:
        return replace(self, to_move=self.to_move.other)

    def _moved(self, origin: int, target: int) -> Self:
        """Returns the position after a stack is put on another; a stack of five of the mover's is won."""
        board, stack = list(self.board), self.board[target] + self.board[origin]
        highest = len(stack) == self.rules.stack and stack[-1] in self.claims[self.to_move]
        board[origin] = ""
        board[target] = "" if highest and self.rules.stack == FIVE else stack
        won = tuple(n + (highest and each == stack[-1]) for n, each in zip(self.won, COLOURS, strict=True))
        return replace(self, board=tuple(board), won=won, to_move=self.to_move.other)

    def _turns(self) -> Iterator[tuple[str, int, int]]:
        """Yields a colour to claim, if any, an origin and a target."""
        yield from (("", *way) for way in self._ways())
        for colour in self.claimable:
            yield from ((colour, *way) for way in self.claimed(colour)._ways())

    def _ways(self) -> Iterator[tuple[int, int]]:
        """Yields the origins and targets of a side without a claim."""
        board, own = self.board, self.claims[self.to_move]
        barred = self.claims[self.to_move.other] + JOKER
        for origin, stack in enumerate(board):
            if stack and stack[-1] not in barred:
                mine = stack[-1] in own
                room = self.rules.stack - len(stack)
                highest = room if mine else min(room, len(stack))
                for target in (turned if mine else reached)(board, origin):
                    there = board[target]
                    if len(there) <= highest and not clash(stack, there):
                        yield origin, target

    def _objections(self, move: Move) -> Iterator[Objection]:
        # only the first is consumed, so each check may rely on those before it
        if move == PASS:
            if first := next(self._turns(), None):
                yield Objection("no_pass", (POINTS[first[1]], POINTS[first[2]]))
            return
        if move.claim:
            yield from self._to_claim(move.claim)
        for name in (move.origin, move.target):
            if name not in INDEX:
                yield Objection("no_point", (name,))
        position = self.claimed(move.claim) if move.claim else self
        yield from position._to_move(INDEX[move.origin], INDEX[move.target])

    def _to_claim(self, colour: str) -> Iterator[Objection]:
        owner = self.owner(colour)
        if owner is not None:
            yield Objection("claimed_by_you" if owner == self.to_move else "claimed", pieces=(KINDS[colour],))
        if not self.claimable:
            yield Objection("two_claimed", pieces=tuple(KINDS[each] for each in self.claims[self.to_move]))

    def _to_move(self, origin: int, target: int) -> Iterator[Objection]:
        ends = POINTS[origin], POINTS[target]
        stack, there = self.board[origin], self.board[target]
        if not stack:
            yield Objection("empty", ends)
        if stack[-1] == JOKER:
            yield Objection("joker_on_top", ends)
        owner = self.owner(stack[-1])
        if owner == self.to_move.other:
            yield Objection("not_yours", ends, (KINDS[stack[-1]],))
        if not there or origin == target:
            yield Objection("nothing_there", ends[1:])
        if len(stack) + len(there) > self.rules.stack:
            yield Objection("too_high", ends, numbers=(len(stack) + len(there), self.rules.stack))
        if both := clash(stack, there):
            yield Objection("colour_twice", ends, (KINDS[both[0]],))
        if target not in (reached if owner is None else turned)(self.board, origin):
            yield from self._out_of_reach(origin, target)
        if owner is None and len(there) > len(stack):
            yield Objection("neutral_climbs", ends, (KINDS[stack[-1]],), (len(stack), len(there)))

    def _out_of_reach(self, origin: int, target: int) -> Iterator[Objection]:
        ray = next((ray for ray in RAYS[origin] if target in ray), ())
        between = (POINTS[point] for point in ray if self.board[point])
        if ray:
            yield Objection("blocked", (POINTS[origin], POINTS[target], next(between)))
        yield Objection("off_line", (POINTS[origin], POINTS[target]))


KINDS: Mapping[str, str] = {
    **{"I": "ivory", "B": "blue", "R": "red", "G": "green", "K": "black"},
    JOKER: "joker",
}


# Set-ups and positions as text


def start(rules: Rules, setup: str) -> Position:
    """Returns the first position, from 43 letters: a1, b1 to b4 and so on. Raises ValueError for any other set-up."""
    pieces = "".join(setup.split())
    if Counter(pieces) != Counter(EACH):
        raise ValueError(f"{setup!r} is not {len(POINTS)} letters: 8 of each of {COLOURS} and 3 {JOKER}")
    return Position(rules, tuple(pieces), ("", ""), (0,) * len(COLOURS), Side.FIRST)


_STACK = re.compile(r"-|[IBRGKJ]{1,6}")
_CLAIMS = re.compile(r"-|(?:[IBRGK][0-8]){1,2}")
_TEXT = re.compile(r"(\S+) (\S+) (\S+) (first|second)")


def position(rules: Rules, text: str) -> Position:
    """Parses the text of `str(position)`. Raises ValueError for any other text."""
    found = _TEXT.fullmatch(text)
    stacks = found[1].split("/") if found else []
    claims = [found[2], found[3]] if found else []
    if not found or len(stacks) != len(POINTS) or not all(map(_STACK.fullmatch, stacks)):
        raise ValueError(f"{text!r} does not have {len(POINTS)} points, each a stack or -")
    if not all(map(_CLAIMS.fullmatch, claims)):
        raise ValueError(f"{text!r} does not have the claims of both sides")
    board = tuple(stack.replace("-", "") for stack in stacks)
    sides = [re.sub("[^A-Z]", "", claim) for claim in claims]
    won = dict(re.findall("([A-Z])([0-8])", "".join(claims)))
    fives = tuple(int(won.get(colour, 0)) for colour in COLOURS)
    made = Position(rules, board, (sides[0], sides[1]), fives, Side(NAMES.index(found[4])))
    pieces = Counter("".join(board))
    if any(pieces[piece] > count for piece, count in EACH.items()) or len(set("".join(sides))) < len(
        "".join(sides)
    ):
        raise ValueError(f"{text!r} has more pieces than there are, or a colour claimed twice")
    if any(len(stack) > rules.stack or any(stack.count(colour) > 1 for colour in COLOURS) for stack in board):
        raise ValueError(f"{text!r} has a stack that is too high or has a colour twice")
    return made

"""The rules of Cheshire Cat Chess (V. R. Parton, 1970): chess on a board that vanishes square by square."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Self

from games.cheshire.objections import objection
from games.cheshire.position import Rules, Situation, Steps, steps
from games.kit.chess.men import LETTERS, Kind, Men, Move, Step
from games.protocol import Objection, Outcome, Side

# Text of a position: the first four fields of its FEN, a star for each vanished square, the unmoved kings in
# place of the castlings: `rnbqkbnr/pppppppp/8/8/4P3/8/PPPP*PPP/RNBQKBNR b Kk e3`. The fourth field is the
# square just passed by a pawn, even when it cannot be captured there.

GONE = "*"

_TEXT = re.compile(r"([A-Za-z0-9*/]+) ([wb]) (-|Kk|K|k) (-|[a-j](?:[1-9]|10))", re.ASCII)
_SIDES = "wb"
_FIRST_ROW = {8: "RNBQKBNR", 10: "RRNBQKBNRR"}


@dataclass(frozen=True, slots=True)
class Position:
    """A moment of the game."""

    rules: Rules
    at: Situation

    @property
    def to_move(self) -> Side:
        return self.at.to_move

    @property
    def men(self) -> Men:
        return self.at.men

    @property
    def passed(self) -> int:
        return self.at.passed

    @property
    def steps(self) -> Steps:
        return steps(self.rules)

    @property
    def checked(self) -> bool:
        """Tells whether the side to move is in check."""
        return bool(self.steps.threats(self.at, self.men))

    def moves(self) -> Iterator[Move]:
        return (self.move(step) for step, _ in self._legal())

    def count(self) -> int:
        return sum(1 for _ in self._legal())

    def sample(self, rng: Random) -> Move:
        return rng.choice(list(self.moves()))

    def objection(self, move: Move) -> Objection | None:
        return Objection("finished") if self.outcome() else objection(self.steps, self.at, move)

    def play(self, move: Move) -> Self:
        step = self.step(move)
        men = self.steps.after(self.at, step)
        return type(self)(self.rules, self.steps.played(self.at, step, men))

    def outcome(self) -> Outcome | None:
        if self._bare():
            return Outcome(None, "dead")
        if next(self._legal(), None):
            return None
        return Outcome(self.to_move.other, "mate") if self.checked else Outcome(None, "stalemate")

    def key(self) -> str:
        return str(self)

    def __str__(self) -> str:
        board, at = self.rules.board, self.at
        rows = at.men.write(board, {GONE: at.gone})
        kings = "".join(
            letter for letter, side in zip("Kk", Side, strict=True) if at.men.king(side) & at.unmoved
        )
        return f"{rows} {_SIDES[at.to_move]} {kings or '-'} {board.names.get(at.passed, '-')}"

    def step(self, move: Move) -> Step:
        """Returns a move with its man, which must stand on its origin."""
        bits = self.rules.board.bits
        promotion = Kind(LETTERS.index(move.promotion)) if move.promotion else Kind.PAWN
        return Step(self.men.kind(bits[move.origin]), bits[move.origin], bits[move.target], promotion)

    def move(self, step: Step) -> Move:
        """Returns the canonical move of a step."""
        kind, origin, target, promotion = step
        names = self.rules.board.names
        capture = target & self.men.all or (kind == Kind.PAWN and target == self.passed)
        return Move(names[origin], names[target], bool(capture), LETTERS[promotion] if promotion else "")

    def _bare(self) -> bool:
        return self.men.all == self.men.kings

    def _legal(self) -> Iterator[tuple[Step, Men]]:
        return iter(()) if self._bare() else self.steps.safe(self.at, self.steps.of(self.at))


def start(rules: Rules, setup: str) -> Position:
    """Returns the first position. Raises ValueError for a set-up."""
    if setup:
        raise ValueError(f"Cheshire Cat Chess has no set-up to choose, not even {setup!r}")
    size, men = rules.size, _FIRST_ROW[rules.size]
    white = f"{'P' * size}/{men}"
    rows = [men.lower(), "p" * size, *[str(size)] * (size - 4), white]
    return position(rules, f"{'/'.join(rows)} w {'Kk' if rules.vanishing else '-'} -")


def position(rules: Rules, text: str) -> Position:
    """Parses a position: the first four fields of a FEN. Raises ValueError for any other text."""
    found, board = _TEXT.fullmatch(text), rules.board
    if not found:
        raise ValueError(f"{text!r} is not a position of Cheshire Cat Chess: four fields of a FEN")
    rows, letter, kings, passed = found.groups()
    men, (gone,) = Men.read(board, rows, GONE)
    unmoved = sum(men.king(side) for side in Side if "Kk"[side] in kings)
    at = Situation(men, Side(_SIDES.index(letter)), unmoved, board.bits.get(passed, 0), gone)
    _check(text, rules, at)
    if str(read := Position(rules, at)) != text:
        raise ValueError(f"{text!r} should be written {str(read)!r}")
    return read


def _check(text: str, rules: Rules, at: Situation) -> None:
    """Raises ValueError when no game leads to what the text says of the last move and of the kings."""
    board, side = rules.board, at.to_move
    at_home = sum(rank[_FIRST_ROW[rules.size].index("K")] for rank in (board.rows[0], board.rows[-1]))
    if at.unmoved & ~at_home:
        raise ValueError(f"{text!r} has a king unmoved that is not at home")
    if at.gone and not rules.vanishing:
        raise ValueError(f"{text!r} has vanished squares, which these rules do not")
    if at.passed:
        pawn, home = board.forward[side.other][at.passed], board.forward[side][at.passed]
        went = home & board.home[side.other] and pawn & at.men.pawns & at.men.of(side.other)
        if not went or (at.passed | home) & at.men.all:
            raise ValueError(f"{text!r} has no pawn that has just passed {board.names[at.passed]}")
    waiting = at.men.king(side.other)
    if steps(rules).attackers(at.men, at.unmoved, waiting, side.other):
        raise ValueError(f"{text!r} leaves the king of the side that has just moved in check")

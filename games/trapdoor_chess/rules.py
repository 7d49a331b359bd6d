"""The rules of Scacchi Trabocchetto (Silvano Sorrentino), chess with a trap, after Fogliaccio 6."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Self

from games.kit.chess.board import squares
from games.kit.chess.men import LETTERS, Kind, Step
from games.protocol import Objection, Outcome, Side
from games.trapdoor_chess.board import BITS, BOARD, CASTLINGS, FORFEIT, FORWARD, NAMES
from games.trapdoor_chess.objections import after, en_passant, objection, steps
from games.trapdoor_chess.position import Men, Move, Rules, Situation, trap_squares

# Text of a position: its FEN, then the square of the trap or "-", such as
# `rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq e6 0 2 c3`. The fourth field of the FEN is the
# square just passed by a pawn, even when it cannot be captured there.

_TEXT = re.compile(
    r"([pnbrqkPNBRQK1-8/]+) ([wb]) (-|K?Q?k?q?) (-|[a-h][36])"
    r" (0|[1-9][0-9]{0,3}) ([1-9][0-9]{0,3}) (-|[a-h][1-8])",
    re.ASCII,
)
_SIDES = "wb"


def write(position: Situation) -> str:
    """Writes the position as one line, without its rules."""
    passed = _name(position.passed)
    return (
        f"{position.men.write(BOARD)} {_SIDES[position.to_move]} {_rights(position.castling)} {passed}"
        f" {position.quiet} {position.number} {_name(position.trap)}"
    )


def key(position: Situation) -> str:
    """Returns the key for repetitions: as in FIDE's rules, en passant counts only when it can be played."""
    passed = _name(position.passed if en_passant(position) else 0)
    return (
        f"{position.men.write(BOARD)} {_SIDES[position.to_move]} {_rights(position.castling)} {passed}"
        f" {_name(position.trap)}"
    )


def read(text: str) -> tuple[Men, Side, int, int, int, int, int]:
    """Reads the fields of a position, in their order after the rules. Raises ValueError."""
    found = _TEXT.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a position of trapdoor chess: FEN and the square of the trap")
    rows, letter, rights, passed, quiet, number, trap = found.groups()
    men, side = Men.read(BOARD, rows)[0], Side(_SIDES.index(letter))
    castling = sum(castling.rook for castling in CASTLINGS if castling.letter in rights)
    _check_castling(text, men, castling)
    _check_passed(text, men, side, BITS.get(passed, 0))
    if men.all & BITS.get(trap, 0):
        raise ValueError(f"{text!r} has its trap where a man stands")
    return men, side, castling, BITS.get(passed, 0), int(quiet), int(number), BITS.get(trap, 0)


def _name(square: int) -> str:
    return NAMES[square] if square else "-"


def _rights(castling: int) -> str:
    return "".join(one.letter for one in CASTLINGS if one.rook & castling) or "-"


def _check_castling(text: str, men: Men, castling: int) -> None:
    for one in CASTLINGS:
        mine = men.of(one.side)
        if castling & one.rook and not (men.kings & mine & one.king and men.rooks & mine & one.rook):
            raise ValueError(f"{text!r} lets a side castle whose king or rook is not at home")


def _check_passed(text: str, men: Men, side: Side, passed: int) -> None:
    if not passed:
        return
    pawn, home = FORWARD[side.other][passed], FORWARD[side][passed]
    went = passed & BOARD.ranks[2 if side else 5] and pawn & men.pawns & men.of(side.other)
    if not went or (passed | home) & men.all:
        raise ValueError(f"{text!r} has no pawn that has just passed {NAMES[passed]}")


QUIET = 100  # moves of either side without capture, fall or pawn move: the fifty-move rule

_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -"
_PATIENCE = 400
_SQUARES = tuple(NAMES)


@dataclass(frozen=True, slots=True)
class Position(Situation):
    """A moment of the game, with the turns that it allows."""

    def moves(self) -> Iterator[Move]:
        still = self.trap_stays()
        for step, men in self.legal():
            if still:
                yield self.move(step, 0)
            else:
                for square in squares(trap_squares(men, self.to_move, self.trap)):
                    yield self.move(step, square)

    def count(self) -> int:
        if self.trap_stays():
            return sum(1 for _ in self.legal())
        side, trap = self.to_move, self.trap
        return sum(trap_squares(men, side, trap).bit_count() for _, men in self.legal())

    def sample(self, rng: Random) -> Move:
        """Draws a legal turn uniformly."""
        # Rejection sampling is far faster than listing the turns, except when there are few; then the
        # attempts run out.
        found, still = list(steps(self)), self.trap_stays()
        for _ in range(_PATIENCE):
            step, square = rng.choice(found), _SQUARES[int(rng.random() * 64)]
            men = after(self, step)
            if self.attacks_king(men):
                continue
            if still:
                return self.move(step, 0)
            if square & trap_squares(men, self.to_move, self.trap):
                return self.move(step, square)
        return rng.choice(list(self.moves()))

    def legal(self) -> Iterator[tuple[Step, Men]]:
        """Returns the legal steps and the men after each. Empty when the game is drawn."""
        return iter(()) if self._drawn() else self._safe()

    def objection(self, move: Move) -> Objection | None:
        return Objection("finished") if self.outcome() else objection(self, move)

    def play(self, move: Move) -> Self:
        step = self.step(move)
        kind, origin, target, _ = step
        men, fell = after(self, step), target == self.trap
        side = self.to_move
        passed = 0
        if kind == Kind.PAWN and not fell and FORWARD[side].get(FORWARD[side][origin]) == target:
            passed = FORWARD[side][origin]
        loud = kind == Kind.PAWN or fell or move.capture
        return type(self)(
            self.rules,
            men,
            side.other,
            self.castling & ~(FORFEIT.get(origin, 0) | FORFEIT.get(target, 0)),
            passed,
            0 if loud else self.quiet + 1,
            self.number + side,
            BITS[move.trap] if move.trap else self.trap,
        )

    def outcome(self) -> Outcome | None:
        if next(self._safe(), None) is None:
            return Outcome(self.to_move.other, "mate") if self.checked else Outcome(None, "stalemate")
        return self._drawn()

    def key(self) -> str:
        return key(self)

    def __str__(self) -> str:
        return write(self)

    def move(self, step: Step, trap: int) -> Move:
        """Returns the canonical move of a step and the square for the trap, 0 for none."""
        kind, origin, target, promotion = step
        capture = target & self.men.all or (kind == Kind.PAWN and target == self.passed)
        letter = LETTERS[promotion] if promotion else ""
        return Move(NAMES[origin], NAMES[target], bool(capture), letter, NAMES[trap] if trap else "")

    def _safe(self) -> Iterator[tuple[Step, Men]]:
        """Yields the steps that leave the king safe, and the men after each."""
        for step in steps(self):
            men = after(self, step)
            if not self.attacks_king(men):
                yield step, men

    def _drawn(self) -> Outcome | None:
        """Returns the draws that do not depend on the moves; a mate takes precedence. None when there is
        none.
        """
        if self.men.all == self.men.kings:  # the only dead position: the trap may cover a flight square
            return Outcome(None, "dead")
        return Outcome(None, "fifty") if self.quiet >= QUIET else None


def start(rules: Rules, setup: str) -> Position:
    """Returns the first position of chess, with the trap off the board. Raises ValueError for a set-up."""
    if setup:
        raise ValueError(f"trapdoor chess has no set-up to choose, not even {setup!r}")
    return position(rules, _START)


def position(rules: Rules, text: str) -> Position:
    """Parses a position: FEN, then the square of the trap or "-". Raises ValueError for any other text."""
    found = Position(rules, *read(text))
    if str(found) != text:
        raise ValueError(f"{text!r} should be written {str(found)!r}")
    if found.trap and not rules.trap:
        raise ValueError(f"{text!r} has a trap, which these rules do not")
    if found.men.attackers(found.men.king(found.to_move.other), found.to_move.other, found.trap):
        raise ValueError(f"{text!r} leaves the king of the side that has just moved in check")
    return found

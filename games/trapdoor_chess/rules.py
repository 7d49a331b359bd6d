"""The rules of Scacchi Trabocchetto (Silvano Sorrentino): chess with a trap, after Fogliaccio 6."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Self

from games.protocol import Objection, Outcome
from games.trapdoor_chess import fen
from games.trapdoor_chess.castling import FORFEIT
from games.trapdoor_chess.men import LETTERS, Kind, Men
from games.trapdoor_chess.moves import Move, Step
from games.trapdoor_chess.objections import objection
from games.trapdoor_chess.situation import Situation
from games.trapdoor_chess.squares import BITS, FORWARD, NAMES, squares
from games.trapdoor_chess.steps import after, steps
from games.trapdoor_chess.trap import trap_squares
from games.trapdoor_chess.variants import Rules

QUIET = 100  # moves of either side without capture, fall or pawn move: the fifty-move rule

_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -"
_PATIENCE = 400


@dataclass(frozen=True, slots=True)
class Position(Situation):
    """A moment of the game: how it stands, and the turns that it allows."""

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
        """Draws a step and a square blindly until they make a turn: far faster than listing them.

        Few turns make that a long search, hence the end of patience.
        """
        found, still = list(steps(self)), self.trap_stays()
        for _ in range(_PATIENCE):
            step, square = rng.choice(found), 1 << int(rng.random() * 64)
            men = after(self, step)
            if self.attacks_king(men):
                continue
            if still:
                return self.move(step, 0)
            if square & trap_squares(men, self.to_move, self.trap):
                return self.move(step, square)
        return rng.choice(list(self.moves()))

    def legal(self) -> Iterator[tuple[Step, Men]]:
        """The steps that a turn may begin with, and the men after each; none when the game is drawn."""
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
        return fen.key(self)

    def __str__(self) -> str:
        return fen.write(self)

    def move(self, step: Step, trap: int) -> Move:
        """The canonical move of a step, with the trap going to that square, or to none."""
        kind, origin, target, promotion = step
        capture = target & self.men.all or (kind == Kind.PAWN and target == self.passed)
        letter = LETTERS[promotion] if promotion else ""
        return Move(NAMES[origin], NAMES[target], bool(capture), letter, NAMES[trap] if trap else "")

    def _safe(self) -> Iterator[tuple[Step, Men]]:
        """The steps that leave the king safe, and the men after each."""
        for step in steps(self):
            men = after(self, step)
            if not self.attacks_king(men):
                yield step, men

    def _drawn(self) -> Outcome | None:
        """The ends that are there whatever moves there are; a mate comes first."""
        if self.men.all == self.men.kings:  # nothing less: the trap may cover a flight square
            return Outcome(None, "dead")
        return Outcome(None, "fifty") if self.quiet >= QUIET else None


def start(rules: Rules, setup: str) -> Position:
    """The first position of chess, the trap off the board."""
    if setup:
        raise ValueError(f"trapdoor chess has no set-up to choose, not even {setup!r}")
    return position(rules, _START)


def position(rules: Rules, text: str) -> Position:
    """The position whose text is `text`: FEN, then the square of the trap or "-"; else ValueError."""
    found = Position(rules, *fen.read(text))
    if str(found) != text:
        raise ValueError(f"{text!r} should be written {str(found)!r}")
    if found.trap and not rules.trap:
        raise ValueError(f"{text!r} has a trap, which these rules do not")
    if found.men.attackers(found.men.king(found.to_move.other), found.to_move.other, found.trap):
        raise ValueError(f"{text!r} leaves the king of the side that has just moved in check")
    return found

"""The rules of Scacchi Trabocchetto (Silvano Sorrentino): chess with a trap, after Fogliaccio 6."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from random import Random
from typing import Literal, Self

from games.protocol import Objection, Outcome, Side
from games.trapdoor_chess import fen
from games.trapdoor_chess.castling import FORFEIT
from games.trapdoor_chess.men import LETTERS, Kind, Men
from games.trapdoor_chess.moves import Move
from games.trapdoor_chess.objections import objection
from games.trapdoor_chess.squares import BITS, CAPTURE, FORWARD, NAMES, squares
from games.trapdoor_chess.steps import Step, after, steps
from games.trapdoor_chess.trap import trap_squares

InCheck = Literal["before", "after"]

QUIET = 100  # moves of either side without capture, fall or pawn move: the fifty-move rule

_START = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1 -"
_PATIENCE = 400


@dataclass(frozen=True)
class Rules:
    """What a variant may choose. `trap` off is orthodox chess: what the rules are proved against."""

    # Fogliaccio 6 lets the trap move "if the own king is not in check": looked at before the move, so
    # that the words mean something, or after it, when it never is.
    incheck: InCheck = "before"
    trap: bool = True


@dataclass(frozen=True, slots=True)
class Position:
    """The men, and what they do not show; squares and sets of them as bits, 0 where there is none."""

    rules: Rules
    men: Men
    to_move: Side
    castling: int  # the homes of the rooks that may still castle
    passed: int  # the square over which a pawn has just gone two ahead
    quiet: int  # moves of either side since the last capture, fall or pawn move
    number: int  # of the pair of moves, from 1
    trap: int

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
        return objection(self, move)

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

    @property
    def checked(self) -> bool:
        """Whether the side to move is in check."""
        return self.attacks_king(self.men)

    def attacks_king(self, men: Men) -> bool:
        """Whether the king of the side to move could be captured if the men stood like that."""
        side = self.to_move
        return bool(men.attackers(men.king(side), side, self.trap))

    def trap_stays(self) -> bool:
        """Whether this turn has no trap move."""
        return not self.rules.trap or (self.rules.incheck == "before" and self.checked)

    def en_passant(self) -> tuple[int, ...]:
        """The pawns that may take the one that has just gone two ahead."""
        if not self.passed:
            return ()
        side = self.to_move
        beside = CAPTURE[side.other][self.passed] & self.men.pawns & self.men.of(side)
        taken = ((pawn, after(self, Step(Kind.PAWN, pawn, self.passed))) for pawn in squares(beside))
        return tuple(pawn for pawn, men in taken if not self.attacks_king(men))

    def step(self, move: Move) -> Step:
        """The first half of a move whose origin holds a man."""
        origin = BITS[move.origin]
        promotion = Kind(LETTERS.index(move.promotion)) if move.promotion else Kind.PAWN
        return Step(self.men.kind(origin), origin, BITS[move.target], promotion)

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

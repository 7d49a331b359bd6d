"""Reads and writes turns: `e2-e4@d6`, `Ng1-f3@d6` and `Nf3@d6`, in the letters of each language."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from games.kit.chess import men as chess
from games.kit.chess.men import Kind
from games.kit.chess.notation import Castles, Meant, Reader, Spelling, letters, plain
from games.kit.chess.notation import Written as Step
from games.protocol import AmbiguousMove, IllegalMove, Notation, Objection, UnreadableMove
from games.trapdoor_chess.board import BITS, BOARD, BY_KING, BY_SIDE, NAMES
from games.trapdoor_chess.objections import after, step_objection
from games.trapdoor_chess.position import Move, trap_squares
from games.trapdoor_chess.rules import Position

# The man's half, then `@` and a square for the trap. A square just off the board matches, so that the answer
# can name the mistake.
_HALVES = re.compile(r"(?P<step>[^@]*)(?:@ ?(?P<trap>[a-i][0-9])?)?[*+#!?.,; ]*", re.IGNORECASE)


@dataclass(frozen=True)
class Written:
    """A whole turn: the man's half, and the trap's."""

    step: Step
    trap: str  # empty when not given
    falls: bool  # marked by a star


def spelled(text: str, language: str) -> Written | None:
    """Parses `text`. None when it does not have the shape of a turn."""
    found = _HALVES.fullmatch(plain(text))
    step = Spelling(__package__, language, BOARD.size).read(found["step"]) if found else None
    return Written(step, (found["trap"] or "").casefold(), "*" in found["step"]) if found and step else None


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal turn. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
    written = spelled(text, notation.language)
    if written is None:
        raise UnreadableMove(text)
    if position.outcome():
        raise IllegalMove(text, Objection("finished"))
    reader = Reader(
        BOARD,
        position,
        lambda move: step_objection(position, move),
        lambda castles: _castles(position, castles),
    )
    meant = reader.meant(written.step)
    if written.trap and written.trap not in BITS:
        meant = Objection("off_board", (written.trap,))
    if isinstance(meant, Objection):
        raise IllegalMove(text, meant)
    moves = [_with_trap(position, step, written.trap) for step in meant]
    if len(moves) > 1:
        raise AmbiguousMove(text, tuple(map(str, moves)))
    (move,) = moves
    if objection := position.objection(move):
        raise IllegalMove(text, objection)
    if written.falls and BITS[move.target] != position.trap:
        raise IllegalMove(text, Objection("no_fall", (move.target,)))
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the turn in long algebraic notation; a star marks a fall."""
    step = position.step(move)
    initials = letters(__package__, notation.language)
    trap = f"@{move.trap}" if move.trap else ""
    castling = BY_KING.get((step.origin, step.target)) if step.kind == Kind.KING else None
    if castling:
        return f"{'O-O' if castling.letter in 'Kk' else 'O-O-O'}{trap}"
    man = initials[step.kind].strip()
    falls = "*" if step.target == position.trap else ""
    promotion = f"={initials[step.promotion]}" if step.promotion else ""
    return f"{man}{move.origin}{'x' if move.capture else '-'}{move.target}{promotion}{falls}{trap}"


def _castles(position: Position, reading: Castles) -> Meant:
    castling = next(one for one in BY_SIDE[position.to_move] if one.letter.upper() == reading.letter)
    move = Move(NAMES[castling.king], NAMES[castling.target])
    if not castling.rook & position.castling:
        return Objection("castling_lost", (move.origin, move.target))
    return step_objection(position, move) or [move]


def _with_trap(position: Position, step: chess.Move, trap: str) -> Move:
    move = Move(step.origin, step.target, step.capture, step.promotion, trap)
    return move if trap else replace(move, trap=_pinned(position, move))


def _pinned(position: Position, move: Move) -> str:
    """Returns the square of a trap that cannot move and may be omitted. Empty otherwise."""
    if not position.trap or position.trap_stays():
        return ""
    men = after(position, position.step(move))
    stays = trap_squares(men, position.to_move, position.trap) == position.trap
    return NAMES[position.trap] if stays else ""

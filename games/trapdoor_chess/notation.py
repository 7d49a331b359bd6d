"""Reading and writing turns: `e2-e4@d6`, `Ng1-f3@d6` and `Nf3@d6`, in the letters of each language."""

from __future__ import annotations

from dataclasses import replace

from games.errors import AmbiguousMove, IllegalMove, UnreadableMove
from games.protocol import Notation, Objection
from games.trapdoor_chess.castling import BY_KING, BY_SIDE
from games.trapdoor_chess.men import LETTERS as CANONICAL
from games.trapdoor_chess.men import Kind
from games.trapdoor_chess.moves import Move
from games.trapdoor_chess.objections import COLOURS, piece, step_objection
from games.trapdoor_chess.rules import Position
from games.trapdoor_chess.spelling import Castles, Step, Written, letters, spelled
from games.trapdoor_chess.squares import BITS, NAMES, names
from games.trapdoor_chess.steps import after
from games.trapdoor_chess.trap import trap_squares

Meant = list[Move] | Objection  # the moves that the man's half may be, or why it is none

# What says that the men cannot have been meant at all: then the other reading of a letter may be.
_BESIDE_THE_POINT = {"no_such_man", "wrong_way", "pawn_capture", "empty", "not_yours"}


def read(position: Position, text: str, notation: Notation) -> Move:
    """The legal turn that a player wrote. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
    written = spelled(text, notation.language)
    if written is None:
        raise UnreadableMove(text)
    if position.outcome():
        raise IllegalMove(text, Objection("finished"))
    meant = _meant(position, written)
    if written.trap and written.trap not in BITS:
        meant = Objection("off_board", (written.trap,))
    if isinstance(meant, Objection):
        raise IllegalMove(text, meant)
    moves = [replace(move, trap=written.trap or _pinned(position, move)) for move in meant]
    if len(moves) > 1:
        raise AmbiguousMove(text, tuple(map(str, moves)))
    (move,) = moves
    if objection := position.objection(move):
        raise IllegalMove(text, objection)
    if written.falls and BITS[move.target] != position.trap:
        raise IllegalMove(text, Objection("no_fall", (move.target,)))
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """The turn in long algebraic; a star says that the man falls."""
    step = position.step(move)
    initials = letters(notation.language)
    trap = f"@{move.trap}" if move.trap else ""
    castling = BY_KING.get((step.origin, step.target)) if step.kind == Kind.KING else None
    if castling:
        return f"{'O-O' if castling.letter in 'Kk' else 'O-O-O'}{trap}"
    man = initials[step.kind].strip()
    falls = "*" if step.target == position.trap else ""
    promotion = f"={initials[step.promotion]}" if step.promotion else ""
    return f"{man}{move.origin}{'x' if move.capture else '-'}{move.target}{promotion}{falls}{trap}"


def _meant(position: Position, written: Written) -> Meant:
    """What the first reading says, or another one where it misses the board; all where none outranks."""
    found, against = dict[Move, None](), list[Objection]()
    for reading in written.readings:
        meant = _castles(position, reading) if isinstance(reading, Castles) else _goes(position, reading)
        if not isinstance(meant, Objection):
            found |= dict.fromkeys(meant)
        else:
            against.append(meant)
        if not written.open and (found or against[-1].code not in _BESIDE_THE_POINT):
            break
    return list(found) or min(against, key=lambda one: one.code in _BESIDE_THE_POINT)


def _castles(position: Position, reading: Castles) -> Meant:
    castling = next(one for one in BY_SIDE[position.to_move] if one.letter.upper() == reading.letter)
    move = Move(NAMES[castling.king], NAMES[castling.target])
    if not castling.rook & position.castling:
        return Objection("castling_lost", (move.origin, move.target))
    return step_objection(position, move) or [move]


def _goes(position: Position, reading: Step) -> Meant:
    for cell in (reading.origin, reading.target):
        if len(cell) == 2 and cell not in BITS:
            return Objection("off_board", (cell,))
    if reading.promotion in (Kind.PAWN, Kind.KING):
        return Objection("promotion_kind", (reading.target,))
    if reading.kind is None or len(reading.origin) == 2:
        return _from_square(position, reading)
    return _from_anywhere(position, reading, reading.kind)


def _from_square(position: Position, reading: Step) -> Meant:
    origin = BITS[reading.origin]
    if origin & position.men.of(position.to_move) and reading.kind not in (None, position.men.kind(origin)):
        return Objection("other_man", (reading.origin,), (piece(position.men, origin),))
    move = _move(position, reading, reading.origin)
    return step_objection(position, move) or [move]


def _from_anywhere(position: Position, reading: Step, kind: Kind) -> Meant:
    """The men who may go there; else what stops the one who comes nearest to it."""
    mine = position.men[kind] & position.men.of(position.to_move)
    moves = [_move(position, reading, cell) for cell in names(mine) if reading.origin in cell]
    judged = [(move, step_objection(position, move)) for move in moves]
    if legal := [move for move, objection in judged if not objection]:
        return legal
    against = [one for _, one in judged if one and one.code not in _BESIDE_THE_POINT]
    against.sort(key=lambda one: one.code != "beyond_trap")
    man = f"{COLOURS[position.to_move]}_{kind.name.lower()}"
    return against[0] if against else Objection("no_such_man", (reading.target,), (man,))


def _move(position: Position, reading: Step, origin: str) -> Move:
    """Anyone who captures need not say so: the board knows."""
    men, target = position.men, BITS[reading.target]
    passes = target == position.passed and BITS[origin] & men.pawns
    promotion = CANONICAL[reading.promotion] if reading.promotion else ""
    return Move(origin, reading.target, bool(target & men.all or passes), promotion)


def _pinned(position: Position, move: Move) -> str:
    """The square of a trap that cannot move, so that nobody needs to write it."""
    if not position.trap or position.trap_stays():
        return ""
    men = after(position, position.step(move))
    stays = trap_squares(men, position.to_move, position.trap) == position.trap
    return NAMES[position.trap] if stays else ""

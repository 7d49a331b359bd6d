"""Reads and writes turns: `e2-e4@d6`, `Ng1-f3@d6` and `Nf3@d6`, in the letters of each language."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cache

from games.protocol import (
    LANGUAGES,
    AmbiguousMove,
    IllegalMove,
    Notation,
    Objection,
    UnreadableMove,
    phrases_of,
)
from games.trapdoor_chess.board import BITS, BY_KING, BY_SIDE, NAMES, names
from games.trapdoor_chess.objections import COLOURS, after, piece, step_objection
from games.trapdoor_chess.position import LETTERS as CANONICAL
from games.trapdoor_chess.position import Kind, Move, trap_squares
from games.trapdoor_chess.rules import Position

# The shape of a written turn, before the position is known. The man's half is long (`e2-e4`, `Ng1-f3`) or
# short algebraic (`e4`, `Nf3`, `exd5`), in any case; `@` and a square for the trap may follow. A letter may
# be a man or a file: `bxc3` and `b1c3` in English, `axb4`, `cxd4` and `d2e4` in Italian. Such a text has two
# readings: a capital prefers the man, a small letter the file.

LONGEST = 60  # characters

_HALVES = re.compile(r"(?P<step>[^@]*)(?:@ ?(?P<trap>[a-i][0-9])?)?(?P<marks>[*+#!?.,; ]*)")
# Squares just off the board match, so that the answer can name the mistake.
_LONG = r"(?P<piece>[{men}])?(?P<origin>[a-i][0-9]) ?(?:[-x:]|->|>)? ?(?P<target>[a-i][0-9])"
_PAWN = r"(?:(?P<hint>[a-h]) ?[x:] ?)?(?P<target>[a-h][1-8])"
_PIECE = r"(?P<piece>[{men}])(?P<hint>[a-h]|[1-8])? ?[x:]? ?(?P<target>[a-h][1-8])"
_ENDING = r"(?:(?: ?[=/(] ?)?(?P<promotion>[{all}])\)?)?(?: ?e\.?p\.?)?[*+#!?.,; ]*"
_ROW_OR_SQUARE = re.compile("[a-h][1-8]")
_CASTLING = re.compile(r"[o0] ?- ?[o0](?P<long> ?- ?[o0])?[+#!?.,; ]*")
_SIGNS = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212\u00d7\u2192", "------x>")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff"))


@dataclass(frozen=True)
class Castles:
    """Castling on one side, by FEN's letter for White: "K" or "Q"."""

    letter: str


@dataclass(frozen=True)
class Step:
    """A man's move to `target`. `kind` is None when not given; `origin` is a square, a file, a row or empty."""

    kind: Kind | None
    origin: str
    target: str
    promotion: Kind | None = None


@dataclass(frozen=True)
class Written:
    """A whole turn: the readings of the man's half, and the trap's half.

    The first reading that makes sense is meant. When `open`, all are equal: `C2c4` may be a knight from row
    2, or `c2c4` capitalised by a telephone.
    """

    readings: tuple[Step | Castles, ...]
    open: bool
    trap: str  # empty when not given
    falls: bool  # marked by a star


def spelled(text: str, language: str) -> Written | None:
    """Parses `text`. None when it does not have the shape of a turn."""
    if len(text) > LONGEST:
        return None
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_INVISIBLE)
    found = _HALVES.fullmatch(" ".join(plain.split()).casefold())
    if not found:
        return None
    step = found["step"].strip()
    capital = plain.strip()[:1].isupper()
    readings = tuple(_readings(step, language, capital))
    is_open = capital and len(readings) > 1 and bool(_ROW_OR_SQUARE.match(step))
    return Written(readings, is_open, found["trap"] or "", "*" in step) if readings else None


def _readings(step: str, language: str, capital: bool) -> Iterator[Step | Castles]:
    if castles := _CASTLING.fullmatch(step):
        yield Castles("Q" if castles["long"] else "K")
        return
    long, pawn, piece = _patterns(language)
    for pattern in (long, piece, pawn) if capital else (long, pawn, piece):
        if found := pattern.fullmatch(step):
            yield _step(found.groupdict(), language, pawn=pattern is pawn)


def _step(found: dict[str, str | None], language: str, pawn: bool) -> Step:
    piece, promotion = found.get("piece"), found["promotion"]
    target = found["target"] or ""
    origin = found.get("origin") or found.get("hint") or (target[0] if pawn else "")
    kinds = _kinds(language)
    kind = Kind.PAWN if pawn else kinds[piece] if piece else None
    return Step(kind, origin, target, kinds[promotion] if promotion else None)


@cache
def letters(language: str) -> str:
    """Returns the letters of the men by kind; a blank for the pawn."""
    pieces = phrases_of(__package__, language)["pieces"]
    return " " + "".join(pieces[f"white_{kind.name.lower()}"]["letter"] for kind in Kind if kind)


@cache
def _kinds(language: str) -> dict[str, Kind]:
    """Maps small letters to kinds: those of the language, then unused ones of other languages."""
    own_last = sorted(LANGUAGES, key=lambda one: one == language)
    return {letter: kind for one in own_last for letter, kind in zip(letters(one).lower(), Kind, strict=True)}


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    """Returns the patterns of long, pawn and piece moves; promotions may use the letters of any language."""
    men = {"men": letters(language).lower().strip(), "all": "".join(_kinds(language)).strip()}
    return tuple(re.compile(shape.format(**men) + _ENDING.format(**men)) for shape in (_LONG, _PAWN, _PIECE))


Meant = list[Move] | Objection  # the moves that the man's half may mean, or the objection to it

# Objections that rule a reading out, so that the other one is tried.
_BESIDE_THE_POINT = {"no_such_man", "wrong_way", "pawn_capture", "empty", "not_yours"}


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal turn. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
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
    """Writes the turn in long algebraic notation; a star marks a fall."""
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
    """Returns the moves of the first reading that fits the position; of all readings when they are equal."""
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
    """Returns the legal moves of the men of this kind, else the most relevant objection."""
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
    """Returns the move; captures need not be marked in the text."""
    men, target = position.men, BITS[reading.target]
    passes = target == position.passed and BITS[origin] & men.pawns
    promotion = CANONICAL[reading.promotion] if reading.promotion else ""
    return Move(origin, reading.target, bool(target & men.all or passes), promotion)


def _pinned(position: Position, move: Move) -> str:
    """Returns the square of a trap that cannot move and may be omitted. Empty otherwise."""
    if not position.trap or position.trap_stays():
        return ""
    men = after(position, position.step(move))
    stays = trap_squares(men, position.to_move, position.trap) == position.trap
    return NAMES[position.trap] if stays else ""

"""Reads moves of chessmen in the letters of each language: `e2-e4`, `Ng1-f3`, `Nf3`, `exd5`, `O-O`."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from games.kit.chess.board import Chessboard
from games.kit.chess.men import COLOURS, Kind, Men, Move
from games.kit.chess.men import LETTERS as CANONICAL
from games.protocol import LANGUAGES, Objection, Side, phrases_of

# The shape of a written move, before the position is known: long (`e2-e4`, `Ng1-f3`) or short algebraic
# (`e4`, `Nf3`, `exd5`), in any case. A letter may be a man or a file: `bxc3` and `b1c3` in English, `axb4`,
# `cxd4` and `d2e4` in Italian. Such a text has two readings: a capital prefers the man, a small letter the
# file.

LONGEST = 60  # characters

# Squares just off the board match, so that the answer can name the mistake.
_LONG = r"(?P<piece>[{men}])?(?P<origin>{near}) ?(?:[-x:]|->|>)? ?(?P<target>{near})"
_PAWN = r"(?:(?P<hint>[{files}]) ?[x:] ?)?(?P<target>[{files}](?:{rows}))"
_PIECE = r"(?P<piece>[{men}])(?P<hint>[{files}]|{rows})? ?[x:]? ?(?P<target>[{files}](?:{rows}))"
_ENDING = r"(?:(?: ?[=/(] ?)?(?P<promotion>[{all}])\)?)?(?: ?e\.?p\.?)?[*+#!?.,; ]*"
_ROW_OR_SQUARE = re.compile("[a-j][1-9]")
_CASTLING = re.compile(r"[o0] ?- ?[o0](?P<long> ?- ?[o0])?[+#!?.,; ]*")
_SIGNS = str.maketrans("\u2010\u2011\u2012\u2013\u2014\u2212\u00d7\u2192", "------x>")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufe0e\ufe0f\ufeff"))


@dataclass(frozen=True)
class Castles:
    """Castling on one side, by FEN's letter for White: "K" or "Q"."""

    letter: str


@dataclass(frozen=True)
class Goes:
    """A man's move to `target`. `kind` is None when not given; `origin` is a square, a file, a row or empty."""

    kind: Kind | None
    origin: str
    target: str
    promotion: Kind | None = None


@dataclass(frozen=True)
class Written:
    """The readings of a move; the first that makes sense is meant.

    When `open`, all are equal: `C2c4` may be a knight from row 2, or `c2c4` capitalised by a telephone.
    """

    readings: tuple[Goes | Castles, ...]
    open: bool


def plain(text: str) -> str:
    """Returns the text with the signs of a keyboard and single blanks. Empty when it is too long for a move."""
    if len(text) > LONGEST:
        return ""
    return " ".join(unicodedata.normalize("NFKC", text.translate(_SIGNS)).translate(_INVISIBLE).split())


@cache
def letters(package: str, language: str) -> str:
    """Returns the letters of the men by kind, from a game's phrases; a blank for the pawn."""
    pieces = phrases_of(package, language)["pieces"]
    return " " + "".join(pieces[f"white_{kind.name.lower()}"]["letter"] for kind in Kind if kind)


@dataclass(frozen=True)
class Spelling:
    """How the men of a game's phrases, in one language, are written on a board of this size."""

    package: str
    language: str
    size: int

    def read(self, text: str) -> Written | None:
        """Parses a plain text. None when it does not have the shape of a move."""
        step = text.strip()
        capital = step[:1].isupper()
        readings = tuple(self._readings(step.casefold(), capital))
        is_open = capital and len(readings) > 1 and bool(_ROW_OR_SQUARE.match(step.casefold()))
        return Written(readings, is_open) if readings else None

    def _readings(self, step: str, capital: bool) -> Iterator[Goes | Castles]:
        if castles := _CASTLING.fullmatch(step):
            yield Castles("Q" if castles["long"] else "K")
            return
        long, pawn, piece = _patterns(self)
        for pattern in (long, piece, pawn) if capital else (long, pawn, piece):
            if found := pattern.fullmatch(step):
                yield self._goes(found.groupdict(), pawn=pattern is pawn)

    def _goes(self, found: dict[str, str | None], pawn: bool) -> Goes:
        piece, promotion = found.get("piece"), found["promotion"]
        target = found["target"] or ""
        origin = found.get("origin") or found.get("hint") or (target[0] if pawn else "")
        kinds = _kinds(self.package, self.language)
        kind = Kind.PAWN if pawn else kinds[piece] if piece else None
        return Goes(kind, origin, target, kinds[promotion] if promotion else None)


@cache
def _kinds(package: str, language: str) -> dict[str, Kind]:
    """Maps small letters to kinds: those of the language, then unused ones of other languages."""
    own_last = sorted(LANGUAGES, key=lambda one: one == language)
    return {
        letter: kind
        for one in own_last
        for letter, kind in zip(letters(package, one).lower(), Kind, strict=True)
    }


@cache
def _patterns(spelling: Spelling) -> tuple[re.Pattern[str], ...]:
    """Returns the patterns of long, pawn and piece moves; promotions may use the letters of any language."""
    size, package, language = spelling.size, spelling.package, spelling.language
    signs = {
        "men": letters(package, language).lower().strip(),
        "all": "".join(_kinds(package, language)).strip(),
        "files": f"a-{chr(ord('a') + size - 1)}",
        "rows": f"[1-{size}]" if size < 10 else "10|[1-9]",
        "near": f"[a-{chr(ord('a') + size)}](?:{'[0-9]' if size < 10 else '1[01]|[0-9]'})",
    }
    return tuple(
        re.compile(shape.format(**signs) + _ENDING.format(**signs)) for shape in (_LONG, _PAWN, _PIECE)
    )


# What is meant in a position

Meant = list[Move] | Objection  # the moves that a text may mean, or the objection to it

# Objections that rule a reading out, so that the other one is tried, and those that tell the most.
_BESIDE_THE_POINT = {"no_such_man", "wrong_way", "pawn_capture", "empty", "not_yours"}
_TELLING = {"beyond_trap", "vanished"}


class Situation(Protocol):
    """What the reading of a move needs of a position."""

    @property
    def men(self) -> Men: ...
    @property
    def to_move(self) -> Side: ...
    @property
    def passed(self) -> int:
        """The square passed by a pawn that has just moved two ahead."""
        ...


@dataclass(frozen=True)
class Reader:
    """Reads what a text means in a position; `against` judges its moves, `castles` makes the castlings."""

    board: Chessboard
    position: Situation
    against: Callable[[Move], Objection | None]
    castles: Callable[[Castles], Meant]

    def meant(self, written: Written) -> Meant:
        """Returns the moves of the first reading that fits the position; of all readings when they are
        equal.
        """
        found, against = dict[Move, None](), list[Objection]()
        for reading in written.readings:
            meant = self.castles(reading) if isinstance(reading, Castles) else self._goes(reading)
            if not isinstance(meant, Objection):
                found |= dict.fromkeys(meant)
            else:
                against.append(meant)
            if not written.open and (found or against[-1].code not in _BESIDE_THE_POINT):
                break
        return list(found) or min(against, key=lambda one: one.code in _BESIDE_THE_POINT)

    def _goes(self, reading: Goes) -> Meant:
        for cell in (reading.origin, reading.target):
            if cell[1:] and cell[0].isalpha() and cell not in self.board.bits:
                return Objection("off_board", (cell,))
        if reading.promotion in (Kind.PAWN, Kind.KING):
            return Objection("promotion_kind", (reading.target,))
        if reading.kind is None or reading.origin in self.board.bits:
            return self._from_square(reading)
        return self._from_anywhere(reading, reading.kind)

    def _from_square(self, reading: Goes) -> Meant:
        men, origin = self.position.men, self.board.bits[reading.origin]
        if origin & men.of(self.position.to_move) and reading.kind not in (None, men.kind(origin)):
            return Objection("other_man", (reading.origin,), (men.name(origin),))
        move = self._move(reading, reading.origin)
        return self.against(move) or [move]

    def _from_anywhere(self, reading: Goes, kind: Kind) -> Meant:
        """Returns the legal moves of the men of this kind, else the most relevant objection."""
        men, side = self.position.men, self.position.to_move
        origins = (cell for cell in self.board.cells(men[kind] & men.of(side)) if _fits(reading.origin, cell))
        judged = [(move, self.against(move)) for move in (self._move(reading, origin) for origin in origins)]
        if legal := [move for move, objection in judged if not objection]:
            return legal
        against = [one for _, one in judged if one and one.code not in _BESIDE_THE_POINT]
        against.sort(key=lambda one: one.code not in _TELLING)
        man = f"{COLOURS[side]}_{kind.name.lower()}"
        return against[0] if against else Objection("no_such_man", (reading.target,), (man,))

    def _move(self, reading: Goes, origin: str) -> Move:
        """Returns the move; captures need not be marked in the text."""
        men, target = self.position.men, self.board.bits[reading.target]
        passes = target == self.position.passed and self.board.bits[origin] & men.pawns
        promotion = CANONICAL[reading.promotion] if reading.promotion else ""
        return Move(origin, reading.target, bool(target & men.all or passes), promotion)


def _fits(hint: str, cell: str) -> bool:
    """Tells whether a square is on the file or row of the hint, which may be empty."""
    return hint in ("", cell[0], cell[1:])

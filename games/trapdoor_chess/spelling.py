"""What a written turn looks like, before anybody looks at the board.

The man's half is long algebraic (`e2-e4`, `Ng1-f3`) or short (`e4`, `Nf3`, `exd5`), in capitals or
not; a trap square may follow an `@`. A letter may be both a man and a file: `bxc3` and `b1c3` in
English, `axb4`, `cxd4` and `d2e4` in Italian. Such a text has two readings: a capital means the man
first of all, a small letter the file.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

from games.protocol import LANGUAGES, phrases_of
from games.trapdoor_chess.men import Kind

LONGEST = 60  # characters; longer is talk

_HALVES = re.compile(r"(?P<step>[^@]*)(?:@ ?(?P<trap>[a-i][0-9])?)?(?P<marks>[*+#!?.,; ]*)")
# Near misses of a square are let in: the answer can then say that the board has none such.
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
    """The king goes to that side, by FEN's letter for White: "K" or "Q"."""

    letter: str


@dataclass(frozen=True)
class Step:
    """A man goes to `target`. `kind` None is not said; `origin` is a square, a file, a row or empty."""

    kind: Kind | None
    origin: str
    target: str
    promotion: Kind | None = None


@dataclass(frozen=True)
class Written:
    """A whole turn: the readings of the man's half and the trap's half.

    The first reading is meant if it makes any sense. Where `open` neither outranks the other: `C2c4`
    may be a knight from row 2, or `c2c4` with the capital that telephones put.
    """

    readings: tuple[Step | Castles, ...]
    open: bool
    trap: str  # empty where none is written
    falls: bool  # a star says so


def spelled(text: str, language: str) -> Written | None:
    """What `text` says, None if it has not the shape of a turn."""
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
    """By kind; a pawn has none."""
    pieces = phrases_of(__package__, language)["pieces"]
    return " " + "".join(pieces[f"white_{kind.name.lower()}"]["letter"] for kind in Kind if kind)


@cache
def _kinds(language: str) -> dict[str, Kind]:
    """Kinds by their small letters: those of the language, and of the others what it leaves free."""
    own_last = sorted(LANGUAGES, key=lambda one: one == language)
    return {letter: kind for one in own_last for letter, kind in zip(letters(one).lower(), Kind, strict=True)}


@cache
def _patterns(language: str) -> tuple[re.Pattern[str], ...]:
    """Long, pawn and piece; men only in the letters of the language, a promotion in any."""
    men = {"men": letters(language).lower().strip(), "all": "".join(_kinds(language)).strip()}
    return tuple(re.compile(shape.format(**men) + _ENDING.format(**men)) for shape in (_LONG, _PAWN, _PIECE))

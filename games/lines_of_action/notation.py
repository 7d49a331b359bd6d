"""Reading and writing moves: `b1-b3`, capture `c1xa3`, however a phone spells it."""

from __future__ import annotations

import re
import unicodedata

from games.lines_of_action.rules import Position
from games.lines_of_action.slides import PASS, Move
from games.protocol import IllegalMove, Notation, UnreadableMove

_CANONICAL = re.compile(r"([a-z][1-9][0-9]?)([-x])([a-z][1-9][0-9]?)")
_WRITTEN = re.compile(
    r"""
    ([a-z]) \s* ([1-9][0-9]?)
    [\s:>x×‐‒–—−-]*             # the separator says nothing: the board knows what is captured
    ([a-z]) \s* ([1-9][0-9]?)
    \s* [x×:+]? [\s.,;!]*       # some write the capture last: h3-e6x
    """,
    re.VERBOSE,
)
_PASSES = {"pass", "passo"}
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_LONGEST = 40  # characters; longer is talk


def move(text: str) -> Move:
    """The move whose `str` is `text`; else ValueError."""
    if text == str(PASS):
        return PASS
    found = _CANONICAL.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a canonical move")
    origin, separator, target = found.groups()
    return Move(origin, target, separator == "x")


def read(position: Position, text: str, notation: Notation) -> Move:
    """The legal move that a player wrote; the same in every language."""
    move = shape(position, text)
    objection = position.objection(move)
    if objection:
        raise IllegalMove(text, objection)
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """The move as it is written in every language."""
    return str(move)


def shape(position: Position, text: str) -> Move:
    """The move that the text means, legal or not; else UnreadableMove."""
    written = plain(text)
    if written.rstrip(".") in _PASSES:
        return PASS
    found = _WRITTEN.fullmatch(written)
    if not found:
        raise UnreadableMove(text)
    origin, target = found[1] + found[2], found[3] + found[4]
    return Move(origin, target, bool(position.rules.board.bits.get(target, 0) & position.theirs))


def plain(text: str) -> str:
    """The text in small letters without what no reader sees; UnreadableMove if it is too long."""
    if len(text) > _LONGEST:
        raise UnreadableMove(text)
    return unicodedata.normalize("NFKC", text).translate(_INVISIBLE).strip().lower()

"""Reads and writes moves: `b1-b3`, capture `c1xa3`, in the spellings of telephones too."""

from __future__ import annotations

import re
import unicodedata

from games.lines_of_action.board import PASS, Move
from games.lines_of_action.rules import Position
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
_LONGEST = 40  # characters


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    if text == str(PASS):
        return PASS
    found = _CANONICAL.fullmatch(text)
    if not found:
        raise ValueError(f"{text!r} is not a canonical move")
    origin, separator, target = found.groups()
    return Move(origin, target, separator == "x")


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move, in any language. Raises UnreadableMove or IllegalMove."""
    move = shape(position, text)
    objection = position.objection(move)
    if objection:
        raise IllegalMove(text, objection)
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move, in the same way for every language."""
    return str(move)


def shape(position: Position, text: str) -> Move:
    """Reads a move, legal or not. Raises UnreadableMove."""
    written = plain(text)
    if written.rstrip(".") in _PASSES:
        return PASS
    found = _WRITTEN.fullmatch(written)
    if not found:
        raise UnreadableMove(text)
    origin, target = found[1] + found[2], found[3] + found[4]
    return Move(origin, target, bool(position.rules.board.bits.get(target, 0) & position.theirs))


def plain(text: str) -> str:
    """Normalises the text: lower case, without invisible characters. Raises UnreadableMove when it is too
    long.
    """
    if len(text) > _LONGEST:
        raise UnreadableMove(text)
    return unicodedata.normalize("NFKC", text).translate(_INVISIBLE).strip().lower()

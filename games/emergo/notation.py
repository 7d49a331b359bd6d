"""Reads and writes the turns of Emergo: `d6` enters, `b4-c5` steps, `d2xf4xh6` captures.

The notation is the same in all languages. A single square is a turn only when it is the whole text.
"""

from __future__ import annotations

import re
import unicodedata

from games.emergo.board import INDEX, STEPS, Move
from games.emergo.rules import Position, written
from games.protocol import AmbiguousMove, IllegalMove, Notation, Objection, UnreadableMove

LONGEST = 120  # characters, enough for thirteen squares

_SQUARE = "[a-i][1-9]"
_ENTRY = re.compile(rf"({_SQUARE})(?: ?\(([0-9]{{1,2}})\))?")  # `e5(5)`: five men at once
_PATH = re.compile(
    rf"{_SQUARE}(?:(?: ?(?:[x:>-]|->) ?| )?{_SQUARE})+(?: ?[x+])?"
)  # mindsports adds a final x
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_SIGNS = dict(zip(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\u00d7"), "------x", strict=True))


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
    tidy = _tidy(text)
    if found := _ENTRY.fullmatch(tidy):
        return _read_entry(position, text, *found.groups())
    if _PATH.fullmatch(tidy):
        return _read_path(position, text, tuple(re.findall(_SQUARE, tidy)))
    raise UnreadableMove(text)


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move in its canonical form, with the number of men when several enter at once."""
    together = len(move.path) == 1 and position.entering > 1
    return f"{move}({position.entering})" if together else str(move)


def _tidy(text: str) -> str:
    """Normalises the text: lower case, plain blanks, hyphens and x, no final punctuation."""
    if len(text) > LONGEST:
        raise UnreadableMove(text)
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS).translate(_INVISIBLE)).casefold()
    return " ".join(plain.split()).rstrip(" .,;!")


def _read_entry(position: Position, text: str, name: str, count: str | None) -> Move:
    move = Move((name,))
    if found := position.objection(move):
        raise IllegalMove(text, found)
    if count and int(count) != position.entering:
        raise IllegalMove(text, Objection("other_count", (name,), numbers=(position.entering, int(count))))
    return move


def _read_path(position: Position, text: str, path: tuple[str, ...]) -> Move:
    """Reads a step or a capture, whichever the board allows; separators are ignored."""
    step = len(path) == 2 and {*path} <= {*INDEX} and INDEX[path[1]] in STEPS[INDEX[path[0]]]
    move = Move(path, capture=not step)
    objection = position.objection(move)
    if not objection:
        return move
    # Start and end are enough when only one capture leads from one to the other.
    captures = [] if step or len(path) > 2 else map(written, position.captures())
    likely = [capture for capture in captures if (capture.path[0], capture.path[-1]) == path]
    if len(likely) > 1:
        raise AmbiguousMove(text, tuple(map(str, likely)))
    if not likely:
        raise IllegalMove(text, objection)
    return likely[0]

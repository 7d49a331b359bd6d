"""How players write the turns of Emergo: `d6` enters, `b4-c5` steps, `d2xf4xh6` captures.

Squares have no pieces before them, so that all languages write alike. A single square is a turn only
where it stands alone: nothing said in passing is taken for one.
"""

from __future__ import annotations

import re
import unicodedata

from games.emergo.board import INDEX, STEPS, Move
from games.emergo.rules import Position, written
from games.protocol import AmbiguousMove, IllegalMove, Notation, Objection, UnreadableMove

LONGEST = 120  # characters, more than thirteen squares need

_SQUARE = "[a-i][1-9]"
_ENTRY = re.compile(rf"({_SQUARE})(?: ?\(([0-9]{{1,2}})\))?")  # `e5(5)`: five men at once
_PATH = re.compile(rf"{_SQUARE}(?:(?: ?(?:[x:>-]|->) ?| )?{_SQUARE})+(?: ?[x+])?")  # mindsports: a last x
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_SIGNS = dict(zip(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\u00d7"), "------x", strict=True))


def read(position: Position, text: str, notation: Notation) -> Move:
    """The legal move that `text` means. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
    tidy = _tidy(text)
    if found := _ENTRY.fullmatch(tidy):
        return _read_entry(position, text, *found.groups())
    if _PATH.fullmatch(tidy):
        return _read_path(position, text, tuple(re.findall(_SQUARE, tidy)))
    raise UnreadableMove(text)


def write(position: Position, move: Move, notation: Notation) -> str:
    """The move in its canonical form; after several men that enter at once, how many they are."""
    together = len(move.path) == 1 and position.entering > 1
    return f"{move}({position.entering})" if together else str(move)


def _tidy(text: str) -> str:
    """Lower case, plain blanks, hyphens and x, no stop at the end: what telephones type, undone."""
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
    """What is between the squares says nothing: the board knows a step from a jump."""
    step = len(path) == 2 and {*path} <= {*INDEX} and INDEX[path[1]] in STEPS[INDEX[path[0]]]
    move = Move(path, capture=not step)
    objection = position.objection(move)
    if not objection:
        return move
    # Start and end are enough where one capture leads from the one to the other.
    captures = [] if step or len(path) > 2 else map(written, position.captures())
    likely = [capture for capture in captures if (capture.path[0], capture.path[-1]) == path]
    if len(likely) > 1:
        raise AmbiguousMove(text, tuple(map(str, likely)))
    if not likely:
        raise IllegalMove(text, objection)
    return likely[0]

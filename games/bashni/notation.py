"""Reads and writes the turns of Bashni: `c3-d4` steps, `c3xe5xg7` captures; Russians write `c3:e5:g7`.

The notation is the same in all languages.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Sequence

from games.bashni.board import INDEX, LINES, Move, names
from games.bashni.rules import Position
from games.protocol import AmbiguousMove, IllegalMove, Notation, Objection, UnreadableMove

LONGEST = 120  # characters, enough for thirteen squares

_SQUARE = "[a-h][1-8]"
_PATH = re.compile(rf"{_SQUARE}(?:(?: ?(?:[x:>*-]|->) ?| )?{_SQUARE})+")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_SIGNS = dict(zip(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\u00d7"), "------x", strict=True))


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move. Raises UnreadableMove, AmbiguousMove or IllegalMove."""
    tidy = _tidy(text)
    if not _PATH.fullmatch(tidy):
        raise UnreadableMove(text)
    path = tuple(re.findall(_SQUARE, tidy))
    step, capture = Move(path), Move(path, capture=True)
    if position.outcome():
        raise IllegalMove(text, Objection("finished"))
    captures = position.captures()
    if len(path) == 2 and not captures and not position.objection(step):
        return step  # whatever the sign between the squares
    objection = position.objection(capture)
    if not objection:
        return capture
    if objection.code == "same_turn":
        return Move(objection.cells, capture=True)
    fitting = [
        Move(squares, capture=True) for squares in map(names, captures.values()) if _fits(path, squares)
    ]
    if len(fitting) > 1:
        raise AmbiguousMove(text, tuple(map(str, fitting)))
    if fitting:
        return fitting[0]
    plain = len(path) == 2 and not re.search("[x:*]", tidy) and not _jumps(position, path)
    raise IllegalMove(text, position.objection(step) or objection if plain else objection)


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move in its canonical form."""
    return str(move)


def _tidy(text: str) -> str:
    """Normalises the text: lower case, plain blanks, hyphens and x, no final punctuation."""
    if len(text) > LONGEST:
        raise UnreadableMove(text)
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS).translate(_INVISIBLE)).casefold()
    return " ".join(plain.split()).rstrip(" .,;!")


def _fits(path: Sequence[str], capture: Sequence[str]) -> bool:
    """Tells whether the path names the start, the end and perhaps some landings of the capture, in their order."""
    landings = iter(capture)
    return (path[0], path[-1]) == (capture[0], capture[-1]) and all(name in landings for name in path)


def _jumps(position: Position, path: Sequence[str]) -> bool:
    """Tells whether a column stands between two squares."""
    _, between = LINES.get((INDEX.get(path[0], -1), INDEX.get(path[1], -1)), (0, ()))
    return any(position.columns[square] for square in between)

"""Reads and writes moves: the cell, `d4`, and the rings captured, `d4 (c4,e4)`."""

from __future__ import annotations

import re
import unicodedata

from games.insert.board import BOARD
from games.insert.rules import Move, Position
from games.protocol import IllegalMove, Notation, Objection, UnreadableMove

_CELL = "[a-i] ?[1-9]"  # cells just off the board match too, so that the answer can explain the mistake
_CANONICAL = re.compile("[a-z][1-9][0-9]?")
_WRITTEN = re.compile(
    rf"(?P<cell>{_CELL})"
    rf"(?: ?[(x:] ?(?P<captures>{_CELL}(?:[ ,;]+{_CELL})*) ?\)?)?"  # `d4 (c4,e4)`, or `d4xc4,e4`
    r"[ .,;!]*"
)
_TYPED = {ord("×"): "x", ord("["): "(", ord("]"): ")"}
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_LONGEST = 100  # characters, more than for eight captures


def move(text: str) -> Move:
    """Parses a canonical move. Raises ValueError for any other text."""
    if not _CANONICAL.fullmatch(text):
        raise ValueError(f"{text!r} is not a canonical move")
    return Move(text)


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move, in any language. Raises UnreadableMove or IllegalMove."""
    if len(text) > _LONGEST:
        raise UnreadableMove(text)
    plain = unicodedata.normalize("NFKC", text).translate(_INVISIBLE).translate(_TYPED).casefold()
    found = _WRITTEN.fullmatch(" ".join(plain.split()))
    if not found:
        raise UnreadableMove(text)
    move = Move(found["cell"].replace(" ", ""))
    objection = position.objection(move) or _miscounted(position, move, found["captures"])
    if objection:
        raise IllegalMove(text, objection)
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move and its captures, in the same way for every language."""
    taken = ",".join(BOARD.cells(position.captured(move)))
    return f"{move} ({taken})" if taken else str(move)


def _miscounted(position: Position, move: Move, claimed: str | None) -> Objection | None:
    """Returns the objection to the captures given in the text. None when they are right or not given."""
    taken = tuple(BOARD.cells(position.captured(move)))
    if claimed is None or set(re.findall(_CELL, claimed)) == set(taken):
        return None
    return Objection("captures_other", taken) if taken else Objection("captures_nothing", (move.cell,))

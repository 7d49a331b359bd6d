"""Reads and writes the turns of TZAAR, alike in all languages: `e1xe4,d3+d2`, and `Zc4` to place a piece."""

from __future__ import annotations

import re
import unicodedata

from games.protocol import IllegalMove, Notation, UnreadableMove
from games.tzaar.board import INDEX, Action, Move
from games.tzaar.rules import Position, acted, owner

# Points just off the board are read, so that the answer can explain the mistake.
_POINT = "[a-j] ?[0-9]"
_ACTION = rf"{_POINT} ?(?:->|[>:x+-])? ?{_POINT}"
_WRITTEN = re.compile(rf"({_ACTION})(?:(?: ?[,;/&] ?| )(?:({_ACTION})|pass|passo|-))?")
_PLACING = re.compile(rf"([zat]) ?[:-]? ?({_POINT})")
_INVISIBLE = dict.fromkeys(map(ord, "\u00ad\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"))
_SIGNS = dict(zip(map(ord, "\u2010\u2011\u2012\u2013\u2014\u2212\u00d7\u2192"), "------x>", strict=True))
_LONGEST = 60  # characters


def read(position: Position, text: str, notation: Notation) -> Move:
    """Reads a legal move. Raises UnreadableMove or IllegalMove."""
    if len(text) > _LONGEST:
        raise UnreadableMove(text)
    plain = unicodedata.normalize("NFKC", text.translate(_SIGNS).translate(_INVISIBLE)).casefold()
    tidy = " ".join(plain.split()).rstrip(" .,;!")
    if placing := _PLACING.fullmatch(tidy):
        move = Move(placed=placing[1].upper(), point=placing[2].replace(" ", ""))
    elif found := _WRITTEN.fullmatch(tidy):
        move = _turn(position, [part for part in found.groups() if part])
    else:
        raise UnreadableMove(text)
    if objection := position.objection(move):
        raise IllegalMove(text, objection)
    return move


def write(position: Position, move: Move, notation: Notation) -> str:
    """Writes the move in its canonical form."""
    return str(move)


def _turn(position: Position, written: list[str]) -> Move:
    """Returns the turn, with `x` or `+` as the board has it where nothing or a sign of neither was written."""
    board, actions = position.board, list[Action]()
    for part in written:
        origin, target = (point.replace(" ", "") for point in re.findall(_POINT, part))
        known = origin in INDEX and target in INDEX and bool(board[INDEX[origin]] and board[INDEX[target]])
        own = known and owner(board[INDEX[target]]) == position.to_move
        sign = next((sign for sign in "x+" if sign in part), "+" if own and actions else "x")
        actions.append((origin, sign, target))
        board = acted(board, INDEX[origin], INDEX[target]) if known else board
    return Move(tuple(actions))

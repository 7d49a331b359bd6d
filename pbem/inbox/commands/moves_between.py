"""Splits a sentence at the moves that it names."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.inbox.commands.cells import names_cell
from pbem.inbox.commands.line import IsMove
from pbem.inbox.commands.moves_in_talk import SIGNS

_LONGEST_MOVE, _MOST_WORDS = 3, 30  # words


@dataclass(frozen=True)
class Parted:
    """The moves, and the texts before, between and after them: one text more than moves."""

    moves: Sequence[str]
    texts: Sequence[str]


def parted(text: str, is_move: IsMove) -> Parted | None:
    """Splits a text at its moves. None when it names no move, or a cell outside a move."""
    words, at = text.split(), 0
    moves: list[str] = []
    texts: list[list[str]] = [[]]
    if len(words) > _MOST_WORDS:
        return None
    while at < len(words):
        if end := _end_of_move(words, at, is_move):
            moves.append(" ".join(words[at:end]).strip(SIGNS + "?"))
            texts.append([])
        else:
            texts[-1].append(words[at])
        at = end or at + 1
    said = [" ".join(each) for each in texts]
    return Parted(moves, said) if moves and not any(map(names_cell, said)) else None


def _end_of_move(words: Sequence[str], at: int, is_move: IsMove) -> int:
    """Returns where the move that begins at `at` ends, or 0."""
    for end in range(min(at + _LONGEST_MOVE, len(words)), at, -1):
        each = [word.strip(SIGNS + "?") for word in words[at:end]]
        if (
            names_cell(each[0])
            and names_cell(each[-1])
            and is_move(" ".join(words[at:end]).strip(SIGNS + "?"), None)
        ):
            return end
    return 0

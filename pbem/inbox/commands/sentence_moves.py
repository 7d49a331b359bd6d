"""Sets a move apart that is a sentence of its own: `h3-e3. Your mother says hello.`

Behind other sentences it has to be announced (`then h3-e3`): `You could have done better. h3-e3!` is talk.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial

from pbem.budget import in_time
from pbem.inbox.commands.agreement import is_beside, is_friendly
from pbem.inbox.commands.cells import names_cell
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.line import IsMove
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.moves_in_talk import announces, is_unreal, judges
from pbem.inbox.commands.playing.grammar import Move

_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
_MOST_BEFORE = 12  # words before the move
_LONGEST = 400  # characters of a line


def apart(lines: Sequence[str], *, is_move: IsMove, match: int, legal: LegalMoves) -> list[str]:
    """Returns the lines, the only such move on its own line; unchanged if a line is a move, or two have."""
    with_cells = [line for line in lines if names_cell(line)]
    if not with_cells or any(isinstance(read_line(line, is_move, match), Move) for line in with_cells):
        return list(lines)
    return in_time(partial(_apart, lines, is_move, match, legal), list(lines))


def _apart(lines: Sequence[str], is_move: IsMove, match: int, legal: LegalMoves) -> list[str]:
    found = {
        number: parts
        for number, line in enumerate(lines)
        if (parts := _parted(line, is_move, match, legal)) is not None
    }
    if len(found) != 1 or sum(map(names_cell, lines)) > 1:
        return list(lines)
    [(number, parts)] = found.items()
    return [*lines[:number], *parts, *lines[number + 1 :]]


def _parted(line: str, is_move: IsMove, match: int, legal: LegalMoves) -> list[str] | None:
    """Returns the text before the move, the move, and the text behind it. None when there is no such move."""
    sentences = _SENTENCE.split(line.strip()) if names_cell(line) and len(line) <= _LONGEST else []
    with_cells = [number for number, sentence in enumerate(sentences) if names_cell(sentence)]
    if len(with_cells) != 1:
        return None
    [at] = with_cells
    greeting, sentence = _without_greeting(sentences[at])
    before, behind = " ".join([*sentences[:at], greeting]).strip(), " ".join(sentences[at + 1 :])
    said = read_line(sentence, is_move, match)
    plays = isinstance(said, Move) and said.match is None and bool(legal.meant(said.text))
    bare = sentences[:at] and not announces(sentence)
    held = bare or is_unreal(line) or judges(" ".join(behind.split()[:1]))
    if not plays or held or not (before or behind) or len(before.split()) > _MOST_BEFORE:
        return None
    return [part for part in (before, sentence, behind) if part]


def _without_greeting(sentence: str) -> tuple[str, str]:
    """Splits a greeting from the rest: `Hello dear,`."""
    first, comma, rest = sentence.partition(", ")
    greets = comma and not names_cell(first) and (is_beside(first) or is_friendly(first))
    return (f"{first},", rest) if greets else ("", sentence)

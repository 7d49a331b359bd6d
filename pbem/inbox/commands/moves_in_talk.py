"""A legal move in a line that says something else as well: `b1-b3 ha got you`, `I'll take the man on c4 with a6`. It is
only ever asked about."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from games import spoken
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_SUPPOSING, _NO_DEEDS = _WORDS.words("little", "supposing"), _WORDS.words("deeds", "but")
_JUDGES = _WORDS.words("talk_of_moves", "judges")
_DEEDS = _WORDS.words("talk_of_moves", "deeds")
_JOINING = _WORDS.words("talk_of_moves", "joining")
_ASKS = _WORDS.words("talk_of_moves", "asks")
_CELL = re.compile(r"[a-z][0-9]{1,2}(?![^\W_])|[a-z][0-9]{1,2}(?=[x:@])")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_SIGNS = ".,;:!'\"«»“”()"
_MOST_WORDS = 20
_LONGEST_MOVE = 5  # words, as `a5 - c5`
_FEWEST_CELLS = 2  # that tell a move wherever they stand


@dataclass(frozen=True)
class MoveInTalk:
    """`rest` is what the line says beside it."""

    move: str
    rest: str = ""


def move_in_talk(text: str, legal: LegalMoves) -> MoveInTalk | None:
    """The only legal move that the line can mean; None where it may be about another one."""
    words = text.split()
    if not 1 < len(words) <= _MOST_WORDS or text.rstrip(")]").endswith(("...", "…")):
        return None
    return _at_first(words, legal) or _told(text, legal)


def tells_move(text: str) -> bool:
    """Whether its writer says what they move, legal or not: `I put my man on k9`."""
    said, first = _said([text]), fold(next(iter(_WORD.findall(text)), ""))
    named = _CELL.search(text.lower()) or said & spoken.piece_words()
    begins = first in _DEEDS or _CELL.match(text.lower())
    return (
        bool(named and begins)
        and "?" not in text
        and not said & (_SUPPOSING | _NO_DEEDS | _JUDGES - _JOINING)
    )


def _at_first(words: Sequence[str], legal: LegalMoves) -> MoveInTalk | None:
    """The move stands first, and what comes behind it says nothing of it: not `b1-b3 would have won`."""
    for end in range(min(len(words) - 1, _LONGEST_MOVE), 0, -1):
        move, behind = legal.meant(" ".join(words[:end]).strip(_SIGNS)), words[end:]
        if not move or not _CELL.search(words[0].lower()):
            continue
        said, follows = " ".join(behind), fold(behind[0].strip(_SIGNS))
        judged = follows in _JUDGES | (_SUPPOSING - _ASKS) and not words[end - 1].endswith(",")
        asked = "?" in words[end - 1] or ("?" in said and follows not in _ASKS)
        return None if judged or asked or _CELL.search(said) else MoveInTalk(move, said)
    return None


def _told(text: str, legal: LegalMoves) -> MoveInTalk | None:
    """The cells that it names belong to one move alone, and it tells what its writer does."""
    named = [_CELL.findall(word) for word in text.lower().split()]
    cells = {cell for each in named for cell in each}
    said, first = _said([text]), fold(next(iter(_WORD.findall(text)), ""))
    together = any(
        len(each) > 1 for each in named
    )  # as a move is written: what is said with it was looked at
    if len(cells) < _FEWEST_CELLS or together or "?" in text or first not in _DEEDS:
        return None
    if said & (_SUPPOSING | _NO_DEEDS | _JUDGES - _JOINING):
        return None
    found = legal.within(cells)
    return MoveInTalk(found[0]) if len(found) == 1 else None


def _said(texts: Sequence[str]) -> set[str]:
    return {fold(word) for text in texts for word in _WORD.findall(text)}

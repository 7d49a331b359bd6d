"""YES and NO as people say them: `sure`, `yes please`, `volentieri`. Only for the answer to a letter that asks;
anywhere else the same words are talk."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from pbem.inbox.commands.line import LONGEST_LINE, typed
from pbem.inbox.commands.words import CONFIRMING, REFUSING
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_MOST_LINES = 400
_LONGEST = 60  # characters; longer is a sentence, which may go on otherwise


def _level(text: str) -> str:
    """Words alone, in small letters without accents."""
    return " ".join(fold(word) for word in re.split(r"[^\w'’]+", text) if word)


def _run(*tables: Iterable[str]) -> re.Pattern[str]:
    """One or more of the words, one after the other."""
    words = {_level(word) for table in tables for word in table}
    either = "|".join(map(re.escape, sorted(words, key=len, reverse=True)))
    return re.compile(rf"(?:(?:{either})(?: |$))+")


_BESIDE = _WORDS.words("beside_answer")
_YES, _NO = _WORDS.words("agreeing") | CONFIRMING, _WORDS.words("declining") | REFUSING
_AGREES, _DECLINES = _run(_YES, _BESIDE), _run(_NO, _BESIDE)
_ONLY_BESIDE = _run(_BESIDE)


def agrees(line: str) -> bool | None:
    """Whether the whole line says yes, or no; None: neither. A question is none."""
    said = typed(line[:LONGEST_LINE])
    level = _level(said)
    if not level or len(said) > _LONGEST or "?" in line or _ONLY_BESIDE.fullmatch(level):
        return None
    if _AGREES.fullmatch(level):
        return True
    return False if _DECLINES.fullmatch(level) else None


def answer_in(lines: Iterable[str]) -> bool | None:
    """What all lines that say either agree on; None where none does, or they differ."""
    answers = {said for line in islice(lines, _MOST_LINES) if (said := agrees(line)) is not None}
    return answers.pop() if len(answers) == 1 else None

"""Recognises a no that leads other words: `No, sorry. Perhaps at Christmas`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import islice

from pbem.inbox.commands.agreement import agrees, is_beside
from pbem.inbox.commands.emphasis import undrawn
from pbem.inbox.commands.line import LONGEST_LINE, typed
from pbem.inbox.commands.names import is_name
from pbem.inbox.commands.smileys import without_smileys
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_MOST_LINES = 12  # more is a letter of its own
_SENTENCE = re.compile(r"(?<=[.!?…;])\s+")
_CLAUSE = re.compile(r"[,.!?:;…]+(?:\s+|$)|\s+-+\s+")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_HELD = re.compile(r"[?@\d]|://")
_NO = _WORDS.words("leading_answers", "no")
PLAIN_YES = _WORDS.words("leading_answers", "yes") | _WORDS.words("leading_answers", "fine")
_JOY = _WORDS.words("leading_answers", "joy")
_SHORT = PLAIN_YES | _NO | _JOY
_HOLDING = _WORDS.words("leading_answers", "holding") | _WORDS.words("dates", "weekdays")
_ASSENTING = _WORDS.words("assenting")


def leads_with_no(lines: Iterable[str]) -> bool:
    """Whether a sentence begins with a plain no, and nothing agrees, asks, or has a number or address."""
    written = [line for line in islice(lines, _MOST_LINES + 1) if line.strip()]
    if len(written) > _MOST_LINES or any(len(line) > LONGEST_LINE or _HELD.search(line) for line in written):
        return False
    sentences = [_clauses(each) for line in written for each in _sentences(line)]
    first = [next((clause for clause in clauses if not _says_nothing(clause)), "") for clauses in sentences]
    around = [clause for clauses in sentences for clause in clauses]
    return any(_says_no(clause) for clause in first if clause) and not any(map(_assents, around))


def holds_back(line: str) -> bool:
    """Whether the line has a word that makes a yes beside it void: but, if, instead."""
    return not _HOLDING.isdisjoint(_level(line))


def _sentences(line: str) -> list[str]:
    said = typed(without_smileys(line))
    return [each for each in _SENTENCE.split(said) if _WORD.search(each)]


def _clauses(sentence: str) -> list[str]:
    return [clause.strip() for clause in _CLAUSE.split(sentence) if _WORD.search(clause)]


def _says_nothing(clause: str) -> bool:
    return is_beside(clause) or set(_level(clause)) <= _JOY or _calls(clause)


def _calls(clause: str) -> bool:
    """Whether the clause is a name alone."""
    word, *others = _WORD.findall(clause)
    return (
        not others and word.istitle() and is_name(word) and not (PLAIN_YES | _NO).intersection(_level(word))
    )


def _level(clause: str) -> list[str]:
    """Returns the words, with lengthened answers shortened."""
    return [undrawn(fold(word.replace("’", "'")), _SHORT) for word in _WORD.findall(clause)]


def _says_no(clause: str) -> bool:
    first, *others = _WORD.findall(clause)
    words = _level(" ".join([first, *(word for word in others if not (word.istitle() and is_name(word)))]))
    return agrees(clause) is False or (words[:1] != [] and words[0] in _NO and _JOY.issuperset(words[1:]))


def _assents(clause: str) -> bool:
    return not is_beside(clause) and not (_ASSENTING | PLAIN_YES).isdisjoint(_level(clause))

"""Recognises a probable yes or no to an opponent: `Agreed, neither of us is getting anywhere`."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from functools import cache
from itertools import islice

from pbem.inbox.commands.agreement import agrees
from pbem.inbox.commands.emphasis import unemphatic
from pbem.inbox.commands.line import LONGEST_LINE, typed
from pbem.inbox.commands.smileys import without_smileys
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_MOST_LINES, _MOST_WORDS = 6, 40  # more is a letter of its own
_SENTENCE = re.compile(r"(?<=[.!?…;])\s+")
_CLAUSE = re.compile(r"[,.;:!?…]+(?:\s+|$)|\s+[-–—]+\s+|\s+(?=(?:but|ma|però)\s)")
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*['’]?")
_CONDITIONS = _WORDS.words("conditions")
_CONCEDING = re.compile(rf"\b(?:{_WORDS.either('conceding')})\b", re.IGNORECASE)
_JOY, _ASSENTING = _WORDS.words("leading_answers", "joy"), _WORDS.words("assenting")


def sets_condition(lines: Iterable[str]) -> bool:
    """Whether the lines have a question, or a word that makes a yes conditional."""
    return any("?" in line or not _CONDITIONS.isdisjoint(_words(_CONCEDING.sub(" ", line))) for line in lines)


def accepts_explicitly(lines: Iterable[str]) -> bool:
    """Whether a clause accepts a draw in so many words: `Sì, accetto la patta. Ci sentiamo domenica`."""
    return any(" ".join(_words(clause)) in _EXPLICITLY for line in lines for clause in _CLAUSE.split(line))


def probable_answer(
    lines: Iterable[str], names: Collection[str] = (), *, playing: bool = False
) -> bool | None:
    """Returns the answer, None for neither or both. `names`: those addressed. `playing`: praise is no yes."""
    said = [typed(without_smileys(line[:LONGEST_LINE])) for line in islice(lines, _MOST_LINES + 1)]
    if len(said) > _MOST_LINES or sum(len(line.split()) for line in said) > _MOST_WORDS:
        return None
    stated = (sentence for line in said for sentence in _SENTENCE.split(line) if "?" not in sentence)
    clauses = (clause for sentence in stated for clause in _CLAUSE.split(sentence))
    spoken_to = set(map(fold, names))
    found = {meant for clause in clauses if (meant := _meant(clause, spoken_to, playing)) is not None}
    return found.pop() if len(found) == 1 else None


def _meant(clause: str, spoken_to: Collection[str], playing: bool) -> bool | None:
    words = [word for word in _words(unemphatic(clause)) if word not in spoken_to]
    whole = agrees(" ".join(words), playing=playing)
    if whole is not None:
        return whole
    for start, word in enumerate(words):  # `oh well, I'd love to`
        begun = _begun(" ".join(words[start:]))
        if begun is not None or word not in _JOY:
            return begun
    return None


def _words(text: str) -> list[str]:
    return [fold(word.replace("’", "'")) for word in _WORD.findall(text)]


def _begun(level: str) -> bool | None:
    """Returns the answer at the beginning; the longer phrase counts: `no problem` is not `no`."""
    yes = _begins("surely", "yes_first", "probably_yes").match(level)
    no = _begins("no_first", "probably_no").match(level)
    if not no or (yes and yes.end() >= no.end()):
        return True if yes else None
    return None if level[no.end() :].partition(" ")[0] in _ASSENTING else False


_EXPLICITLY = {" ".join(_words(way)) for way in _WORDS.words("explicitly")}


@cache
def _begins(*tables: str) -> re.Pattern[str]:
    ways = {" ".join(map(fold, _WORD.findall(way))) for table in tables for way in _WORDS.words(table)}
    said = "|".join(map(re.escape, sorted(ways, key=len, reverse=True)))
    return re.compile(rf"(?:{said})(?: |$)")

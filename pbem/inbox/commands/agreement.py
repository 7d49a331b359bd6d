"""YES and NO as people say them: `sure`, `yes please`, `volentieri`. What is read so may be asked about, or decline;
what consents, `pbem.inbox.consent` decides."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache
from itertools import islice

from pbem.inbox.commands.emphasis import unemphatic
from pbem.inbox.commands.line import LONGEST_LINE, typed
from pbem.inbox.commands.names import is_name
from pbem.inbox.commands.short_spellings import spelled_out
from pbem.inbox.commands.smileys import without_smileys
from pbem.inbox.commands.words import CONFIRMING, REFUSING
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_MOST_LINES = 400
_LONGEST = 60  # characters; longer is a sentence, which may go on otherwise
_LONGEST_REASON = 160
_BARE_NO = 3  # words at the most
_CLAUSE = re.compile(r"[,.!;:…]+(?:\s+|$)|\s+-+\s+")
_GAP = re.compile(r"[^\w'’]+")


def _level(text: str) -> str:
    """Words alone, in small letters without accents."""
    return " ".join(map(fold, filter(None, _GAP.split(text))))


def _typed(line: str) -> str:
    return _line_typed(line[:LONGEST_LINE])


@lru_cache(maxsize=1024)  # each question about a line asks for it anew
def _line_typed(line: str) -> str:
    return unemphatic(spelled_out(typed(without_smileys(line))))


@dataclass(frozen=True)
class _Run:
    """One or more of the phrases, one after the other. No pattern: many phrases are made of others, and a text that is
    such a row in a thousand ways would be tried in each."""

    phrases: frozenset[str]
    longest: int  # of their words

    def fits(self, level: str) -> bool:
        """Whether the whole text is such a row."""
        words = level.split(" ")
        ends = {0}
        for start in range(len(words)):
            if start in ends:
                last = min(start + self.longest, len(words))
                ends |= {
                    end for end in range(start + 1, last + 1) if " ".join(words[start:end]) in self.phrases
                }
        return len(words) in ends

    def begins(self, level: str) -> str:
        """How the text begins with one, of the longest phrases, up to the next word; "" where it does not."""
        words = level.split(" ")
        start = 0
        while end := self._longest_from(words, start):
            start = end
        return level if start == len(words) else level[: len(" ".join(words[:start])) + bool(start)]

    def _longest_from(self, words: Sequence[str], start: int) -> int:
        """Where it ends; 0 where none begins there."""
        ends = range(min(start + self.longest, len(words)), start, -1)
        return next((end for end in ends if " ".join(words[start:end]) in self.phrases), 0)


@cache
def _run(*tables: frozenset[str]) -> _Run:
    phrases = frozenset(_level(word) for table in tables for word in table)
    return _Run(phrases, max(phrase.count(" ") for phrase in phrases) + 1)


_BESIDE = _WORDS.words("beside_answer")
_ASSENT, _EAGER = _WORDS.words("agreeing") | CONFIRMING, _WORDS.words("eager")
_YES, _NO = _ASSENT | _EAGER, _WORDS.words("declining") | REFUSING
_NO_FIRST = _WORDS.words("no_first")
_GOES_ON = _WORDS.words("no_goes_on")
_SURE, _FRIENDLY = _WORDS.words("surely"), _WORDS.words("friendly")
_GREETING = _WORDS.words("greeting")
_ASSENTING = _WORDS.words("assenting")
_RHETORICAL = frozenset(map(_level, _WORDS.words("rhetorical")))
_CONTRARY = _WORDS.words("contrary")
_PLAY_ON = frozenset(map(_level, _WORDS.words("play_on")))  # `si gioca` is no `sì`


@dataclass(frozen=True)
class Answer:
    """`agreed` None: neither was found, or both. `line` says it, `rest` is what else is said; a reason is both."""

    agreed: bool | None
    line: str = ""
    rest: tuple[str, ...] = ()


def agrees(line: str, *, playing: bool = False) -> bool | None:
    """Whether the whole line says yes, or no; None: neither. A question is none, `why not?` apart. `playing`: to an
    opponent whose match goes on, so that praise is praise."""
    return _agrees(line, playing)


@lru_cache(maxsize=1024)
def _agrees(line: str, playing: bool) -> bool | None:
    said = _typed(line)
    level = _level(said)
    if "?" in line and level not in _RHETORICAL:
        return None
    if not level or len(said) > _LONGEST or _run(_BESIDE).fits(level):
        return None
    if playing and level in _PLAY_ON:
        return False
    if _run(_ASSENT if playing else _YES, _BESIDE).fits(level):
        return True
    return False if _run(_NO, _BESIDE).fits(level) else None


def answers(line: str, *, playing: bool = False) -> bool | None:
    """The same of a line that may give a reason, and of a yes that has friendly words beside it."""
    said = _typed(line)
    whole = agrees(line, playing=playing)
    if whole is not None or "?" in said or len(said) > _LONGEST_REASON:
        return whole
    if _refuses(said):
        return False
    return True if _accepts(said, playing=playing) else None


def answer_in(lines: Iterable[str], *, playing: bool = False) -> Answer:
    """What all lines that say either agree on; a reason may only stand in the first that says anything."""
    written = [line.rstrip() for line in islice(lines, _MOST_LINES)]
    first = next((line for line in written if not _says_nothing(line)), "")
    whole = {line: agrees(line, playing=playing) for line in written}
    said = whole | {first: answers(first, playing=playing)} if first else whole
    found = {agreed for agreed in said.values() if agreed is not None}
    if len(found) != 1:
        return Answer(None)
    line = next(line for line, agreed in said.items() if agreed is not None)
    return Answer(said[line], line, tuple(line for line in written if not is_bare(line)))


def says_contrary(lines: Iterable[str]) -> bool:
    """`No, the opposite!` takes back what it stands beside."""
    return any(word in _CONTRARY for line in lines for word in _level(_typed(line)).split())


def is_bare(line: str) -> bool:
    """Whether it is a yes or a no, and nothing that anybody misses; a no of more words says why, as a rule."""
    agreed = agrees(line)
    return agreed or (agreed is False and len(line.split()) <= _BARE_NO)


def is_friendly(text: str) -> bool:
    """Whether it is nothing but friendly words: `good luck, Ben!`."""
    said = [clause for clause in _CLAUSE.split(_typed(text)) if _level(clause)]
    return "?" not in text and bool(said) and all(_is_friendly(_without_names(clause)) for clause in said)


def begins_with_no(lines: Iterable[str]) -> bool:
    """Whether the first clause that says anything is a no, however the line goes on."""
    said = (clause for line in islice(lines, _MOST_LINES) for clause in _CLAUSE.split(_typed(line)))
    first = next((_level(clause) for clause in said if not _says_nothing(clause)), "")
    return _run(_NO_FIRST).fits(first)


def without_no(lines: Iterable[str]) -> list[str]:
    """What stands behind the No with which they begin: `no. JOIN 1` is JOIN 1."""
    said = list(islice(lines, _MOST_LINES))
    for number, line in enumerate(said):
        if _says_nothing(line):
            continue
        clause = _CLAUSE.search(line[:LONGEST_LINE])
        first, rest = (line[: clause.start()], line[clause.end() :]) if clause else (line, "")
        if _says_nothing(first):
            return [*said[:number], *without_no([rest]), *said[number + 1 :]]
        return [*said[:number], rest, *said[number + 1 :]] if _run(_NO_FIRST).fits(_level(first)) else said
    return said


def is_beside(line: str) -> bool:
    """Whether it says neither, and nothing else: what people put beside an answer."""
    return _says_nothing(line)


def _says_nothing(line: str) -> bool:
    level = _level(line)
    return not level or _run(_BESIDE).fits(level)


def _refuses(said: str) -> bool:
    """`No, I changed my mind`, `no thanks Nora, play on!`; not `no problem`, nor `no, that's fine`."""
    clauses = [clause for clause in _CLAUSE.split(said) if not _says_nothing(clause)]
    level = _level(clauses[0]) if clauses else ""
    no = _run(_NO_FIRST).begins(level)
    if not no or any(map(str.isdigit, said)) or _ASSENTING.intersection(_level(said).split()):
        return False
    rest = level[len(no) :].split()
    if not rest:
        return len(clauses) > 1
    return rest[0] in _GOES_ON or (len(rest) == 1 and clauses[0].split()[-1].istitle())


def _accepts(said: str, *, playing: bool) -> bool:
    """`I'm in, mate! But I'll win`: one clause is a plain yes, and all others are friendly."""
    clauses = [clause for clause in _CLAUSE.split(said) if _level(clause)]
    plainly = [_plain_yes(_without_names(clause)) for clause in clauses]
    return any(plainly) and all(
        yes or agrees(clause, playing=playing) or _is_friendly(_without_names(clause))
        for clause, yes in zip(clauses, plainly, strict=True)
    )


def _plain_yes(level: str) -> bool:
    yes = _run(_SURE, _BESIDE).begins(level)
    if not yes or not _is_friendly(level[len(yes) :]):
        return False
    starts = (word.start() for word in re.finditer(r"\S+", yes))
    return any(_run(_SURE).begins(level[start:]) for start in starts)


def _is_friendly(level: str) -> bool:
    return not level or _run(_FRIENDLY, _BESIDE).fits(level)


def _without_names(clause: str) -> str:
    """`hi Ben` is as friendly as `hi`, and so is `hi ben`, with which the clause ends."""
    first, *others = [word for word in re.split(r"[^\w'’]+", clause) if word]
    level = _level(" ".join([first, *(word for word in others if not (word.istitle() and is_name(word)))]))
    greeting, _, called = level.rpartition(" ")
    greets = greeting in _GREETING and is_name(called) and not _run(_YES, _NO).fits(called)
    return greeting if greets else level

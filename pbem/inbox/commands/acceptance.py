"""Reads a guest's answer to an invitation: yes or no, and the name that they choose."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, islice

from pbem.inbox.commands import line_parser
from pbem.inbox.commands.line import LONGEST_LINE, game_of, plain
from pbem.inbox.commands.verbs import CONFIRMING, ENDS, GO_ON, REFUSING, VERBS_OF
from pbem.inbox.understanding.answers import agrees, unemphatic
from pbem.inbox.understanding.normalization import wishes, without_courtesy
from pbem.inbox.understanding.slots.names import KIN, is_name
from pbem.wording import fold, wording

_WORDS = wording(__package__)
REGISTERING: Mapping[str, Sequence[str]] = wording(f"{__package__}.account").each(
    "verbs", "Register", "words"
)
_MOST_LINES = 40
# YES, YES Dora, "Sì, Dora.", REGISTER Dora
_ANSWER = re.compile(r"([^\W\d_]+['’]?)[\s,:.!-]*([^\W\d_][\w.'-]{0,39})?[.!]?")
_YES_IN = {
    language: {fold(word) for word in (*words, *REGISTERING[language])}
    for language, words in _WORDS.each("confirming").items()
}
YES_AND_A_NAME = frozenset().union(*_YES_IN.values())
_NAME = r"([^\W\d_][\w.'-]{1,23})(?:\s+[^\W\d_]\w*)?"  # and a surname
_MILDLY = rf"(?:(?:{_WORDS.repeated('before_called')})\s++)*+"  # call me just Dora
_CLAUSE = re.compile(r"[,.!?;:]+\s+")


def _naming(said: Mapping[str, Iterable[str]]) -> Mapping[str, re.Pattern[str]]:
    """Compiles, by language, a pattern for a name after one of the words, and for another clause."""
    return {
        language: re.compile(
            rf"(?:{'|'.join(map(re.escape, words))})[\s:]+{_MILDLY}{_NAME}(\s+(?:{_WORDS.either('adding')})\s.*)?",
            re.IGNORECASE,
        )
        for language, words in said.items()
    }


# `Mi chiamo Dora Rossi`, `I'm Dora`, `sign me up as Dora` (which agrees, as REGISTER Dora does)
_NAMED, _BEING, _SIGNING = (_naming(_WORDS.each(key)) for key in ("naming", "being", "signing_up"))
_REGISTERING = _naming(REGISTERING)
_OF_CAPITALS = (_BEING, _REGISTERING)
# Register me: Dora.
_SIGNING_COLON = {
    language: {fold(phrase.rpartition(" ")[0]) for phrase in phrases}
    for language, phrases in _WORDS.each("signing_up").items()
}
_BEHIND_COLON = re.compile(rf"\s*{_NAME}[\s.!]*")


@dataclass(frozen=True)
class Acceptance:
    """`agreed` is None when neither yes nor no was found; `name` and `language` are "" when unknown."""

    agreed: bool | None = None
    name: str = ""
    language: str = ""


def read_acceptance(lines: Iterable[str]) -> Acceptance:
    """Reads the first line that answers; the name may stand alone on the next line."""
    written = [plain(line[:LONGEST_LINE]) for line in islice(lines, _MOST_LINES)]
    said = [line for line in written if line]
    for number, line in enumerate(said):
        answer = _ANSWER.fullmatch(unemphatic(line))
        word = fold(answer[1]) if answer else ""
        if answer and word in REFUSING and not answer[2]:
            return Acceptance(False)
        if answer and word in YES_AND_A_NAME:
            following = said[number + 1] if number + 1 < len(said) else ""
            alone = answer[2] and not agrees(line) and may_be_called(answer[2])  # not "Yes, gladly"
            return Acceptance(True, answer[2] if alone else _name_alone(following), _spoken_in(word))
    return Acceptance()


def named_in(line: str) -> str:
    """Returns the first name when the whole line states the writer's name, else ""."""
    said = _name_in(plain(line[:LONGEST_LINE]), adding=False)
    return said.name if said else ""


def read_name(lines: Iterable[str]) -> Acceptance | None:
    """Finds the name in `Hello! I'm Dora and I'd like to play`, and a yes. None when there is none."""
    for line in islice(lines, _MOST_LINES):
        if found := _name_behind_colon(line[:LONGEST_LINE]):
            return found
        before = None
        for clause in _CLAUSE.split(plain(line[:LONGEST_LINE]).rstrip("!")):
            if found := _name_in(clause, adding=True):
                return replace(found, agreed=found.agreed or before)
            before = before or agrees(clause) or None
    return None


def _name_behind_colon(line: str) -> Acceptance | None:
    before, _, behind = line.partition(":")
    said, named = fold(without_courtesy(before.strip())), _BEHIND_COLON.fullmatch(behind)
    language = next((language for language, phrases in _SIGNING_COLON.items() if said in phrases - {""}), "")
    return Acceptance(True, named[1], language) if named and language and may_be_called(named[1]) else None


def _name_in(text: str, *, adding: bool) -> Acceptance | None:
    for said in (text, kind := without_courtesy(text.rstrip("!")), *wishes(kind)):
        for patterns, agreed in ((_SIGNING, True), (_REGISTERING, True), (_NAMED, None), (_BEING, None)):
            for language, pattern in patterns.items():
                found = pattern.fullmatch(said)
                if (
                    found
                    and (adding or not found[2])
                    and (patterns not in _OF_CAPITALS or _is_called(found[1]))
                    and agrees(said[found.start(1) : found.start(2)] if found[2] else said[found.start(1) :])
                    is None
                ):
                    return Acceptance(agreed, found[1], language)
    return None


def may_be_called(word: str) -> bool:
    """Whether the word can be a name: no game, no form of address, no common lower-case word (`ok dad`)."""
    return game_of([word]) is None and fold(word) not in KIN and (is_name(word) or not word.islower())


def _is_called(name: str) -> bool:
    return name[0].isupper() and is_name(name) and agrees(name) is None


def _spoken_in(word: str) -> str:
    """Returns the only language that has the word, else ""."""
    languages = [language for language, words in _YES_IN.items() if word in words]
    return languages[0] if len(languages) == 1 else ""


def _name_alone(line: str) -> str:
    alone = agrees(line) is None and re.fullmatch(r"[^\W\d_][\w.'-]{1,23}", line)
    return line if alone and may_be_called(line) else ""


# The commonest words of each language

_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_MOST_WORDS, _FEWEST = 200, 3
_COMMON = {language: frozenset(map(fold, words)) for language, words in _WORDS.each("commonest").items()}


def written_in(lines: Iterable[str]) -> str:
    """Returns the language with at least three words, twice as many as any other; else ""."""
    words = [
        fold(word.replace("’", "'")) for line in lines for word in islice(_WORD.findall(line), _MOST_WORDS)
    ]
    counts = {language: sum(word in known for word in words) for language, known in _COMMON.items()}
    best, *others = sorted(counts, key=lambda language: -counts[language])
    enough = counts[best] >= _FEWEST and all(counts[best] >= 2 * counts[other] for other in others)
    return best if enough else ""


# Words that no player can have for a name, since they mean something where a name may stand
RESERVED = frozenset(
    chain(
        VERBS_OF,
        CONFIRMING,
        REFUSING,
        YES_AND_A_NAME,
        GO_ON,
        *ENDS.values(),
        line_parser.VERBS,
        line_parser.LISTS,
        line_parser.CHALLENGE,
        wording(__package__).words("names"),
    )
)

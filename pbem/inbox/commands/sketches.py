"""What a sentence may be about, from the words that it has: `would Carla be up for a game of Emergo?`.

The loosest reading there is, so nothing that it finds is done: its player is asked. `ideas` in the wording are words
that mean the same, with a star for whatever they go on with; `sketches` are lines of the grammar, by what a sentence
has that may mean them. The first that fits is asked about.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from pbem.inbox.commands.cells import named_cells
from pbem.inbox.commands.names import is_name
from pbem.inbox.commands.normalization import bare, wishes, without_courtesy
from pbem.inbox.commands.phrases import game_pattern, written
from pbem.inbox.commands.said_hours import hours_in
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_LONGEST = 200  # characters
_MOST_WORDS, _MOST_IN_MATCH = 24, 13
_BIDDING = _WORDS.words("bidding")
_QUESTIONING = _WORDS.words("questioning")
_EMAIL = re.compile(r"(?<![\w.+@-])[^\W_][\w.+'-]{0,63}@[\w.-]{1,190}\w")
_NUMBER = re.compile(r"(?<![\w.])#?([0-9]{1,9})(?![\w.:])")
_COUNTED, _HOURS = _WORDS.words("counted"), _WORDS.words("at_the_hour")
_YEARS, _YEAR = _WORDS.words("in_the_year"), 4  # digits
_NAME = re.compile(r"(?<=(?:[^\W_]|['’]) )[A-ZÀ-Þ][\w.'-]{1,23}(?<![.'-])|(?<=, )[A-ZÀ-Þ][\w'-]{1,23}")
_MILD = re.compile(rf"\b(?:{'|'.join(re.escape(bare(words)) for words in _WORDS.words('mild'))})\b")
TAKES_OFFER = _WORDS.words("takes_offer")  # beside the name of the one who made it
_SIGNS = ",.;:!?() "
_STARTS = (1, 2, 3)  # letters
_GAPS = re.compile(r"[\s,.;:!?()\"]+")


@dataclass(frozen=True)
class _Sketch:
    """`line` may be meant where all of `has` is found and nothing of `lacks`."""

    line: str
    has: frozenset[str]
    lacks: frozenset[str]

    @classmethod
    def of(cls, line: str, words: str) -> _Sketch:
        said = words.split()
        lacks = {word[1:] for word in said if word[0] == "-"}
        return cls(line, frozenset(said) - {f"-{word}" for word in lacks}, frozenset(lacks))


@dataclass(frozen=True)
class _Idea:
    """What an idea is called, and a pattern for some of its words."""

    name: str
    form: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiled when a text first has a word that begins like these."""
        return re.compile(self.form)


class _Ideas:
    """Those of one table, by how their words begin: few of them are tried for a text."""

    def __init__(self, ideas: Mapping[str, Sequence[str]]) -> None:
        self._by_start: dict[str, list[_Idea]] = defaultdict(list)
        for name, words in ideas.items():
            alike: dict[str, list[str]] = defaultdict(list)
            for word in words:
                alike[_start(word)].append(re.escape(word).replace(r"\*", r"\w*"))
            for start, forms in alike.items():
                self._by_start[start].append(_Idea(name, rf" (?:{'|'.join(forms)})(?= )"))

    def within(self, level: str) -> set[str]:
        """The names of those that it has."""
        words = level.split()
        starts = {start for word in words for start in (word, *(word[:n] for n in _STARTS))}
        tried = (idea for start in starts for idea in self._by_start.get(start, ()))
        return {idea.name for idea in tried if idea.pattern.search(level)}


def _start(words: str) -> str:
    """The first of the words, or as many of its letters before a star as tell it from most others."""
    first, *_ = words.split()
    letters, star, _ = first.partition("*")
    return letters[: max(_STARTS)] if star else first


class _Language:
    """The ideas and sketches of one."""

    def __init__(self, language: str) -> None:
        self._apostrophe = str(_WORDS.of(language, "apostrophe"))
        self._ideas = self._table(language, "ideas")
        self._anew = self._sketches(language, "sketches")
        self._in_match = self._sketches(language, "sketches_in_match")
        self._read = self._sketches(language, "sketches_read")
        self._talk = self._table(language, "talk")

    def found(self, text: str) -> set[str]:
        return self._ideas.within(self._words(text))

    def is_talk(self, text: str) -> bool:
        """Whether it asks somebody how they are doing, tells of what was, or says how something is: no request."""
        said = self._talk.within(self._words(text))
        of_others = ("asks" if _is_question(text) else "tells") in said
        return "always" in said or (of_others and "wants" not in said)

    def _words(self, text: str) -> str:
        return f" {' '.join(filter(None, _GAPS.split(self._level(text))))} "

    def read(self, found: Set[str], filled: Mapping[str, str], *, anew: bool) -> Iterator[str]:
        for sketch in self._anew if anew else self._in_match:
            if sketch.has <= found and not sketch.lacks & found:
                yield sketch.line.format(**filled)

    def only_reads(self, found: Set[str]) -> Iterator[str]:
        return (each.line for each in self._read if each.has <= found and not each.lacks & found)

    def _level(self, text: str) -> str:
        return bare(text).replace("'", self._apostrophe)

    def _table(self, language: str, table: str) -> _Ideas:
        said = _WORDS.of(language, table).items()
        return _Ideas({name: [*map(self._level, words)] for name, words in said})

    def _sketches(self, language: str, table: str) -> Sequence[_Sketch]:
        lines = _WORDS.of(language, table).items()
        return [_Sketch.of(written(line, language), words) for line, ways in lines for words in ways]


def sketched(text: str, *, anew: bool) -> Iterator[str]:
    """The lines of the grammar that it may be about. `anew`: it answers no letter of a match."""
    said = _GAPS.split(text)
    if len(text) > _LONGEST or not 1 < len(said) <= (_MOST_WORDS if anew else _MOST_IN_MATCH):
        return
    if anew and (len(named_cells(text)) > 1 or is_talk(text)):
        return
    filled, asked = {**blanks_in(text), **hours_in(text)}, {"asked"} if _asks(text, anew=anew) else set()
    found = _found(_tempered(text))
    for language, ideas in sorted(found, key=lambda each: -len(each[1])):
        yield from language.read(ideas | filled.keys() | asked, filled | {"said": text}, anew=anew)


def is_talk(text: str) -> bool:
    """Whether it asks how somebody is, tells of what was, or says how something is, in any language."""
    return any(language.is_talk(text) for language in _languages())


def robot_in(text: str) -> str:
    """The robot that is as strong as the text asks for: the strong one, the middle one, else the first."""
    found = set().union(*(ideas for _, ideas in _found(_tempered(text))))
    return f"Robot-{3 if 'strong' in found else 2 if 'middle' in found else 1}"


def _tempered(text: str) -> str:
    """Without what only says how it should not be, or why: `not too strong`, `as Ian has no time`."""
    return _MILD.sub(" ", bare(text))


def asked_to_read(text: str) -> Iterator[str]:
    """Of these lines the ones that only read, where it says plainly enough that it is asked of us."""
    if len(text) > _LONGEST or len(_GAPS.split(text)) > _MOST_WORDS:
        return
    asked = {"asked"} if _asks(text, anew=True) else set()
    for language, ideas in _found(text):
        yield from language.only_reads(ideas | asked)


@lru_cache(maxsize=256)  # each way of reading a line asks for it anew
def _found(text: str) -> Sequence[tuple[_Language, Set[str]]]:
    """The ideas of each language that the text has."""
    return [(language, language.found(text)) for language in _languages()]


def _asks(text: str, *, anew: bool) -> bool:
    """Whether it is a question, or begins as people begin what they wish."""
    return _is_question(text) or any(wishes(text)) or (anew and fold(_GAPS.split(text)[0]) in _BIDDING)


def _is_question(text: str) -> bool:
    """Many leave out the sign."""
    return "?" in text or (fold(_GAPS.split(text)[0]) in _QUESTIONING and not text.endswith(("!", "..")))


def blanks_in(text: str) -> dict[str, str]:
    """What may be filled in: a game, somebody, an address, a number."""
    found = {
        "game": game_pattern().search(bare(text)),
        "email": _EMAIL.search(text),
        "number": _number(text),
    }
    filled = {name: text[slice(*hit.span())] for name, hit in found.items() if hit}
    names = (
        [filled["email"]] if "email" in filled else [name for name in _NAME.findall(text) if is_name(name)]
    )
    return filled | ({"who": names[0]} if len(names) == 1 else {})


def _number(text: str) -> re.Match[str] | None:
    """Of a match or an offer: at the end, or behind the word for it; no hour, and not how many there are."""
    kind = without_courtesy(text.rstrip("!?. "))
    for found in _NUMBER.finditer(kind):
        before = fold(" ".join(kind[: found.start()].split()[-1:]))
        last = not kind[found.end() :].strip(_SIGNS)
        if before in _YEARS and found[1][:2] in ("19", "20") and len(found[1]) == _YEAR:
            continue
        if before and (before in _COUNTED or (last and before not in _HOURS)):
            return _NUMBER.search(text, found.start())
    return None


@cache
def _languages() -> tuple[_Language, ...]:
    return tuple(map(_Language, _WORDS.languages))

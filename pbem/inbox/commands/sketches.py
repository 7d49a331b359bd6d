"""Guesses commands from the ideas in a sentence: `would Carla be up for a game of Emergo?`. Always asked
about.

In the wording, `ideas` are words with the same meaning (`*`: any ending), and `sketches` the ideas of a
grammar line.
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
TAKES_OFFER = _WORDS.words("takes_offer")  # beside the offering player's name
_SIGNS = ",.;:!?() "
_STARTS = (1, 2, 3)  # letters
_GAPS = re.compile(r"[\s,.;:!?()\"]+")


@dataclass(frozen=True)
class _Sketch:
    """A `line` that may be meant when all ideas of `has` and none of `lacks` are found."""

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
    """The name of an idea, and a pattern for some of its words."""

    name: str
    form: str

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiles the pattern on first use."""
        return re.compile(self.form)


class _Ideas:
    """The ideas of one table, by the beginnings of their words."""

    def __init__(self, ideas: Mapping[str, Sequence[str]]) -> None:
        self._by_start: dict[str, list[_Idea]] = defaultdict(list)
        for name, words in ideas.items():
            alike: dict[str, list[str]] = defaultdict(list)
            for word in words:
                alike[_start(word)].append(re.escape(word).replace(r"\*", r"\w*"))
            for start, forms in alike.items():
                self._by_start[start].append(_Idea(name, rf" (?:{'|'.join(forms)})(?= )"))

    def within(self, level: str) -> set[str]:
        """Returns the names of the ideas that a text has."""
        words = level.split()
        starts = {start for word in words for start in (word, *(word[:n] for n in _STARTS))}
        tried = (idea for start in starts for idea in self._by_start.get(start, ()))
        return {idea.name for idea in tried if idea.pattern.search(level)}


def _start(words: str) -> str:
    """Returns the first word, or its first letters before a star."""
    first, *_ = words.split()
    letters, star, _ = first.partition("*")
    return letters[: max(_STARTS)] if star else first


class _Language:
    """The ideas and sketches of a language."""

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
        """Whether the text is small talk or a statement, and no request."""
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
    """Yields the grammar lines that the text may mean. `anew`: it is not a reply about a match."""
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
    """Whether the text is small talk or a statement, in any language."""
    return any(language.is_talk(text) for language in _languages())


def robot_in(text: str) -> str:
    """Returns the robot of the strength that the text asks for, by default the first."""
    found = set().union(*(ideas for _, ideas in _found(_tempered(text))))
    return f"Robot-{3 if 'strong' in found else 2 if 'middle' in found else 1}"


def _tempered(text: str) -> str:
    """Removes qualifications and reasons: `not too strong`, `as Ian has no time`."""
    return _MILD.sub(" ", bare(text))


def asked_to_read(text: str) -> Iterator[str]:
    """Yields the read-only lines that the text plainly asks for."""
    if len(text) > _LONGEST or len(_GAPS.split(text)) > _MOST_WORDS:
        return
    asked = {"asked"} if _asks(text, anew=True) else set()
    for language, ideas in _found(text):
        yield from language.only_reads(ideas | asked)


@lru_cache(maxsize=256)  # called repeatedly for each line
def _found(text: str) -> Sequence[tuple[_Language, Set[str]]]:
    """Returns the ideas of the text in each language."""
    return [(language, language.found(text)) for language in _languages()]


def _asks(text: str, *, anew: bool) -> bool:
    """Whether the text is a question or begins as a request."""
    return _is_question(text) or any(wishes(text)) or (anew and fold(_GAPS.split(text)[0]) in _BIDDING)


def _is_question(text: str) -> bool:
    """Whether the text is a question, with or without its sign."""
    return "?" in text or (fold(_GAPS.split(text)[0]) in _QUESTIONING and not text.endswith(("!", "..")))


def blanks_in(text: str) -> dict[str, str]:
    """Returns the game, the player, the address and the number that the text names."""
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
    """Finds the number of a match or an offer; no hour, year or count."""
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

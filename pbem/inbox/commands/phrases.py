"""The lines of the grammar in other words, as the table `said` of the wording has them, and verbs in each language."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache

from games.registry import spoken_names
from pbem.budget import check
from pbem.inbox.commands.line import plain
from pbem.inbox.commands.verbs import VERBS_OF
from pbem.inbox.understanding.normalization import bare, of_match, unquoted, without_courtesy
from pbem.inbox.understanding.slots.names import NOBODY
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_BLANKS = {
    "name": r"[^\W\d_][\w.'-]{1,23}",
    "number": r"#?[0-9]{1,9}",
    "days": r".{0,79}?[^\s,]",
}


@dataclass(frozen=True)
class Phrase:
    """A way to say `line`: the words of the wording, with blanks in braces. Commas count as spaces."""

    line: str
    words: Sequence[str]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        return re.compile("".join(map(_form, self.words)))

    def read(self, text: str, level: str) -> str | None:
        """Returns the filled line, None when the text does not say it; `level`: `bare(text)` and a space."""
        found = self.pattern.fullmatch(level)
        if not found:
            return None
        filled = {blank: text[slice(*found.span(blank))] for blank in found.groupdict()}
        return None if fold(filled.get("name", "")) in NOBODY else self.line.format(**filled)


@cache
def _phrases() -> Mapping[str, Sequence[Phrase]]:
    """Returns the phrases of all languages by first word; under "" those that begin with a blank."""
    found: dict[str, list[Phrase]] = {}
    for language, lines in _WORDS.each("said").items():
        for line, ways in lines.items():
            for way in ways:
                words = re.split(r"[\s,]+", way)
                first = (
                    "" if words[0].startswith("{") else re.split("'", bare(words[0]), maxsplit=1)[0].strip()
                )
                found.setdefault(first, []).append(Phrase(written(line, language), words))
    return found


def _form(word: str) -> str:
    """Returns the pattern of a word or blank, with the space after it: none after an elision."""
    if word.startswith("{"):
        name = word.strip("{}")
        return rf"(?P<{name}>{_game() if name == 'game' else _BLANKS[name]})(?:[\s,]++|(?='s\s))"
    said = re.escape(bare(word).strip())
    return rf"{said}\s?" if word.endswith("'") else rf"{said}(?:[\s,]++|(?='))"


@cache
def written(line: str, language: str) -> str:
    """Returns a grammar line as it is written in a language."""
    if own := _WORDS.of(language, "spelled").get(line):
        return str(own)
    return " ".join(called(word, language) for word in line.split())


def called(verb: str, language: str) -> str:
    """Translates an English verb, in the same case."""
    for each in VERBS_OF.get(fold(verb), ()) if verb.isalpha() else ():
        if fold(verb) in map(fold, each.phrases["en"].words):
            word = each.phrases[language].words[0]
            return word if verb.isupper() else word.lower()
    return verb


def spoken_in(line: str, language: str) -> str:
    """Translates the verb of a grammar line: CHALLENGE becomes SFIDA."""
    word, blank, rest = line.partition(" ")
    verbs = VERBS_OF.get(fold(word), ())
    if len({verb.command for verb in verbs}) != 1:
        return line
    words = verbs[0].phrases[language].words
    return line if fold(word) in map(fold, words) else f"{words[0]}{blank}{rest}"


@cache
def game_pattern() -> re.Pattern[str]:
    """Compiles the pattern of a game anywhere in a lower-case text."""
    return re.compile(rf"(?<![\w@.]){_game()}(?![\w@])")


@cache
def _game() -> str:
    """Builds the pattern of a game in any language, with or without a variant."""
    names = sorted(spoken_names(), key=len, reverse=True)
    said = "|".join(re.escape(name).replace(r"\ ", "[ -]") for name in names)
    return rf"(?:{said})(?:[:+][\w+:,=-]{{1,60}}(?<!,))?"


# Finds the grammar line that a whole line says in other words: `I resign`, `my games please`.

_LONGEST_PARAPHRASE = 160  # characters; longer is talk
_DOUBTS = ("!", "?", "..")


def unwrapped(text: str) -> Iterator[str]:
    """Yields the line without thanks, quotation marks and the word for a match. Empty for a question."""
    written = plain(text[: _LONGEST_PARAPHRASE + 1])
    if len(text) <= _LONGEST_PARAPHRASE and not written.endswith(_DOUBTS):
        kind = without_courtesy(unquoted(written))
        yield from dict.fromkeys(line for line in (of_match(kind), kind) if line != written)


@lru_cache(maxsize=1024)  # called repeatedly for each line
def in_other_words(text: str) -> Sequence[str]:
    """Returns the grammar lines that the whole text says. Empty for a question or an exclamation."""
    written = plain(text[: _LONGEST_PARAPHRASE + 1])
    if len(text) > _LONGEST_PARAPHRASE or written.endswith(_DOUBTS):
        return ()
    check()
    said = of_match(without_courtesy(unquoted(written)))
    level = f"{bare(said)} "
    first = re.split(r"[\s,']", level, maxsplit=1)[0]
    by_word = _phrases()
    lines = (phrase.read(said, level) for phrase in (*by_word.get(first, ()), *by_word.get("", ())))
    return tuple(filter(None, lines))

"""Sentence templates of the wording, and the grammar line that each stands for.

In `play {game} <with> {who}`, `{game}` is a blank and `<with>` a word of the table `alike`; `[a|another|]` is
a choice, and may be missing after a final stroke. Commas count as spaces.
"""

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
_TOKEN = re.compile(r"\[([^\]]*)\]|\{(\w+)\}|([^\s,\[\]{}]+)")
_OWNERS = re.compile(r"['’]s$")  # Emma's offer
_ALIKE = re.compile(r"<(\w+)>")
_FIGURES = {
    bare(word): str(number)
    for words in _WORDS.each("time_in_talk", "numbers").values()
    for number, word in enumerate(words, 1)
}
_BLANKS = {
    "who": r"[^\W\d_][\w.+'-]{0,63}(?:@[\w.-]{1,190}\w)?",
    "friend": r"[^\W\d_][\w.+'-]{0,63}",
    "email": r"[^\W_][\w.+'-]{0,63}@[\w.-]{1,190}\w",
    "name": r"[^\W\d_][\w.'-]{1,23}",
    "number": r"#?[0-9]{1,9}",
    "few": rf"[0-9]{{1,2}}|{'|'.join(map(re.escape, _FIGURES))}",
    "days": r".{0,79}?[^\s,]",
    "place": r"[^\W\d_][\w'’-]*(?:\s[^\W\d_][\w'’-]*){0,2}",
    "zone": r"[^\W\d_][^\W\d_/ -]{1,24}(?:[ /_-][^\W\d_]{2,20}){0,2}",
    "rest": r".{0,119}?[^\s,]",
}


@dataclass(frozen=True)
class Phrase:
    """A way to say `line`; a text that says it has a word of each of `needs`."""

    line: str
    form: str
    needs: Sequence[Sequence[str]]

    @cached_property
    def pattern(self) -> re.Pattern[str]:
        """Compiles the pattern on first use."""
        # All patterns together take two seconds of each process.
        return re.compile(self.form)

    def _may_be(self, level: str) -> bool:
        # Most texts lack a word, so most patterns are never compiled. A loop, since `any` is too slow here.
        for ways in self.needs:
            for way in ways:
                if way in level:
                    break
            else:
                return False
        return True

    def read(self, text: str, level: str) -> str | None:
        """Returns the filled line, None when the text does not say it; `level`: `bare(text)` and a space."""
        found = self.pattern.fullmatch(level) if self._may_be(level) else None
        if not found:
            return None
        filled = {blank: text[slice(*found.span(blank))] for blank in found.groupdict()}
        if any(fold(filled.get(blank, "")) in NOBODY for blank in ("who", "name", "friend")):
            return None
        if not filled.get("friend", "A")[0].isupper():  # a friend's name has a capital
            return None
        if who := filled.get("who"):
            filled["who"] = _OWNERS.sub("", who)
        if few := filled.get("few"):
            filled["few"] = _FIGURES.get(bare(few), few)
        return self.line.format(**filled)


@cache
def phrases(table: str) -> Mapping[str, Sequence[Phrase]]:
    """Returns the phrases of all languages by first word; under "" those that begin with a blank."""
    found: dict[str, list[Phrase]] = {}
    for language, lines in _WORDS.each(table).items():
        for line, ways in lines.items():
            said = written(line, language)
            for words in ways:
                begins, form, needs = _read(words, language)
                phrase = Phrase(said, form, needs)
                for first in begins:
                    found.setdefault(first, []).append(phrase)
    return found


@lru_cache(maxsize=1024)  # called repeatedly for each line
def matching(table: str, text: str) -> Sequence[str]:
    """Returns the grammar lines that the whole text says, by a table of the wording."""
    check()
    by_word = phrases(table)
    level = f"{bare(text)} "
    first = re.split(r"[\s,']", level, maxsplit=1)[0]
    said = (phrase.read(text, level) for phrase in (*by_word.get(first, ()), *by_word.get("", ())))
    return tuple(filter(None, said))


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


def _read(words: str, language: str) -> tuple[set[str], str, Sequence[Sequence[str]]]:
    """Returns the words that it may begin with, its pattern, and a word of each way to say a needed part."""
    # The last part is tried first: the beginning is known to fit.
    alike = _WORDS.of(language, "alike")
    parts: list[str] = []
    begins: set[str] = set()
    needs: list[Sequence[str]] = []
    open_end = True  # whether all parts so far may be missing
    for either, blank, word in _TOKEN.findall(_ALIKE.sub(lambda found: alike[found[1]], words)):
        ways = [""] if blank else either.split("|") if either or not word else [word]
        said = [bare(way).strip() for way in ways]
        parts.append(_blank(blank) if blank else _either(said))
        if all(said):
            needs.insert(0, [max(re.split(r"[\s,]+", way), key=len) for way in said])
        if open_end:
            begins |= {re.split(r"[\s,']", way, maxsplit=1)[0] for way in said if way} or {""}
            open_end = not blank and "" in said
    return begins, "".join(parts), needs


def _blank(name: str) -> str:
    form = _game() if name == "game" else _BLANKS[name]
    return rf"(?P<{name}>{form})(?:[\s,]++|(?='s\s))"


def _either(ways: Sequence[str]) -> str:
    said = "|".join(map(_spaced, sorted(filter(None, ways), key=len, reverse=True)))
    return f"(?:{said})" + ("?" if "" in ways else "")


def _spaced(words: str) -> str:
    # People write a comma or several spaces; none after an elision, nor before what is left of `is`.
    gap = r"(?:[\s,]++|(?='))"
    said = gap.join(map(re.escape, re.split(r"[\s,]+", words)))
    return rf"{said}\s?" if words.endswith("'") else said + gap


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


def in_other_words(text: str) -> Iterator[str]:
    """Yields the grammar lines that the whole text says. Empty for a question or an exclamation."""
    written = plain(text[: _LONGEST_PARAPHRASE + 1])
    if len(text) <= _LONGEST_PARAPHRASE and not written.endswith(_DOUBTS):
        yield from matching("said", of_match(without_courtesy(unquoted(written))))

"""The same in other words: whole lines that say what a line of the grammar says, as `I resign`, `my games please`.

What they mean stands in the wording of each language: under `said` what is done, under `nearly` what is asked about,
by the line of the grammar, with blanks such as `{game}` and `{who}` for what is filled in.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from pbem.inbox.commands.line import is_game, plain
from pbem.inbox.commands.normalization import bare, of_match, unquoted, without_courtesy, without_wish
from pbem.inbox.commands.words import VERBS_OF
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_LONGEST = 160  # characters; longer is talk
_FEW_WORDS = 4
_DOUBTS = ("!", "?", "..")
_BLANKS = {
    "game": r"[^\W\d_][\w+:,=-]{0,60}",
    "who": r"[^\W\d_][\w.+'-]{0,63}(?:@[\w.-]{1,190}\w)?",
    "name": r"[^\W\d_][\w.'-]{1,23}",
    "number": r"#?[0-9]{1,9}",
    "days": r".{1,80}",
    "rest": r".{1,120}",
}
_NOBODY = _WORDS.words("nobody")  # "I challenge you" is said to the opponent


@dataclass(frozen=True)
class _Phrase:
    """A way to say `line`, in a language."""

    line: str
    language: str
    pattern: re.Pattern[str]

    @classmethod
    def of(cls, line: str, language: str, words: str) -> _Phrase:
        parts = re.split(r"\{(\w+)\}", words)
        said = (_name(part) if at % 2 else _spaced(part) for at, part in enumerate(parts))
        return cls(line, language, re.compile("".join(said)))

    def read(self, text: str, level: str) -> str | None:
        """The line of the grammar, with what was filled in."""
        found = self.pattern.fullmatch(level)
        if not found:
            return None
        filled = {blank: text[slice(*found.span(blank))] for blank in found.groupdict()}
        if fold(filled.get("who", "")) in _NOBODY or not is_game(filled.get("game", "zertz")):
            return None
        verb, _, rest = self.line.partition(" ")
        return f"{called(verb, self.language)} {rest}".rstrip().format(**filled)


def _name(blank: str) -> str:
    return f"(?P<{blank}>{_BLANKS[blank]})"


def _spaced(part: str) -> str:
    """Where people put a comma or more than one blank."""
    words = re.split(r"[\s,]+", bare(part))
    return r"[\s,]+".join(map(re.escape, words))


def called(verb: str, language: str) -> str:
    """A verb of English in a language, as capital or small as it is."""
    for each in VERBS_OF[fold(verb)]:
        if fold(verb) in map(fold, each.phrases["en"].words):
            word = each.phrases[language].words[0]
            return word if verb.isupper() else word.lower()
    return verb


def _phrases(table: str) -> Mapping[str, Sequence[_Phrase]]:
    """By the word that they begin with; under "" those that begin with what is filled in."""
    found: dict[str, list[_Phrase]] = {}
    for language, lines in _WORDS.each(table).items():
        for line, ways in lines.items():
            for words in ways:
                first = bare(words.split()[0])
                found.setdefault("" if "{" in first else first, []).append(_Phrase.of(line, language, words))
    return found


_SAID, _NEARLY = _phrases("said"), _phrases("nearly")


def unwrapped(text: str) -> Iterator[str]:
    """The line without thanks, quotation marks and the word for a match; nothing for a question or an exclamation."""
    written = plain(text[: _LONGEST + 1])
    if len(text) <= _LONGEST and not written.endswith(_DOUBTS):
        kind = without_courtesy(unquoted(written))
        yield from dict.fromkeys(line for line in (of_match(kind), kind) if line != written)


def in_other_words(text: str) -> Iterator[str]:
    """The lines of the grammar that the whole text says; nothing for a question or an exclamation."""
    written = plain(text[: _LONGEST + 1])
    if len(text) <= _LONGEST and not written.endswith(_DOUBTS):
        yield from _of(_SAID, of_match(without_courtesy(unquoted(written))))


def nearly(text: str) -> Iterator[str]:
    """The lines of the grammar that the text may mean, exclaimed or asked."""
    if len(text) > _LONGEST:
        return
    written = plain(text)
    about = of_match(without_courtesy(unquoted(written.rstrip("!?. "))))
    wished = without_wish(about)
    for line in dict.fromkeys((about, wished, without_wish(wished))):
        for phrases in (_SAID, _NEARLY):
            yield from _of(phrases, line)
    if wished != about:
        yield wished
    for clause in _clauses(about):
        yield from _of(_SAID, clause)


def _clauses(text: str) -> Iterator[str]:
    """What stands before or after a comma, if more than one word does: `I resign, well played`."""
    first, _, second = text.partition(",")
    if 0 < len(second.split()) <= _FEW_WORDS and len(first.split()) <= _FEW_WORDS:
        yield from (clause.strip() for clause in (first, second) if " " in clause.strip())


def _of(phrases: Mapping[str, Sequence[_Phrase]], text: str) -> Iterator[str]:
    level = bare(text)
    first = re.split(r"[\s,]", level, maxsplit=1)[0]
    for phrase in (*phrases.get(first, ()), *phrases.get("", ())):
        if line := phrase.read(text, level):
            yield line

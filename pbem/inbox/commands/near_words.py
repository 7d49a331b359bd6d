"""Finds the grammar line that a short line has the keywords of, or mistypes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice

from pbem.inbox.commands.agreement import agrees
from pbem.inbox.commands.moves_in_talk import WORD, words_in
from pbem.inbox.commands.normalization import bare
from pbem.inbox.commands.phrases import written
from pbem.inbox.commands.words import VERBS_OF
from pbem.wording import fold, wording

_WORDS = wording(__package__)
FEW_WORDS = 8  # of a line about anything but a move
LITTLE = _WORDS.words("little", "words")


@dataclass(frozen=True)
class _About:
    """Keywords of a command, and its line in the grammar."""

    words: frozenset[str]
    line: str


def _abouts() -> tuple[_About, ...]:
    return tuple(
        _About(frozenset(words_in([phrase])), written(line, language))
        for language, lines in _WORDS.each("about").items()
        for line, phrases in lines.items()
        for phrase in phrases
    )


_ABOUT = sorted(_abouts(), key=lambda each: -len(each.words))


def about(text: str) -> Iterator[str]:
    """Yields the lines with all keywords in the text, beside filler words only."""
    words = [*map(fold, WORD.findall(text))]
    if not 0 < len(words) <= FEW_WORDS:
        return
    said = frozenset(fold(word) for word in WORD.findall(text) if word.isascii())  # not the tie of `tiè!`
    for each in _ABOUT:
        if not each.words <= said:
            continue
        rest = [word for word in words if word not in each.words]
        if len(words) - len(rest) == len(each.words) and LITTLE.issuperset(rest):
            yield each.line


def mistyped(text: str) -> Iterator[str]:
    """Yields the text with its first word corrected to a verb."""
    # The first letter is rarely mistyped, and short words are near to many.
    first, _, rest = text.partition(" ")
    word = bare("".join(filter(str.isalpha, first)))
    if not 3 < len(word) < 20 or word in VERBS_OF or agrees(text) is not None:
        return
    possible = [verb for verb in VERBS_OF if verb[:1] == word[:1] and len(verb) > 3]
    for verb in islice(get_close_matches(word, possible, n=2, cutoff=0.75), 2):
        yield f"{verb} {rest}".rstrip()

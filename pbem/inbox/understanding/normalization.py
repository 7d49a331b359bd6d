"""Levels text: strips courtesy, quotation marks, smileys and the word for a match; spells short forms out."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache, lru_cache

from pbem.wording import primitive, wording

_WORDS = wording("pbem.inbox.commands")
_PAIRS = ("“”", "„“", "„”", "‘’", "«»", "»«", '""', "''", "()", "[]", "**")
_LONGEST = 200  # characters; longer is talk
_MOST_WISHES = 5  # in a row: "Hi, please, I would like to"


@lru_cache(maxsize=1024)  # called repeatedly for each line
def bare(text: str) -> str:
    """Lower-cases and strips accents; the length stays, so that positions fit the text."""
    if text.isascii():
        return text.lower()
    return "".join(unicodedata.normalize("NFD", letter.lower())[:1] or letter for letter in text)


def _either(words: Iterable[str]) -> str:
    return "|".join(map(re.escape, sorted(set(map(bare, words)), key=len, reverse=True))) or "(?!)"


def _any_of(words: Iterable[str]) -> str:
    """Builds alternatives for a possessive repetition."""
    return "|".join(map(re.escape, primitive(map(bare, words)))) or "(?!)"


_COURTESY = _any_of(word for words in _WORDS.each("courtesy").values() for word in words)
_KIND_BEFORE = re.compile(rf"(?:{_either(_WORDS.words('please'))})[\s,]+(?=\S)")
_KIND_AFTER = re.compile(rf"(?<=\S)(?:[\s,;.:-]++(?:{_COURTESY}))++$")
_OF_MATCH = re.compile(rf"\b(?:{_either(_WORDS.words('match'))})\s+(?:#\s?)?(?=[0-9]{{1,9}}\b)")


@cache
def _wish() -> re.Pattern[str]:
    # Compiled on first use: it takes a twentieth of the start-up time.
    wishes, greetings = _either(_WORDS.words("wishes")), _either(_WORDS.words("greetings"))
    return re.compile(rf"(?:{wishes}|(?:{greetings})[\s,.!:;-]*)[\s,:]+(?=\S)")


def without_courtesy(text: str) -> str:
    """Removes please and thanks at both ends."""
    if len(text) > _LONGEST:
        return text
    after = _KIND_AFTER.search(bare(text))
    text = text[: after.start()] if after else text
    before = _KIND_BEFORE.match(bare(text))
    return text[before.end() :] if before else text


def wishes(text: str) -> Iterator[str]:
    """Yields the text after each introduction to a request: `Hi, I'd like to`, `ciao, posso`."""
    for _ in range(_MOST_WISHES):
        before = _wish().match(bare(text[:_LONGEST]))
        if not before:
            return
        text = text[before.end() :]
        yield text


def of_match(text: str) -> str:
    """Removes the word before a number: `match 4: b8-b6`, `join game 12`."""
    found = _OF_MATCH.search(bare(text)) if len(text) <= _LONGEST else None
    return text[: found.start()] + text[found.end() :] if found else text


def unquoted(text: str) -> str:
    """Removes the only pair of signs around the text."""
    for first, last in map(tuple, _PAIRS):
        within = text[1:-1]
        if len(text) > 2 and text[0] == first and text[-1] == last and not {first, last} & set(within):
            return within.strip()
    return text


# Expands short spellings: `nn` is non, `wanna` want to.

_FULL = dict(pair.split(" = ") for pair in _WORDS.words("short_spellings"))
_SHORT = re.compile(
    rf"(?<![\w'’.-])(?:{'|'.join(sorted(map(re.escape, _FULL), key=len, reverse=True))})(?![\w'’-])", re.I
)


def spelled_out(text: str) -> str:
    """Expands the short spellings of a text."""
    return _SHORT.sub(lambda found: _FULL[found[0].lower()], text)


# Removes smileys and laughter.

FACE = r"[:;=]-?[)DP](?!\w)"  # ends a sentence as a full stop does
_FACES = r"[:;=][-'’o]?[)(\]\[DPpdoO*|/3]+|[xX][dD]+|\^_*\^"
_LAUGHTER = r"(?i:lol|lmao|rofl|(?:ha){2,}h?|(?:he){2,}h?|(?:hi){2,}|(?:ah){2,}a?|(?:eh){2,}e?)"
_EMOJI = r"[\u203c\u2049\u2600-\u27bf\U0001f000-\U0001faff]+[\ufe0f\u200d]*"
_SMILEY = re.compile(rf"(?<![^\W_])(?:{_FACES}|{_LAUGHTER})(?![^\W_])|<3+|{_EMOJI}")
# Behind a move a face has a space before it, and may have the eyes 8 or X.
_LAST = re.compile(rf"(?:\s++(?:{_FACES}|{_LAUGHTER}|[8xX]['’]?-?[)(DPpOo/|*\]\[]|<3+)|\s*+{_EMOJI})++\s*$")


def without_smileys(text: str) -> str:
    """Replaces smileys by `!`: `yes :) good luck` becomes `yes ! good luck`."""
    return _SMILEY.sub(" ! ", text)


def without_last_smileys(text: str) -> str:
    """Removes smileys at the end: `b1-b3 ;-)` becomes `b1-b3`."""
    return _LAST.sub("", text)

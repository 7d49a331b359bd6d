"""The words of a package, language by language, as they stand in its files `wording.<language>.toml`.

A language is there if its files are. All files of a package have the keys of the English one: where a language has no
word of a kind, the list is empty.
"""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.resources import files
from typing import Any

SOURCE = "en"  # the language of the sources, whose keys all others have
_LONGEST_WORD = 32  # letters; what is longer comes once, and would fill the memory
_FILE = re.compile(r"wording\.([\w-]+)\.toml")


class MiswrittenWording(ValueError):
    """A file of words that cannot be read, or lacks a key, or has one that nobody knows."""


@dataclass(frozen=True)
class Wording:
    """What the files of `package` say, by language."""

    package: str
    tables: Mapping[str, Mapping[str, Any]]

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.tables)

    def of(self, language: str, *keys: str) -> Any:
        """What stands under the keys in the file of one language. Raises MiswrittenWording."""
        found: Any = self.tables[language]
        for number, key in enumerate(keys, 1):
            if key not in found:
                raise MiswrittenWording(f"{_path(self.package, language)}: no {'.'.join(keys[:number])}")
            found = found[key]
        return found

    def each(self, *keys: str) -> dict[str, Any]:
        """The same by language."""
        return {language: self.of(language, *keys) for language in self.languages}

    def words(self, *keys: str) -> frozenset[str]:
        """Those that stand under the keys in any language, folded."""
        return _folded(self.package, *keys)

    def either(self, *keys: str) -> str:
        """An expression for any of them; of none, one that nothing fits."""
        return "|".join(map(re.escape, self._all(*keys))) or "(?!)"

    def repeated(self, *keys: str) -> str:
        """The same for under a repetition, which has to be possessive: `(?:(?:words)\\s+)*+`."""
        return "|".join(map(re.escape, primitive(self._all(*keys)))) or "(?!)"

    def must_have(self, keys: Iterable[str], *under: str) -> None:
        """Raises MiswrittenWording where a language has others under `under`."""
        expected = {(*under, key) for key in keys}
        for language, table in self.each(*under).items():
            _compare(self.package, language, expected, {(*under, key) for key in table})

    def _all(self, *keys: str) -> Iterator[str]:
        for words in self.each(*keys).values():
            yield from words


def primitive(phrases: Iterable[str]) -> list[str]:
    """Without those that others of them make up, one after the other, so that no text is such a row in two ways; the
    longest first."""
    left = set(phrases)
    for phrase in sorted(left, key=len, reverse=True):
        if _made_of(phrase.split(), left - {phrase}):
            left.remove(phrase)
    return sorted(left, key=lambda phrase: (-len(phrase), phrase))


def _made_of(words: Sequence[str], phrases: Set[str]) -> bool:
    return not words or any(
        " ".join(words[:number]) in phrases and _made_of(words[number:], phrases)
        for number in range(1, len(words) + 1)
    )


@cache
def wording(package: str) -> Wording:
    """Read once in a process. Raises MiswrittenWording."""
    found = (_FILE.fullmatch(file.name) for file in files(package).iterdir())
    tables = {language: _read(package, language) for language in sorted(name[1] for name in found if name)}
    if SOURCE not in tables:
        raise MiswrittenWording(f"{_path(package, SOURCE)} is missing")
    keys = set(_keys(tables[SOURCE]))
    for language, table in tables.items():
        _compare(package, language, keys, set(_keys(table)))
    return Wording(package, tables)


@cache
def _folded(package: str, *keys: str) -> frozenset[str]:
    """Once in a process: what is read asks for some of them with every line."""
    return frozenset(map(fold, wording(package)._all(*keys)))


def fold(word: str) -> str:
    """A word as the tables know it: no case, no accents, no apostrophe in their place (`SI'`)."""
    return _word_folded(word) if len(word) <= _LONGEST_WORD else _fold(word)


def _fold(word: str) -> str:
    if word.isascii():
        return word.lower().rstrip("'`")
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).rstrip("'’`´")


_word_folded = lru_cache(maxsize=8192)(_fold)  # each way of reading a line folds its words anew


def _read(package: str, language: str) -> Mapping[str, Any]:
    text = files(package).joinpath(f"wording.{language}.toml").read_text("utf-8")
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise MiswrittenWording(f"{_path(package, language)}: {error}") from None


def _keys(table: Mapping[str, Any], path: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    for key, value in table.items():
        yield (*path, key)
        if isinstance(value, Mapping):
            yield from _keys(value, (*path, key))


def _compare(
    package: str, language: str, expected: set[tuple[str, ...]], found: set[tuple[str, ...]]
) -> None:
    missing = [f"no {'.'.join(key)}" for key in sorted(expected - found)]
    unknown = [f"unknown {'.'.join(key)}" for key in sorted(found - expected)]
    if missing or unknown:
        raise MiswrittenWording(f"{_path(package, language)}: {', '.join(missing + unknown)}")


def _path(package: str, language: str) -> str:
    return f"{package.replace('.', '/')}/wording.{language}.toml"

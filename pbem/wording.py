"""The words of a package by language, from its files `wording.<language>.toml`; those of a module are in files beside
it, `<module>.wording.<language>.toml`.

A language exists when its files do. All files have the keys of the English one; a list is empty when the
language has no such word.
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

SOURCE = "en"  # the source language, with the keys of all others
_LONGEST_WORD = 32  # letters; longer words occur once, and would fill the cache


class MiswrittenWording(ValueError):
    """A file of words cannot be read, lacks a key, or has an unknown one."""


@dataclass(frozen=True)
class Wording:
    """The words of a package or a module, by language."""

    package: str
    tables: Mapping[str, Mapping[str, Any]]

    @property
    def languages(self) -> tuple[str, ...]:
        return tuple(self.tables)

    def of(self, language: str, *keys: str) -> Any:
        """Returns the entry under the keys for one language. Raises MiswrittenWording."""
        found: Any = self.tables[language]
        for number, key in enumerate(keys, 1):
            if key not in found:
                raise MiswrittenWording(f"{_path(self.package, language)}: no {'.'.join(keys[:number])}")
            found = found[key]
        return found

    def each(self, *keys: str) -> dict[str, Any]:
        """Returns the entries under the keys, by language."""
        return {language: self.of(language, *keys) for language in self.languages}

    def words(self, *keys: str) -> frozenset[str]:
        """Returns the words under the keys in all languages, folded."""
        return _folded(self.package, *keys)

    def either(self, *keys: str) -> str:
        """Returns an expression that matches any of the words; without words, one that never matches."""
        return "|".join(map(re.escape, self._all(*keys))) or "(?!)"

    def repeated(self, *keys: str) -> str:
        """Like `either`, for a repetition, which has to be possessive: `(?:(?:words)\\s+)*+`."""
        return "|".join(map(re.escape, primitive(self._all(*keys)))) or "(?!)"

    def must_have(self, keys: Iterable[str], *under: str) -> None:
        """Raises MiswrittenWording for a language with other keys under `under`."""
        expected = {(*under, key) for key in keys}
        for language, table in self.each(*under).items():
            _compare(self.package, language, expected, {(*under, key) for key in table})

    def _all(self, *keys: str) -> Iterator[str]:
        for words in self.each(*keys).values():
            yield from words


def primitive(phrases: Iterable[str]) -> list[str]:
    """Returns the phrases that are no sequences of others, longest first: each text splits in one way."""
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
    """Returns the words of a package or a module, read once in a process. Raises MiswrittenWording."""
    folder, begins = _place(package)
    names = sorted(file.name for file in files(folder).iterdir())
    languages = [name.split(".")[-2] for name in names if re.fullmatch(rf"{begins}\.[\w-]+\.toml", name)]
    tables = {language: _read(package, language) for language in languages}
    if SOURCE not in tables:
        raise MiswrittenWording(f"{_path(package, SOURCE)} is missing")
    keys = set(_keys(tables[SOURCE]))
    for language, table in tables.items():
        _compare(package, language, keys, set(_keys(table)))
    return Wording(package, tables)


@cache
def _folded(package: str, *keys: str) -> frozenset[str]:
    return frozenset(map(fold, wording(package)._all(*keys)))


def fold(word: str) -> str:
    """Folds a word: no case, no accents, no apostrophe in place of one (`SI'`)."""
    return _word_folded(word) if len(word) <= _LONGEST_WORD else _fold(word)


def _fold(word: str) -> str:
    if word.isascii():
        return word.lower().rstrip("'`")
    letters = unicodedata.normalize("NFKD", word.casefold())
    return "".join(letter for letter in letters if not unicodedata.combining(letter)).rstrip("'’`´")


_word_folded = lru_cache(maxsize=8192)(_fold)  # each way to read a line folds its words again


def _read(package: str, language: str) -> Mapping[str, Any]:
    folder, begins = _place(package)
    text = files(folder).joinpath(f"{begins}.{language}.toml").read_text("utf-8")
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


def _place(package: str) -> tuple[str, str]:
    """Returns the package with the files, and what their names begin with."""
    # Without an import of the module, which may need its words.
    parent, _, module = package.rpartition(".")
    if parent and files(parent).joinpath(f"{module}.wording.{SOURCE}.toml").is_file():
        return parent, f"{module}.wording"
    return package, "wording"


def _path(package: str, language: str) -> str:
    folder, begins = _place(package)
    return f"{folder.replace('.', '/')}/{begins}.{language}.toml"

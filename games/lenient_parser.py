"""Turns moves in everyday words, such as `b8 to b6`, `da b8 a b6`, `b8→b6` or `white d4, a1`, into notation.

In a game's phrases, a piece has a `letter` and the words `spoken` for it. If the sign of a piece joins two
parts of a move, as the trap's does, its word may stand between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from games.kit.words import kit_phrases
from games.protocol import LANGUAGES, Notation, Position, UnreadableMove, phrases_of
from games.registry import AnyGame, games

_LONGEST = 120  # characters
# Cyrillic and Greek letters that look identical to Latin ones; not those that are merely similar: β, в.
_LATIN = str.maketrans("асеАВСЕНКМОРТХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aceABCEHKMOPTXABEZHIKMNOPTYX")
_LIKE_A_CELL = re.compile(rf"[{''.join(map(chr, _LATIN))}](?=[0-9])")
_CELL = r"[a-z][0-9]{1,2}(?![^\W_])"


def parse(game: AnyGame, position: Position, text: str, notation: Notation) -> Any:
    """Reads a legal move in the notation, or else in everyday words.

    Raises what `Game.read` raises; an UnreadableMove quotes the text as given.
    """
    try:
        return game.read(position, text, notation)
    except UnreadableMove:
        written = as_written(game, text, notation)
        if written == text:
            raise
    try:
        return game.read(position, written, notation)
    except UnreadableMove:
        raise UnreadableMove(text) from None


def as_written(game: AnyGame, text: str, notation: Notation) -> str:
    """Replaces the words for pieces by letters and the words between cells by hyphens; the rest stays as it
    is.
    """
    if len(text) > _LONGEST:
        return text
    letters, named, joined = _pieces(game.package, notation.language)
    text = _LIKE_A_CELL.sub(lambda found: found[0].translate(_LATIN), text.strip())
    written = named.sub(lambda found: letters[found[1].casefold()], text, count=1)
    written = joined.sub(lambda found: letters[found[1].casefold()], written, count=1)
    written = _off().sub(",", _apart().sub(r"\1\2", written), count=1)
    return _put().sub("", _between().sub(r"\1-\2", written, count=1), count=1)


@cache
def _pieces(package: str, language: str) -> tuple[Mapping[str, str], re.Pattern[str], re.Pattern[str]]:
    """Returns the letter of each spoken word, in the reader's language for words of any language; the pattern
    of a word at the start; and the pattern of a sign's word between two parts of a move.
    """
    own = phrases_of(package, language)["pieces"]
    letters = {
        word: own[piece]["letter"]
        for each in LANGUAGES
        for piece, said in phrases_of(package, each)["pieces"].items()
        for word in said.get("spoken", ())
    }
    kit = [kit_phrases(language)["spoken"] for language in LANGUAGES]
    on, also = (_either(word for said in kit for word in said[key]) for key in ("on", "also"))
    signs = _either(word for word, letter in letters.items() if not letter.isalpha())
    where = rf"\s+(?:(?:{on})\s+)?(?={_CELL})"
    return (
        letters,
        re.compile(rf"^(?:(?:{also})\s+)?({_either(letters)}){where}", re.IGNORECASE),
        re.compile(rf"(?<=[0-9])[\s,;.]*(?:\b(?:{also})\s++)*+({signs}){where}", re.IGNORECASE),
    )


def letters_of_pieces(game: AnyGame, text: str, notation: Notation) -> frozenset[str]:
    """Returns the letters of the pieces that the text names."""
    letters, _named, _joined = _pieces(game.package, notation.language)
    said = re.sub(r"\W+", " ", f" {text.casefold()} ")
    return frozenset(letter for word, letter in letters.items() if letter.isalpha() and f" {word} " in said)


@cache
def piece_words() -> frozenset[str]:
    """Returns the words for pieces, of every game and language, without letters such as the one of `straight e`."""
    return frozenset(
        word
        for game in games().values()
        for language in LANGUAGES
        for said in game.phrases(language)["pieces"].values()
        for phrase in said.get("spoken", ())
        for word in phrase.split()
        if len(word) > 1
    )


@cache
def _between() -> re.Pattern[str]:
    """Matches two cells with a word or arrow between them, after an optional man and `from`."""
    man, before, to = _said("man"), _said("from"), _said("to")
    return re.compile(
        rf"^(?:(?:{man})\s+)?(?:(?:{before})\s+)?({_CELL})(?:\s+(?:{to})\s+|\s*(?:[→⇒➔➜⟶➡/]\ufe0f?|=>)\s*)({_CELL})",
        re.IGNORECASE,
    )


@cache
def _put() -> re.Pattern[str]:
    """Matches `a man on` before a single cell."""
    return re.compile(rf"^(?:(?:{_said('man')})\s+)?(?:{_said('on')})\s+(?={_CELL}$)", re.IGNORECASE)


@cache
def _off() -> re.Pattern[str]:
    """Matches the words in `d4 and remove a1`, which means `d4,a1`."""
    return re.compile(rf"(?<=[0-9])[\s,;]*(?<![^\W_])(?:{_said('off')})\s+(?={_CELL})", re.IGNORECASE)


@cache
def _apart() -> re.Pattern[str]:
    """Matches the blank in `B d1` or `C 5`, which telephones insert after the letter of a piece or a column."""
    return re.compile(r"^([a-z])\s+(?=[a-z]?[0-9])()", re.IGNORECASE)


def _said(key: str) -> str:
    return _either(word for language in LANGUAGES for word in kit_phrases(language)["spoken"][key])


def _either(words: Iterable[str]) -> str:
    """Joins alternatives, the longest first; without words, matches nothing."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"

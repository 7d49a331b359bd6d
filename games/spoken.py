"""Moves as people say them: `b8 to b6`, `da b8 a b6`, `b8→b6`, `white d4, a1`, turned into what a notation reads.

A game that names its pieces by letters has in its phrases, beside the `letter` of a piece, the words `spoken` for it.
Where the sign of a piece joins two parts of a move, as the trap's does, its word may stand between them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from games.kit.words import kit_phrases
from games.protocol import LANGUAGES, Notation, Position, UnreadableMove, phrases_of
from games.registry import AnyGame, games

_LONGEST = 120  # characters; longer is talk
# Cyrillic and Greek letters that look the same; not those that only resemble one: β, в.
_LATIN = str.maketrans("асеАВСЕНКМОРТХΑΒΕΖΗΙΚΜΝΟΡΤΥΧ", "aceABCEHKMOPTXABEZHIKMNOPTYX")
_LIKE_A_CELL = re.compile(rf"[{''.join(map(chr, _LATIN))}](?=[0-9])")
_CELL = r"[a-z][0-9]{1,2}(?![^\W_])"


def read(game: AnyGame, position: Position, text: str, notation: Notation) -> Any:
    """The legal move that the text means, as the notation has it or else as people say it. Raises what
    `Game.read` does, about the text as it is."""
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
    """The text with letters for the pieces that it names, and a hyphen from cell to cell; what is neither, stays."""
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
    """The letter for each spoken word, in the reader's language whatever language the word is of; where one is; and
    where one joins what is behind it to what is before it."""
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
    """Those of the pieces that the text names."""
    letters, _named, _joined = _pieces(game.package, notation.language)
    said = re.sub(r"\W+", " ", f" {text.casefold()} ")
    return frozenset(letter for word, letter in letters.items() if letter.isalpha() and f" {word} " in said)


@cache
def piece_words() -> frozenset[str]:
    """The words for pieces, of every game and language."""
    return frozenset(
        word
        for game in games().values()
        for language in LANGUAGES
        for said in game.phrases(language)["pieces"].values()
        for phrase in said.get("spoken", ())
        for word in phrase.split()
    )


@cache
def _between() -> re.Pattern[str]:
    """From cell to cell, before which a man and `from` may stand."""
    man, before, to = _said("man"), _said("from"), _said("to")
    return re.compile(
        rf"^(?:(?:{man})\s+)?(?:(?:{before})\s+)?({_CELL})(?:\s+(?:{to})\s+|\s*(?:[→⇒➔➜⟶➡/]\ufe0f?|=>)\s*)({_CELL})",
        re.IGNORECASE,
    )


@cache
def _put() -> re.Pattern[str]:
    """`a man on`, before the one cell where it goes."""
    return re.compile(rf"^(?:(?:{_said('man')})\s+)?(?:{_said('on')})\s+(?={_CELL}$)", re.IGNORECASE)


@cache
def _off() -> re.Pattern[str]:
    """`d4 and remove a1` is d4,a1."""
    return re.compile(rf"(?<=[0-9])[\s,;]*(?<![^\W_])(?:{_said('off')})\s+(?={_CELL})", re.IGNORECASE)


@cache
def _apart() -> re.Pattern[str]:
    """`B d1`, `C 5`: what telephones take apart; the letter of a piece, or of a cell."""
    return re.compile(r"^([a-z])\s+(?=[a-z]?[0-9])()", re.IGNORECASE)


def _said(key: str) -> str:
    return _either(word for language in LANGUAGES for word in kit_phrases(language)["spoken"][key])


def _either(words: Iterable[str]) -> str:
    """Any of them, the longest first; of none, what nothing fits."""
    return "|".join(map(re.escape, sorted(words, key=len, reverse=True))) or "(?!)"

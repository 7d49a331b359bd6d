"""Finds the terms of a match: `play zertz with Bruno, 5 days per move, I go first`."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from pbem import matches
from pbem.inbox.understanding.normalization import bare
from pbem.matches.clock.control import CLOCK, TOTAL, as_tokens
from pbem.wording import SOURCE, fold, wording

_WORDS = wording("pbem.inbox.commands")
_TIMED = re.compile(rf"{CLOCK}|(?:{TOTAL})=\S+", re.IGNORECASE)
_WHEN = _WORDS.words("when")  # in two days
_SIGNS = ",.;:!?"
_BLANKS = str.maketrans(dict.fromkeys(_SIGNS, " "))
_LONGEST = 200  # characters
_DENYING, _FAR = _WORDS.words("denying"), 5  # words
_MATCHES = wording(matches.__package__)
_UNTIMED = {bare(word).replace("-", " ") for word in _MATCHES.words("terms", "no_clock")}
_HOW = re.compile(rf" (?:{_WORDS.either('said_sides_how')}) \w+(?= )")  # how do I start
# Options of a challenge for sides and colours
SIDES = frozenset(word for each in _WORDS.each("side_options").values() for word in each.values())
_SIDES: Mapping[str, Sequence[str]] = {
    side: [bare(way) for ways in _WORDS.each("said_sides", side).values() for way in ways]
    for side in _WORDS.of(SOURCE, "said_sides")
}


def said_terms(text: str, language: str) -> Sequence[str]:
    """Returns the terms as options of a challenge: a clock, sides or colours, and whether it is rated."""
    if len(text) > _LONGEST:
        return ()
    level = bare(text).replace("’", "'")
    level = _HOW.sub(" ", f" {' '.join(level.translate(_BLANKS).split())} ")
    sides = [
        _WORDS.of(language, "side_options", side)
        for side, ways in _SIDES.items()
        if any(f" {way} " in level for way in ways)
    ]
    untimed = any(f" {way} " in level for way in _UNTIMED)
    clocks = [_MATCHES.of(language, "terms", "no_clock")[0]] if untimed else _clocks(text)
    return (*clocks, *(sides if len(sides) == 1 else ()), *_rated(level, language))


def _rated(level: str, language: str) -> Iterator[str]:
    for term in ("unrated", "rated"):  # `not rated` is not rated
        said = [f" {bare(way).replace('-', ' ')} " for way in _MATCHES.words("terms", term)]
        if before := next((level.partition(way)[0] for way in said if way in level), None):
            denied = _DENYING.intersection(before.split()[-_FAR:])  # `but only if it isn't rated`
            yield _MATCHES.of(language, "terms", "unrated" if denied else term)[0]
            return


def _clocks(text: str) -> Iterator[str]:
    before = ""
    for word in as_tokens(text).split():
        said = word.strip(_SIGNS)
        if _TIMED.fullmatch(said) and fold(before) not in _WHEN:
            yield said
        before = word.strip(_SIGNS)

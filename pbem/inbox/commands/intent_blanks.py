"""Fills the blanks of grammar lines from a text: days, names, hours, numbers, languages."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import pairwise
from string import Formatter

from django.conf import settings

from pbem.inbox.commands.absence.sentences import away_in, last_day_in
from pbem.inbox.commands.names import is_name
from pbem.inbox.commands.normalization import bare
from pbem.inbox.commands.phrases import written
from pbem.inbox.commands.preferences.values import Zone, day_of
from pbem.inbox.commands.said_hours import hours_in
from pbem.inbox.commands.sketches import blanks_in, robot_in
from pbem.inbox.commands.time_in_talk import days_in, in_digits, with_boards_counted
from pbem.intents import is_rare, language_of
from pbem.players.names import all_names
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_AT_MOVE, _CALLED_BY = _WORDS.words("at_move"), _WORDS.words("called_by")
_FEW = "3"  # boards
_ORDINALS = {
    bare(word): str(number)
    for words in _WORDS.each("ordinals").values()
    for number, word in enumerate(words, 1)
}
_OWN, _INTO, _DENYING = (
    _WORDS.words("own"),
    _WORDS.words("into"),
    _WORDS.words("denying") | _WORDS.words("than"),
)
_NUMBER = re.compile(r"(?<![\w.])([1-9][0-9]?)(?![\w.:])")
_SENTENCE = re.compile(r"(?<=[.!?;:…])\s+")
_QUESTION = re.compile(r"[^.!?]*\?")
_NAMED = re.compile(r"[^\W_][\w.'-]*\w")


def filled(lines: Sequence[str], said: str, **known: str) -> Iterator[str]:
    """Yields the first line with all blanks filled."""
    found, language = {**_blanks(said), **known}, language_of(said)
    for line in lines:
        if all(found.get(blank) for _, blank, _, _ in Formatter().parse(line) if blank):
            yield " ".join(written(line, language).format(**found).split())
            return


def _blanks(text: str) -> Mapping[str, str]:
    boards = with_boards_counted(in_digits(text))
    counted = _NUMBER.search(boards)
    found = blanks_in(text)
    ordinal = _ordinal(text)
    who = re.sub(r"['’]s$", "", found.get("who", ""))  # Bruno's rating
    return {
        **found,
        "who": who,
        **hours_in(in_digits(text)),
        "any": number[1] if (number := _NUMBER.search(text)) else "",
        "robot": robot_in(text),
        "away": next(away_in(text), ""),
        "last": last_day_in(text),
        "days": days_in(text),
        "figure": number[1] if (number := _NUMBER.search(in_digits(text))) else "",
        "language": _language(text),
        "name": _name(text),
        "text": text,
        "weekdays": " ".join(_weekdays(text)),
        "zone": _zone(text),
        "at" if counted and _is_of_moves(boards, counted) else "count": counted[1] if counted else _FEW,
        **({"at": ordinal} if ordinal else {}),
    }


def _weekdays(text: str) -> Iterable[str]:
    """Returns each weekday once."""
    return {day: word for word in _NAMED.findall(text) if (day := day_of(word)) is not None}.values()


def _ordinal(text: str) -> str:
    """Returns the number in `the fifth move`, else ""."""
    for before, word in pairwise(map(bare, _NAMED.findall(text))):
        if word in _AT_MOVE and before in _ORDINALS:
            return _ORDINALS[before]
    return ""


def _is_of_moves(boards: str, number: re.Match[str]) -> bool:
    """Matches `after move 7`, not `the last 7 moves`."""
    before = boards[: number.start()].split()
    return bool(before) and fold(before[-1]) in _AT_MOVE


def _zone(text: str) -> str:
    """Returns the last city with a known zone; not Rome in `in London, not in Rome`."""
    known, words = Zone("zone"), ["", "", *_NAMED.findall(text)]
    cities = (
        word
        for two, before, word in zip(words, words[1:], words[2:], strict=False)
        if word.istitle() and known.read([word]) and not _DENYING & {fold(two), fold(before)}
    )
    return max(enumerate(cities), default=(0, ""))[1]


def _language(text: str) -> str:
    """Returns the language to change to, else the last one named, first in questions; else ""."""
    names = {fold(name): name for code, _ in settings.LANGUAGES for name in all_names(code) - {code}}
    asked = " ".join(_QUESTION.findall(text))
    for part in (asked, text):
        words = ["", "", *map(fold, _NAMED.findall(part))]
        said = [
            (before, names[word])
            for two, before, word in zip(words, words[1:], words[2:], strict=False)
            if word in names
            and before not in _OWN  # `my English is not so good`
            and not _DENYING & {two, before}  # `in Italian, not in English`
        ]
        if said:
            return next((name for before, name in said if before in _INTO), said[-1][1])
    return ""


def _name(text: str) -> str:
    """Returns the name after `call me`, else the last word that looks like a name, else ""."""
    words: list[str] = _NAMED.findall(text)
    inside = [word for sentence in _SENTENCE.split(text) for word in _NAMED.findall(sentence)[1:]]
    denied = {after for before, after in pairwise(words) if fold(before) in _DENYING}  # `not Prof`
    proper = [
        word
        for word in inside
        if not word.islower() and len(word) > 1 and is_name(word) and word not in denied
    ]
    behind = [
        after
        for before, after in pairwise(words)
        if bare(before) in _CALLED_BY and (after in proper or is_rare(after))
    ]
    return ([each for each in behind if each in proper][:1] or proper or behind or [""])[-1]

"""The grammar lines of each intent, and their slots filled from a text."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from string import Formatter

from django.conf import settings

from pbem.inbox.commands.newcomers import names_machine
from pbem.inbox.commands.phrases import written
from pbem.inbox.commands.sketches import blanks_in, robot_in
from pbem.inbox.commands.topics import Zone, day_of
from pbem.inbox.understanding.normalization import bare
from pbem.inbox.understanding.slots.dates import (
    Day,
    days_in,
    hours_in,
    in_digits,
    in_figures,
    read_day,
    with_boards_counted,
)
from pbem.inbox.understanding.slots.names import is_name
from pbem.inbox.understanding.slots.people import person_in
from pbem.intents import is_rare, language_of
from pbem.players.names import all_names
from pbem.wording import fold, wording

# The first line with all slots filled counts; IN_MATCH has what differs in a reply about a match.
ANEW: Mapping[str, Sequence[str]] = {
    "ADDRESS": ("SET ADDRESS {email}", "ADDRESSES"),
    "ANALYSE": ("ANALYSE {number}", "HELP ANALYSE"),
    "AWAY": ("AWAY {away}", "HELP AWAY"),
    "BACK": ("BACK",),
    "BOARDFIXED": ("SET BOARD fixed",),
    "BOARDMINE": ("SET BOARD mine",),
    "BLOCK": ("BLOCK {who}", "HELP BLOCK"),
    "CHALLENGE": ("CHALLENGE {who} {game}", "OFFER {game}", "HELP CHALLENGE"),
    "CLAIM": ("CLAIM {number}", "HELP CLAIM"),
    "CLOCK": ("CLOCK {number}", "CLOCK"),
    "CLOCKRULES": ("HELP CLOCK",),
    "CLOSE": ("CLOSE {any}", "OPEN"),
    "COLOURS": ("HELP SET",),
    "CONTESTS": ("COMPETITIONS",),
    "COST": ("HELP GUIDE",),
    "COUNTS": ("STATUS {number}", "GAMES"),
    "DAILY": ("SET CADENCE daily {hour}", "SET CADENCE daily"),
    "DARK": ("SET THEME dark",),
    "DESCRIBE": ("DESCRIBE {number}", "DESCRIBE"),
    "DRAW": ("DRAW {number}", "DRAW"),
    "ENTER": ("ENTER {any}", "COMPETITIONS"),
    "FORGET": ("IFS {number} CLEAR", "HELP IF"),
    "GAMELIST": ("GAMES",),
    "GAMES": ("GAMES",),
    "GIVE": ("HELP GIVE",),
    "HELP": ("HELP",),
    "HINT": ("HINT {number}", "HELP HINT"),
    "HISTORY": ("HISTORY {number}", "HELP HISTORY"),
    "HOWTO": ("HELP MOVE",),
    "JOIN": ("JOIN {any}", "OPEN"),
    "LIGHT": ("SET THEME default",),
    "PLAN": ("HELP IF",),
    "LANGUAGE": ("SET LANGUAGE {language}", "HELP SET"),
    "LARGER": ("SET SIZE large",),
    "LEAVE": ("LEAVE {any}", "COMPETITIONS"),
    "LEGAL": ("DESCRIBE {number}", "HELP MOVE"),
    "LIMIT": ("LIMIT {figure}", "HELP LIMIT"),
    "LISTED": ("SET LISTED yes",),
    "MUTE": ("BLOCK {who}", "HELP BLOCK"),
    "MYDATA": ("MY DATA",),
    "NAME": ("SET NAME {name}", "HELP SET"),
    "NIGHT": ("SET NIGHT {night}", "HELP SET"),
    "NOTES": ("NOTES {number}", "HELP NOTES"),
    "NUDGE": ("CLOCK {number}", "CLOCK"),
    "OFFER": ("OFFER {game}", "PLAYERS"),
    "OPEN": ("OPEN",),
    "PAUSE": ("HELP PAUSE",),
    "PLANNED": ("IFS {number}", "HELP IF"),
    "PLAYERS": ("PLAYERS {game}", "PLAYERS"),
    "POINTS": ("HELP RATING",),
    "PREFERENCES": ("PREFERENCES",),
    "PRINT": ("SET THEME print",),
    "PUZZLE": ("PUZZLE {game}", "PUZZLE"),
    "RATING": ("RATING {who}", "RATING"),
    "RATINGS": ("RATINGS {game}", "RATINGS"),
    "RECEIPTS": ("SET RECEIPTS no",),
    "RECORD": ("RECORD {number}", "HELP RECORD"),
    "REMATCH": ("REMATCH {number}", "CHALLENGE {who} {game}", "HELP REMATCH"),
    "REMIND": ("SET REMINDERS all",),
    "REMINDERS": ("SET REMINDERS none",),
    "REPORT": ("HELP REPORT",),
    "RESIGN": ("RESIGN {number}", "HELP RESIGN"),
    "ROBOT": ("CHALLENGE {robot} {game}", "HELP ROBOTS"),
    "ROBOTS": ("HELP ROBOTS",),
    "RULES": ("HELP {game}", "HELP RULES"),
    "RULESOF": ("HELP {game}", "HELP RULES"),
    "SHOW": ("SHOW {number}", "GAMES"),
    "SHOWAT": ("SHOW {number}", "HELP SHOW"),
    "SLOWER": ("HELP GIVE",),
    "SMALLER": ("SET SIZE small",),
    "STANDINGS": ("TABLE {number}", "COMPETITIONS"),
    "START": ("START ALL",),
    "STATS": ("RATING",),
    "STATUS": ("STATUS {number}", "GAMES"),
    "STOP": ("STOP",),
    "TELL": ("MESSAGE {who}: {text}",),
    "TEXT": ("SET LETTERS text",),
    "UNDO": ("UNDO {number}", "HELP UNDO"),
    "UNLISTED": ("SET LISTED no",),
    "UNWATCH": ("UNWATCH {number}", "HELP WATCH"),
    "WATCH": ("WATCH {number}", "HELP WATCH"),
    "WEEKEND": ("SET WEEKEND {weekdays}", "HELP SET"),
    "WHOIS": ("RATING {who}", "HELP RATING"),
    "WHYNOT": ("HELP MOVE",),
    "ZONE": ("SET ZONE {zone}", "HELP SET"),
}
IN_MATCH: Mapping[str, Sequence[str]] = {
    "ANALYSE": ("ANALYSE",),
    "CLAIM": ("CLAIM",),
    "CLOCK": ("CLOCK",),
    "COUNTS": ("STATUS",),
    "DESCRIBE": ("DESCRIBE",),
    "DRAW": ("DRAW",),
    "FORGET": ("IFS CLEAR",),
    "GIVE": ("GIVE {days}", "HELP GIVE"),
    "HINT": ("HINT",),
    "HISTORY": ("HISTORY",),
    "HUMAN": ("REPORT {text}",),
    "JOIN": (),
    "LEGAL": ("DESCRIBE",),
    "MUTE": ("HELP BLOCK",),
    "NOTE": ("NOTE {text}",),
    "NOTES": ("NOTES",),
    "NUDGE": ("CLOCK",),
    "PAUSE": ("PAUSE {days}", "PAUSE {last}", "HELP PAUSE"),
    "PLANNED": ("IFS",),
    "RECORD": ("RECORD",),
    "REPORT": ("REPORT {text}",),
    "REMATCH": ("CHALLENGE {who} {game}", "REMATCH"),
    "RESIGN": ("RESIGN",),
    "RULES": ("HELP RULES",),
    "SHOW": ("SHOW",),
    "SHOWAT": ("SHOW AT {at}", "SHOW LAST {count}"),
    "STATUS": ("STATUS",),
    "TELL": (),
    "UNDO": ("UNDO",),
    "WHOIS": ("RATING {who}", "RATING OPPONENT"),
    "WHYNOT": ("HELP RULES",),
}
# Intents that may also be words to the opponent
SAID_TO_PEOPLE = frozenset(
    {
        "ANALYSE",
        "AWAY",
        "BACK",
        "CLAIM",
        "CLOCK",
        "CLOCKRULES",
        "CONTESTS",
        "COST",
        "COUNTS",
        "DRAW",
        "ENTER",
        "FORGET",
        "GAMELIST",
        "GAMES",
        "GIVE",
        "HELP",
        "HINT",
        "HUMAN",
        "LIMIT",
        "MUTE",
        "NIGHT",
        "NUDGE",
        "OFFER",
        "OPEN",
        "PAUSE",
        "POINTS",
        "PUZZLE",
        "RATING",
        "RATINGS",
        "REMATCH",
        "RESIGN",
        "RULESOF",
        "SLOWER",
        "STANDINGS",
        "STATS",
        "STATUS",
        "UNDO",
        "WATCH",
        "WEEKEND",
        "WHOIS",
        "ZONE",
    }
)


def lines_of(intent: str, *, anew: bool) -> Sequence[str]:
    """Returns the lines of an intent, the fullest first. `anew`: the text is not a reply about a match."""
    lines = ANEW.get(intent, ())
    return lines if anew else IN_MATCH.get(intent, lines)


# Fills the slots of grammar lines from a text: days, names, hours, numbers, languages.

_Read = Callable[[str], str]

_WORDS = wording("pbem.inbox.commands")
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
    """Yields the first line with all slots filled: with those that are `known`, or from the text."""
    language = language_of(said)
    for line in lines:
        names = [name for _, name, _, _ in Formatter().parse(line) if name]
        slots = {name: known[name] if name in known else _SLOTS[name](said) for name in names}
        if all(slots.values()):
            yield " ".join(written(line, language).format(**slots).split())
            return


def _in_text(slot: str) -> _Read:
    return lambda text: blanks_in(text).get(slot, "")


def _of_hours(slot: str) -> _Read:
    return lambda text: hours_in(in_digits(text)).get(slot, "")


def _figure(text: str) -> str:
    return number[1] if (number := _NUMBER.search(text)) else ""


def _boards(text: str, *, of_moves: bool) -> str:
    """Returns the number of a move, or how many boards are wished for."""
    boards = with_boards_counted(in_digits(text))
    counted = _NUMBER.search(boards)
    if (counted is not None and _is_of_moves(boards, counted)) is not of_moves:
        return ""
    return counted[1] if counted else _FEW


def _weekdays(text: str) -> str:
    """Returns each weekday once."""
    return " ".join(
        {day: word for word in _NAMED.findall(text) if (day := day_of(word)) is not None}.values()
    )


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


# The writer's absence in a sentence, if it has an end: `I'm off to Spain on Friday for two weeks`.

_ABSENCE = wording("pbem.inbox.commands.absence")
_ENDS = _ABSENCE.words("ends")
_FROM, _ON = _ABSENCE.words("from"), _ABSENCE.words("on")
_ELIDED = re.compile(r"(?<=ll)['’](?=[0-9])")  # all'8
_SIGNS = ",.;:!?()"


@dataclass(frozen=True)
class _Said:
    """The patterns of a language for how long."""

    lasting: re.Pattern[str]
    whole: re.Pattern[str]


@dataclass(frozen=True)
class _Found:
    """A day as `words`; `ends`: it follows a word for until."""

    day: Day
    words: str
    ends: bool


def away_in(text: str) -> Iterator[str]:
    """Yields the days of a sentence that is known to announce an absence."""
    counted = in_figures(text)
    for language in _ABSENCE.languages:
        yield from _days(counted, bare(counted).replace("’", "'"), language)


def last_day_in(text: str) -> str:
    """Returns the day behind `until`, else ""."""
    _, last = _first_and_last(_in_order(_ELIDED.sub(" ", text).split()))
    return last.words if last else ""


def _days(text: str, level: str, language: str) -> Iterator[str]:
    first, last = _first_and_last(_in_order(_ELIDED.sub(" ", text).split()))
    said = _said(language)
    if first and last:
        yield f"{first.words} {last.words}"
    if last:
        yield last.words
    elif lasting := said.lasting.search(level):
        yield f"{first.words if first else ''} {lasting[0]}".strip()
    elif whole := said.whole.search(level):
        yield whole[0]


def _first_and_last(found: Sequence[_Found]) -> tuple[_Found | None, _Found | None]:
    last = next((each for each in reversed(found) if each.ends), None)
    begun = found[: found.index(last)] if last else found
    return next((each for each in begun if not each.ends), None), last


def _in_order(words: Sequence[str]) -> list[_Found]:
    """Returns the days in the order of the words."""
    found, at = [], 0
    while at < len(words):
        read = read_day(words[at:]) or _first_number(words, at)
        if read is None:
            at += 1
            continue
        after = len(words) - len(read[1])
        begins = at
        while begins and fold(words[begins - 1]) in (_ENDS if begins == at else _ENDS | _ON):
            begins -= 1
        ends = begins < at or fold(words[at]) in _ENDS
        if not ends and at and fold(words[at - 1]) in _FROM:
            begins -= 1
        found.append(_Found(read[0], " ".join(words[begins:after]).strip(_SIGNS), ends))
        at = after
    return found


def _first_number(words: Sequence[str], at: int) -> tuple[Day, Sequence[str]] | None:
    """Reads the 3 of `from 3 to 10 May`, `3 to 10 May`."""
    ends = at + 2 < len(words) and fold(words[at + 1]) in _ENDS
    begins = ends and ((at > 0 and fold(words[at - 1]) in _FROM) or read_day(words[at + 2 :]) is not None)
    read = read_day(["the", words[at]]) if begins else None
    return (read[0], words[at + 1 :]) if read else None


@cache
def _said(language: str) -> _Said:
    days, lasting = _either(_ABSENCE.of(language, "days")), _either(_ABSENCE.of(language, "for"))
    whole = _either(_ABSENCE.of(language, "sentences", "whole"))
    return _Said(
        re.compile(rf"(?:\b{lasting}\s+)?(?<!\w)[1-9][0-9]?\s+{days}\b"), re.compile(rf"\b{whole}\b")
    )


def _either(words: Sequence[str]) -> str:
    said = sorted((bare(word).replace("’", "'") for word in words), key=len, reverse=True)
    return f"(?:{'|'.join(map(re.escape, said))})"


# How a slot is read from a text: "" where it is not filled.
_SLOTS: Mapping[str, _Read] = {
    **{slot: _in_text(slot) for slot in ("game", "email", "number")},
    **{slot: _of_hours(slot) for slot in ("hour", "night")},
    "any": _figure,
    "at": lambda text: _ordinal(text) or _boards(text, of_moves=True),
    "away": lambda text: next(away_in(text), ""),
    "count": lambda text: _boards(text, of_moves=False),
    "days": days_in,
    "figure": lambda text: _figure(in_digits(text)),
    "language": _language,
    "last": last_day_in,
    "name": _name,
    "robot": robot_in,
    "weekdays": _weekdays,
    "who": lambda text: robot_in(text) if names_machine(text) else person_in(text),
    "zone": _zone,
}

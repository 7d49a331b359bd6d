"""The lines of the grammar that a text in nobody's table may mean, by what the classifier takes it for.

Whatever it finds is asked about: see `pbem.intents`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from itertools import pairwise
from string import Formatter

from django.conf import settings

from pbem.inbox.commands.absence.sentences import away_in, last_day_in
from pbem.inbox.commands.cells import named_cells
from pbem.inbox.commands.names import is_name
from pbem.inbox.commands.never_asked import LETTERS
from pbem.inbox.commands.normalization import bare
from pbem.inbox.commands.phrases import written
from pbem.inbox.commands.said_hours import hours_in
from pbem.inbox.commands.sketches import blanks_in, is_talk, robot_in
from pbem.inbox.commands.time_in_talk import days_in, in_digits, with_boards_counted
from pbem.intents import TALK, Guess, guesses, language_of
from pbem.players.languages import all_names
from pbem.wording import fold, wording

_WORDS = wording(__package__)
LEAST, LEAST_IN_MATCH, LEAST_IF_SAID = 0.4, 0.35, 0.55  # how probable it has to be
SURE = 0.7  # enough to be believed more than a sketch
_AT_MOVE, _CALLED_BY = _WORDS.words("at_move"), _WORDS.words("called_by")
_FEWEST, _ENOUGH = 2, 4  # words, by which to guess, and not to guess wrong
_FEW = "3"  # boards
_OF_GAME = "HELP {game}"
_OF_MOVES = 2  # cells
_NUMBER = re.compile(r"(?<![\w.])([1-9][0-9]?)(?![\w.:])")
_QUESTION = re.compile(r"[^.!?]*\?")
_NAMED = re.compile(r"[^\W_][\w.'-]*\w")

# By intent the lines that it may come to: the first whose blanks the text fills. What the second table lacks is the
# same in answer to a letter of a match.
_ANEW: Mapping[str, Sequence[str]] = {
    "ADDRESS": ("SET ADDRESS {email}", "ADDRESSES"),
    "ANALYSE": ("ANALYSE {number}", "HELP ANALYSE"),
    "AWAY": ("AWAY {away}", "HELP AWAY"),
    "BACK": ("BACK",),
    "BLOCK": ("BLOCK {who}", "HELP BLOCK"),
    "CHALLENGE": ("CHALLENGE {who} {game}", "HELP CHALLENGE"),
    "CLAIM": ("CLAIM {number}", "HELP CLAIM"),
    "CLOCK": ("CLOCK {number}", "CLOCK"),
    "COLOURS": ("HELP SET",),
    "CONTESTS": ("CONTESTS",),
    "COST": ("HELP GUIDE",),
    "DAILY": ("SET CADENCE daily {hour}", "SET CADENCE daily"),
    "DARK": ("SET THEME dark",),
    "DESCRIBE": ("DESCRIBE {number}", "DESCRIBE"),
    "DRAW": ("DRAW {number}", "DRAW"),
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
    "LEGAL": ("DESCRIBE {number}", "HELP MOVE"),
    "LISTED": ("SET LISTED yes",),
    "MYDATA": ("MY DATA",),
    "NAME": ("SET NAME {name}", "HELP SET"),
    "NIGHT": ("SET NIGHT {night}", "HELP SET"),
    "NUDGE": ("CLOCK {number}", "CLOCK"),
    "OFFER": ("OFFER {game}", "HELP OFFER"),
    "OPEN": ("OPEN",),
    "PAUSE": ("HELP PAUSE",),
    "PLAYERS": ("PLAYERS {game}", "PLAYERS"),
    "PRINT": ("SET THEME print",),
    "PUZZLE": ("PUZZLE {game}", "PUZZLE"),
    "RATING": ("RATING {who}", "RATING"),
    "RATINGS": ("RATINGS {game}", "RATINGS"),
    "RECORD": ("RECORD {number}", "HELP RECORD"),
    "REMATCH": ("REMATCH {number}", "CHALLENGE {who} {game}", "HELP REMATCH"),
    "REMINDERS": ("SET REMINDERS none",),
    "REPORT": ("HELP REPORT",),
    "RESIGN": ("RESIGN {number}", "HELP RESIGN"),
    "ROBOT": ("CHALLENGE {robot} {game}", "HELP ROBOTS"),
    "ROBOTS": ("HELP ROBOTS",),
    "RULES": ("HELP {game}", "HELP RULES"),
    "RULESOF": ("HELP {game}", "HELP RULES"),
    "SHOW": ("SHOW {number}", "GAMES"),
    "SHOWAT": ("SHOW {number}", "HELP SHOW"),
    "SMALLER": ("SET SIZE small",),
    "STATS": ("STATS",),
    "STATUS": ("STATUS {number}", "GAMES"),
    "STOP": ("STOP",),
    "TEXT": ("SET LETTERS text",),
    "UNDO": ("UNDO {number}", "HELP UNDO"),
    "UNLISTED": ("SET LISTED no",),
    "WATCH": ("WATCH {number}", "HELP WATCH"),
}
_IN_MATCH: Mapping[str, Sequence[str]] = {
    "ANALYSE": ("ANALYSE",),
    "CLAIM": ("CLAIM",),
    "CLOCK": ("CLOCK",),
    "DESCRIBE": ("DESCRIBE",),
    "DRAW": ("DRAW",),
    "GIVE": ("GIVE {days}", "HELP GIVE"),
    "HINT": ("HINT",),
    "HISTORY": ("HISTORY",),
    "HUMAN": ("HELP REPORT",),
    "JOIN": (),
    "LEGAL": ("DESCRIBE",),
    "NUDGE": ("CLOCK",),
    "PAUSE": ("PAUSE {days}", "PAUSE {last}", "HELP PAUSE"),
    "RECORD": ("RECORD",),
    "REMATCH": ("CHALLENGE {who} {game}", "REMATCH"),
    "RESIGN": ("RESIGN",),
    "RULES": ("HELP RULES",),
    "SHOW": ("SHOW",),
    "SHOWAT": ("SHOW AT {at}", "SHOW LAST {count}"),
    "STATUS": ("STATUS",),
    "UNDO": ("UNDO",),
}
# What an opponent may be told or asked in nearly the same words.
_SAID_TO_PEOPLE = frozenset(
    {
        "ANALYSE",
        "AWAY",
        "BACK",
        "CLAIM",
        "CLOCK",
        "CONTESTS",
        "COST",
        "DRAW",
        "GAMELIST",
        "GAMES",
        "GIVE",
        "HELP",
        "HINT",
        "HUMAN",
        "NIGHT",
        "NUDGE",
        "OFFER",
        "OPEN",
        "PAUSE",
        "PUZZLE",
        "RATING",
        "RATINGS",
        "REMATCH",
        "RESIGN",
        "RULESOF",
        "STATS",
        "STATUS",
        "UNDO",
        "WATCH",
    }
)


class Bar(Enum):
    """How probable it has to be."""

    CERTAIN = "so that one of its sentences is believed less"
    SURE = "so that a sketch is believed less"
    USUAL = "so that it is worth a question"
    REFUSED = "for nobody else will read it"


_BARS = {Bar.CERTAIN: 0.9, Bar.SURE: SURE, Bar.REFUSED: 0.2}


def intended(text: str, *, anew: bool, bar: Bar = Bar.USUAL, helps: bool = False) -> Iterator[str]:
    """The line that it most probably comes to. `helps`: or the HELP on it, where a blank is not filled. `anew`: it
    answers no letter of a match."""
    if len(named_cells(text)) >= (_OF_MOVES if anew else 1):  # moves are read, not guessed
        return
    if not anew and len(LETTERS.findall(text)) < _FEWEST:  # `Robot-1`, behind thanks to it
        return
    best = next(iter(guesses(text)), Guess(TALK, 1))
    if best.probability < _least(best.intent, text, bar, anew=anew) or (
        anew and bar is Bar.USUAL and is_talk(text)
    ):
        return
    lines = _ANEW.get(best.intent, ())
    lines = lines if anew else _IN_MATCH.get(best.intent, lines)
    if (not helps and len(lines) > 1) or bar in (Bar.SURE, Bar.CERTAIN):
        lines = [line for line in lines if line == _OF_GAME or not line.startswith("HELP")]
    for line in _filled(lines, text):
        number = _NUMBER.search(text)
        if bar in (Bar.USUAL, Bar.REFUSED) or number is None or number[1] in line:
            yield line


def _least(intent: str, text: str, bar: Bar, *, anew: bool) -> float:
    if bar is not Bar.USUAL:
        return _BARS[bar]
    if len(LETTERS.findall(text)) < _ENOUGH:
        return SURE
    if anew:
        return LEAST
    return LEAST_IF_SAID if intent in _SAID_TO_PEOPLE else LEAST_IN_MATCH


def _filled(lines: Sequence[str], text: str) -> Iterator[str]:
    """The first of them whose blanks the text fills."""
    filled, language = _blanks(text), language_of(text)
    for line in lines:
        if all(filled.get(blank) for _, blank, _, _ in Formatter().parse(line) if blank):
            yield " ".join(written(line, language).format(**filled).split())
            return


def _blanks(text: str) -> Mapping[str, str]:
    counted = _NUMBER.search(with_boards_counted(text))
    found = blanks_in(text)
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
        "language": _language(text),
        "name": _name(text),
        "at" if counted and _is_of_moves(text, counted) else "count": counted[1] if counted else _FEW,
    }


def _is_of_moves(text: str, number: re.Match[str]) -> bool:
    """`after move 7`, not `the last 7 moves`."""
    before = with_boards_counted(text)[: number.start()].split()
    return bool(before) and fold(before[-1]) in _AT_MOVE


def _language(text: str) -> str:
    """The last that is named, in a question if there is one: `it is all in English, I speak Italian`."""
    names = {fold(name): name for code, _ in settings.LANGUAGES for name in all_names(code) - {code}}
    asked = " ".join(_QUESTION.findall(text))
    for part in (asked, text):
        if said := [names[fold(word)] for word in _NAMED.findall(part) if fold(word) in names]:
            return said[-1]
    return ""


def _name(text: str) -> str:
    """The word behind `call me` that looks like one, else the last that does within the sentence, else that word."""
    words: list[str] = _NAMED.findall(text)
    proper = [word for word in words[1:] if not word.islower() and len(word) > 1 and is_name(word)]
    behind = [after for before, after in pairwise(words) if bare(before) in _CALLED_BY]
    return ([each for each in behind if each in proper][:1] or proper or behind or [""])[-1]

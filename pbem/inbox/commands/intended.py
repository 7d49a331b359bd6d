"""The lines of the grammar that a text in nobody's table may mean, by what the classifier takes it for.

Whatever it finds is asked about: see `pbem.intents`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import Enum
from functools import cache
from itertools import pairwise
from string import Formatter

from django.conf import settings

from pbem.inbox.commands.absence.sentences import away_in, last_day_in
from pbem.inbox.commands.cells import named_cells, names_cell
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.intended_moves import OF_MOVES, intended_moves
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.line import IsMove
from pbem.inbox.commands.names import is_name
from pbem.inbox.commands.never_asked import LETTERS
from pbem.inbox.commands.normalization import bare
from pbem.inbox.commands.phrases import written
from pbem.inbox.commands.preferences.values import Zone, day_of
from pbem.inbox.commands.said_hours import hours_in
from pbem.inbox.commands.sketches import blanks_in, is_talk, robot_in
from pbem.inbox.commands.time_in_talk import days_in, in_digits, with_boards_counted
from pbem.inbox.commands.views.grammar import History, Show
from pbem.inbox.commands.words import VERBS_OF
from pbem.intents import TALK, Guess, guesses, is_rare, language_of
from pbem.players.languages import all_names
from pbem.wording import fold, wording

_WORDS = wording(__package__)
LEAST, LEAST_IN_MATCH, LEAST_IF_SAID = 0.45, 0.35, 0.55  # how probable it has to be
_LEAST_WITH_CELLS = 0.4  # most of what names cells is for us
SURE = 0.65  # enough to be believed more than a sketch
_LEAST_IF_SHORT = 0.75
_AT_MOVE, _CALLED_BY = _WORDS.words("at_move"), _WORDS.words("called_by")
_FEWEST, _ENOUGH = 2, 4  # words, by which to guess, and not to guess wrong
_FEW = "3"  # boards
_ALIKE = (History, Show)  # `the last moves` may be either
_ORDINALS = {
    bare(word): str(number)
    for words in _WORDS.each("ordinals").values()
    for number, word in enumerate(words, 1)
}
_OWN = _WORDS.words("own")
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
    "BOARDFIXED": ("SET BOARD fixed",),
    "BOARDMINE": ("SET BOARD mine",),
    "BLOCK": ("BLOCK {who}", "HELP BLOCK"),
    "CHALLENGE": ("CHALLENGE {who} {game}", "HELP CHALLENGE"),
    "CLAIM": ("CLAIM {number}", "HELP CLAIM"),
    "CLOCK": ("CLOCK {number}", "CLOCK"),
    "CLOCKRULES": ("HELP CLOCK",),
    "CLOSE": ("CLOSE {any}", "OPEN"),
    "COLOURS": ("HELP SET",),
    "CONTESTS": ("CONTESTS",),
    "COST": ("HELP GUIDE",),
    "COUNTS": ("STATUS {number}", "GAMES"),
    "DAILY": ("SET CADENCE daily {hour}", "SET CADENCE daily"),
    "DARK": ("SET THEME dark",),
    "DESCRIBE": ("DESCRIBE {number}", "DESCRIBE"),
    "DRAW": ("DRAW {number}", "DRAW"),
    "ENTER": ("ENTER {any}", "CONTESTS"),
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
    "LEAVE": ("LEAVE {any}", "CONTESTS"),
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
    "STANDINGS": ("STANDINGS {number}", "CONTESTS"),
    "START": ("START ALL",),
    "STATS": ("STATS",),
    "STATUS": ("STATUS {number}", "GAMES"),
    "STOP": ("STOP",),
    "SUBSCRIBE": ("SUBSCRIBE PUZZLES",),
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
_IN_MATCH: Mapping[str, Sequence[str]] = {
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
    "HUMAN": ("HELP REPORT",),
    "JOIN": (),
    "LEGAL": ("DESCRIBE",),
    "MUTE": ("HELP BLOCK",),
    "NOTE": ("NOTE {text}",),
    "NOTES": ("NOTES",),
    "NUDGE": ("CLOCK",),
    "PAUSE": ("PAUSE {days}", "PAUSE {last}", "HELP PAUSE"),
    "PLANNED": ("IFS",),
    "RECORD": ("RECORD",),
    "REMATCH": ("CHALLENGE {who} {game}", "REMATCH"),
    "RESIGN": ("RESIGN",),
    "RULES": ("HELP RULES",),
    "SHOW": ("SHOW",),
    "SHOWAT": ("SHOW AT {at}", "SHOW LAST {count}"),
    "STATUS": ("STATUS",),
    "TELL": (),
    "UNDO": ("UNDO",),
    "WHYNOT": ("HELP RULES",),
}
# What an opponent may be told or asked in nearly the same words.
_SAID_TO_PEOPLE = frozenset(
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


class Bar(Enum):
    """How probable it has to be."""

    CERTAIN = "so that one of its sentences is believed less"
    SURE = "so that a sketch is believed less"
    USUAL = "so that it is worth a question"
    REFUSED = "for nobody else will read it"


_BARS = {Bar.CERTAIN: 0.9, Bar.SURE: SURE, Bar.REFUSED: 0.35}


def intended(text: str, *, anew: bool, bar: Bar = Bar.USUAL, helps: bool = False) -> Iterator[str]:
    """The line that it most probably comes to. `helps`: or the HELP on it, where a blank is not filled. `anew`: it
    answers no letter of a match."""
    if len(named_cells(text)) >= (_OF_MOVES if anew else 1) or _is_command(
        text
    ):  # they are read, not guessed
        return
    if not anew and len(LETTERS.findall(text)) < _FEWEST:  # `Robot-1`, behind thanks to it
        return
    best = next(iter(guesses(text)), Guess(TALK, 1))
    talk = anew and bar is Bar.USUAL and best.probability < SURE and is_talk(text)
    if talk or best.probability < _least(best.intent, text, bar, anew=anew):
        return
    lines = _lines_of(best.intent, anew=anew)
    if not helps and len(lines) > 1:
        lines = [line for line in lines if line == _OF_GAME or not line.startswith("HELP")]
    for line in _filled(lines, text):
        number = _NUMBER.search(text)
        if bar in (Bar.USUAL, Bar.REFUSED) or number is None or number[1] in line:
            yield line


def is_of_intent(command: Command, text: str, *, anew: bool) -> bool:
    """Whether what the text most probably means, if anything, may come to such a command, or to the HELP on it."""
    intent, probability = next(iter(guesses(text)), Guess(TALK, 1))
    kinds = _ALIKE if isinstance(command, _ALIKE) else (type(command),)
    return probability < LEAST or not _commands_of(_lines_of(intent, anew=anew)).isdisjoint(kinds)


@cache
def _commands_of(lines: Sequence[str]) -> frozenset[type[Command]]:
    words = [word for line in lines for word in line.split()]
    return frozenset(verb.command for word in words for verb in VERBS_OF.get(fold(word), ()))


def _lines_of(intent: str, *, anew: bool) -> Sequence[str]:
    lines = _ANEW.get(intent, ())
    return lines if anew else _IN_MATCH.get(intent, lines)


def intended_with_cells(
    text: str, is_move: IsMove, legal: LegalMoves | None, *, bar: Bar = Bar.USUAL
) -> Sequence[str]:
    """All lines that a text which names cells, in answer to a letter of a match, comes to."""
    best = next(iter(guesses(text)), Guess(TALK, 1))
    least = (
        _LEAST_WITH_CELLS if bar is Bar.USUAL and legal else max(_BARS.get(bar, LEAST_IF_SAID), LEAST_IF_SAID)
    )
    if not names_cell(text) or best.probability < least:
        return ()
    if best.intent in OF_MOVES:
        return intended_moves(best.intent, text, is_move, legal)
    if best.intent in ("LEGAL", "WHYNOT"):  # which are answered with what the rules say of the cells
        return ()
    return list(_filled(_lines_of(best.intent, anew=False), text)) if bar is Bar.USUAL else ()


def has_intent(intent: str, text: str, *, bar: Bar = Bar.SURE) -> bool:
    """Whether it surely has, or as the bar says."""
    return any(each.intent == intent and each.probability >= _BARS[bar] for each in guesses(text)[:1])


def _is_command(text: str) -> bool:
    """`PAUSE UNTIL 30 February`: how it is written is told."""
    word = next(iter(text.split()), "")
    return word.isupper() and len(word) > len("IF") and fold(word) in VERBS_OF


def _least(intent: str, text: str, bar: Bar, *, anew: bool) -> float:
    short = len(LETTERS.findall(text)) < _ENOUGH
    if bar is not Bar.USUAL:
        return _BARS[Bar.CERTAIN] if short and bar is Bar.SURE else _BARS[bar]
    if short:
        return _LEAST_IF_SHORT
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
        "weekdays": " ".join(word for word in _NAMED.findall(text) if day_of(word) is not None),
        "zone": _zone(text),
        "at" if counted and _is_of_moves(boards, counted) else "count": counted[1] if counted else _FEW,
        **({"at": ordinal} if ordinal else {}),
    }


def _ordinal(text: str) -> str:
    """The number of `the fifth move`; "" without one."""
    for before, word in pairwise(map(bare, _NAMED.findall(text))):
        if word in _AT_MOVE and before in _ORDINALS:
            return _ORDINALS[before]
    return ""


def _is_of_moves(boards: str, number: re.Match[str]) -> bool:
    """`after move 7`, not `the last 7 moves`."""
    before = boards[: number.start()].split()
    return bool(before) and fold(before[-1]) in _AT_MOVE


def _zone(text: str) -> str:
    """The last city of those that are known by it."""
    known = Zone("zone")
    return next(
        (word for word in reversed(_NAMED.findall(text)) if word.istitle() and known.read([word])), ""
    )


def _language(text: str) -> str:
    """The last that is named, in a question if there is one: `it is all in English, I speak Italian`."""
    names = {fold(name): name for code, _ in settings.LANGUAGES for name in all_names(code) - {code}}
    asked = " ".join(_QUESTION.findall(text))
    for part in (asked, text):
        words = ["", *_NAMED.findall(part)]
        said = [
            names[fold(word)]
            for before, word in pairwise(words)
            if fold(word) in names and fold(before) not in _OWN  # `my English is not so good`
        ]
        if said:
            return said[-1]
    return ""


def _name(text: str) -> str:
    """The word behind `call me` that looks like one, else the last that does within the sentence, else that word."""
    words: list[str] = _NAMED.findall(text)
    proper = [word for word in words[1:] if not word.islower() and len(word) > 1 and is_name(word)]
    behind = [
        after
        for before, after in pairwise(words)
        if bare(before) in _CALLED_BY and (after in proper or is_rare(after))
    ]
    return ([each for each in behind if each in proper][:1] or proper or behind or [""])[-1]

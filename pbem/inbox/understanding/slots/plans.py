"""Finds a plan, moves to try, a note or a move in a text that names cells, by its intent."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, partial
from typing import NamedTuple

from pbem.budget import in_time
from pbem.inbox.commands.legal_moves import LegalMoves
from pbem.inbox.commands.line import IsMove, cells_of_move, names_cell
from pbem.inbox.commands.line_parser import read_line
from pbem.inbox.commands.match_commands import Move
from pbem.inbox.commands.phrases import called
from pbem.inbox.understanding.answers import is_beside, is_friendly
from pbem.inbox.understanding.normalization import wishes
from pbem.inbox.understanding.slots.moves import SIGNS, announces, is_unreal, judges, judges_plainly
from pbem.intents import Bar, language_of
from pbem.wording import fold, wording

OF_MOVES = ("IF", "NOTE", "PLAY", "TRY")  # intents
_WORD = re.compile(r"\S+")
_BUT = re.compile(rf"\b(?:{wording('pbem.inbox.commands').either('contrasting')})\b", re.IGNORECASE)
_PAIR = 2  # cells of a move: from and to
_MOST = 6  # moves


class Told(NamedTuple):
    """A move in a text: its position, its cells, and its text if it stands together."""

    at: int
    cells: Sequence[str]
    written: str


def intended_moves(
    intent: str, text: str, is_move: IsMove, legal: LegalMoves | None, *, bar: Bar = Bar.USUAL
) -> Sequence[str]:
    """Returns all grammar lines, the move before the plan. `legal` is None when the writer is not to move."""
    language, told = language_of(text), _told(text, is_move)
    match intent:
        case "NOTE":
            return [f"{called('NOTE', language)} {noted(text)}"]
        case "PLAY" if legal:
            return _played(text, told, is_move, legal, bar)
        case "TRY":
            moves = _written(told, is_move, legal)
            return [f"{called('TRY', language)} {'; '.join(moves)}"] if moves else _help("TRY", language)
        case "IF" if begins := condition_in(text, language):
            return _plan(text, begins, told, is_move, legal) or _help("IF", language)
    return []


def noted(text: str) -> str:
    """Returns the text after a colon that introduces a note, else the whole text."""
    before, _, behind = text.partition(": ")
    return behind.strip() if len(behind.split()) > 1 and not names_cell(before) else text


def _played(text: str, told: Sequence[Told], is_move: IsMove, legal: LegalMoves, bar: Bar) -> list[str]:
    """Returns the only move, or the only one after the last but: `c8-c6 or b1-b3, but let it be b1-b3`."""
    but = max((found.end() for found in _BUT.finditer(text)), default=0)
    told = [each for each in told if each.at >= but] or told
    whole = [each for each in told if _is_whole(each, is_move)]
    if len({frozenset(each.cells) for each in whole}) == 1:  # `e8 g6, yes e8 to g6`
        told = whole[-1:]
    return _written(told, is_move, legal) if len(told) == 1 and _is_real(text[but:], bar) else []


def _is_real(said: str, bar: Bar) -> bool:
    """Whether the move is to be played: not `b1-b3 would have won`."""
    if is_unreal(said):
        return False
    if bar is Bar.CERTAIN or announces(said) or any(wishes(said)):
        return True
    return not (judges_plainly(said) if bar is Bar.SURE else judges(said))


def _help(topic: str, language: str) -> list[str]:
    return [f"{called('HELP', language)} {called(topic, language)}"]


def _plan(
    text: str, begins: Condition, told: Sequence[Told], is_move: IsMove, legal: LegalMoves | None
) -> list[str]:
    """Reads `b1-b3, and should he reply h4-f4 I go on with c8-c6`. Empty when a move is incomplete."""
    language = language_of(text)
    if not all(_is_whole(each, is_move) for each in told):
        return []
    now = [each for each in told if each.at < begins.at]
    behind = [each for each in told if each.at > begins.at]
    if begins.whatever:
        if not behind:  # `b1-b3, then g8-g6 whatever they do`
            now, behind = now[:-1], now[-1:]
        played, answer = _written(now, is_move, legal), _written(behind, is_move, None)
        whole = len(played) == len(now) <= 1 == len(answer) == len(behind)
        return [*played, plan_line(answer, language)] if whole else []
    if len(now) == 1 == len(behind):  # `I'll play b1-b3 if he goes a2-c2`
        now, behind = [], [*behind, *now]
    if not now and len(behind) > _PAIR:  # `if ...; for now I play d1-f3`, `if he plays ... after my b1-b3`
        now = [each for each in behind if stands_after(text, each.at, language)] or behind[_PAIR:]
        behind = [each for each in behind if each not in now]
    moves = _written([*now, *behind], is_move, legal if now else None)
    if len(now) > 1 or len(behind) != _PAIR or len(moves) != len(now) + _PAIR:
        return []
    return [*moves[:-_PAIR], plan_line(moves[-_PAIR:], language)]


def _told(text: str, is_move: IsMove) -> list[Told]:
    """Returns the moves in order, each one word or two cells; a cell may be left over."""
    found: list[Told] = []
    for word in _WORD.finditer(text):
        written = word[0].strip(SIGNS + "?")
        told = Told(word.start(), cells_of_move(written), written)
        if not told.cells:
            continue
        if found and not _is_whole(told, is_move) and not _is_whole(found[-1], is_move):
            found[-1] = found[-1]._replace(cells=[*found[-1].cells, *told.cells], written="")
        else:
            found.append(told)
    return found


def _is_whole(told: Told, is_move: IsMove) -> bool:
    return len(told.cells) > 1 or is_move(told.written, None)


def _written(told: Sequence[Told], is_move: IsMove, legal: LegalMoves | None) -> list[str]:
    """Returns the moves in game notation, as long as they can be played; without `legal`, as written."""
    moves: list[str] = []
    for each in told[:_MOST]:
        ways = [way for way in (each.written, "-".join(each.cells)) if way and is_move(way, None)]
        move = next(iter(ways), "")
        if legal:
            move = next(filter(None, map(legal.meant, ways)), "")
            if not move and ways[:1] != [each.written]:  # else it says from where to where
                move = legal.told_by(set(each.cells), each.written)
        if not move:
            return moves
        moves.append(move)
        legal = legal.after(move) if legal else None
    return moves


# Sets a move apart that is a sentence of its own: `h3-e3. Your mother says hello.` Behind other
# sentences it has to be announced (`then h3-e3`): `You could have done better. h3-e3!` is talk.

_SENTENCE = re.compile(r"(?<=[.!?…])\s+")
_MOST_BEFORE = 12  # words before the move
_LONGEST = 400  # characters of a line


def apart(lines: Sequence[str], *, is_move: IsMove, match: int, legal: LegalMoves) -> list[str]:
    """Returns the lines, the only such move on its own line; unchanged if a line is a move, or two have."""
    with_cells = [line for line in lines if names_cell(line)]
    if not with_cells or any(isinstance(read_line(line, is_move, match), Move) for line in with_cells):
        return list(lines)
    return in_time(partial(_apart, lines, is_move, match, legal), list(lines))


def _apart(lines: Sequence[str], is_move: IsMove, match: int, legal: LegalMoves) -> list[str]:
    found = {
        number: parts
        for number, line in enumerate(lines)
        if (parts := _parted(line, is_move, match, legal)) is not None
    }
    if len(found) != 1 or sum(map(names_cell, lines)) > 1:
        return list(lines)
    [(number, parts)] = found.items()
    return [*lines[:number], *parts, *lines[number + 1 :]]


def _parted(line: str, is_move: IsMove, match: int, legal: LegalMoves) -> list[str] | None:
    """Returns the text before the move, the move, and the text behind it. None when there is no such move."""
    sentences = _SENTENCE.split(line.strip()) if names_cell(line) and len(line) <= _LONGEST else []
    with_cells = [number for number, sentence in enumerate(sentences) if names_cell(sentence)]
    if len(with_cells) != 1:
        return None
    [at] = with_cells
    greeting, sentence = _without_greeting(sentences[at])
    before, behind = " ".join([*sentences[:at], greeting]).strip(), " ".join(sentences[at + 1 :])
    said = read_line(sentence, is_move, match)
    plays = isinstance(said, Move) and said.match is None and bool(legal.meant(said.text))
    bare = sentences[:at] and not announces(sentence)
    held = bare or is_unreal(line) or judges(" ".join(behind.split()[:1]))
    if not plays or held or not (before or behind) or len(before.split()) > _MOST_BEFORE:
        return None
    return [part for part in (before, sentence, behind) if part]


def _without_greeting(sentence: str) -> tuple[str, str]:
    """Splits a greeting from the rest: `Hello dear,`."""
    first, comma, rest = sentence.partition(", ")
    greets = comma and not names_cell(first) and (is_beside(first) or is_friendly(first))
    return (f"{first},", rest) if greets else ("", sentence)


# Conditional moves in a sentence: `if Bruno plays a2-c2 I'll answer b1-b3`. Always asked about.

_WORDS = wording("pbem.inbox.commands.conditional")
_NEAR = 2  # words before a move


class Condition(NamedTuple):
    """Where a plan begins; `whatever`: it is for any reply."""

    at: int
    whatever: bool


def condition_in(text: str, language: str) -> Condition | None:
    """Returns the first condition; not `should` of `you should play b1-b3`. None when there is none."""
    somebody = _words(language, "they") | _words(language, "said_to")
    for key in ("whatever", "if"):
        for found in _pattern(language, key).finditer(text):
            before = text[: found.start()].split()[-1:]
            if not before or fold(before[0]) not in somebody:
                return Condition(found.start(), key == "whatever")
    return None


def stands_after(text: str, at: int, language: str) -> bool:
    """Whether the move at this place comes first: `after my b1-b3`."""
    return not _words(language, "after").isdisjoint(map(fold, text[:at].split()[-_NEAR:]))


def plan_line(moves: Sequence[str], language: str) -> str:
    """Writes IF for a reply and its answer, or NEXT for a move alone."""
    if len(moves) == 1:
        return f"{called('NEXT', language)} {moves[0]}"
    then = str(_WORDS.of(language, "then")[0]).upper()
    return f"{called('IF', language)} {moves[0]} {then} {moves[1]}"


@cache
def _words(language: str, key: str) -> frozenset[str]:
    return frozenset(map(fold, _WORDS.of(language, "planned", key)))


@cache
def _pattern(language: str, key: str) -> re.Pattern[str]:
    either = "|".join(map(re.escape, _WORDS.of(language, "planned", key)))
    return re.compile(rf"\W*\b(?:{either})\b", re.IGNORECASE)

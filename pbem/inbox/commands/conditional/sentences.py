"""Reads conditional moves in a sentence: `if Bruno plays a2-c2 I'll answer b1-b3`. Always asked about."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache, partial
from typing import NamedTuple

from pbem.inbox.commands.line import IsMove
from pbem.inbox.commands.moves_between import Parted, parted
from pbem.inbox.commands.moves_in_talk import WORD
from pbem.inbox.commands.names import is_name
from pbem.inbox.commands.phrases import called
from pbem.wording import fold, wording

_WORDS = wording(__package__)
_NEAR = 2  # words before a move


def planned(text: str, is_move: IsMove) -> Iterator[str]:
    """Yields the plan as a line of the grammar."""
    said = None if "?" in text else parted(text, is_move)
    for language in _WORDS.languages if said else ():
        yield from _Spoken(language).lines(said) if said else ()


def before_plan(text: str) -> tuple[str, str] | None:
    """Splits at the `if`: `b8-b6, and if they answer a5-c5 then d8-d6`. None when there is no plan."""
    for language in _WORDS.languages:
        found = _behind_move(language).fullmatch(text)
        if found:
            return found["before"], found["plan"]
    return None


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


class _Spoken:
    def __init__(self, language: str) -> None:
        self.language = language
        self.words = partial(_words, language)
        self.opens, self.whatever = _pattern(language, "if"), _pattern(language, "whatever")

    def lines(self, said: Parted) -> Iterator[str]:
        match said.moves, said.texts:
            case [move], [before, after] if self.is_for_any(f"{before} , {after}"):
                yield plan_line([move], self.language)
            case [first, second], [before, between, after] if self.only(after, "tail"):
                if self.is_reply(before) and self.only(between, "answering"):
                    yield plan_line([first, second], self.language)
                elif self.only(before, "answering") and self.is_reply(
                    between
                ):  # `I'll play b1-b3 if he goes a2-c2`
                    yield plan_line([second, first], self.language)

    def is_reply(self, text: str) -> bool:
        """Whether the text introduces a move of the opponent: `if Bruno goes`, `nel caso lui giochi`."""
        opens = self.opens.match(text)
        said = WORD.findall(text[opens.end() :]) if opens else []
        theirs = [word for word in said if fold(word) in self.words("they") or _is_name(word)]
        return bool(theirs) and all(word in theirs or fold(word) in self.words("play") for word in said)

    def is_for_any(self, text: str) -> bool:
        rest, found = self.whatever.subn(" ", text)
        return bool(found) and self.only(rest, "answering", "tail", "they", "play")

    def only(self, text: str, *lists: str) -> bool:
        known = frozenset[str]().union(*map(self.words, lists))
        return all(fold(word) in known for word in WORD.findall(text))


def _is_name(word: str) -> bool:
    return word.istitle() and is_name(word)


@cache
def _words(language: str, key: str) -> frozenset[str]:
    return frozenset(map(fold, _WORDS.of(language, "planned", key)))


@cache
def _behind_move(language: str) -> re.Pattern[str]:
    opens, joining = (
        "|".join(map(re.escape, _WORDS.of(language, "planned", key))) for key in ("if", "joining")
    )
    return re.compile(
        rf"(?P<before>[^.!?]*?[0-9])[\s,;:.–-]+(?:(?:{joining})\s+)?(?P<plan>(?:{opens})\b.+)", re.IGNORECASE
    )


@cache
def _pattern(language: str, key: str) -> re.Pattern[str]:
    either = "|".join(map(re.escape, _WORDS.of(language, "planned", key)))
    return re.compile(rf"\W*\b(?:{either})\b", re.IGNORECASE)

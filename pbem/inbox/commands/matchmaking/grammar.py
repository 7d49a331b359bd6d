"""Commands and line readers for challenges and rematches."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from games.registry import heard
from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.impossible_addresses import is_impossible_address
from pbem.inbox.commands.line import CommandLine, arguments, match_of, plain, typed
from pbem.matches.matchmaking.match_request import why
from pbem.players.names import is_robot, robot_name
from pbem.wording import fold, wording

_WHO = re.compile(r"\w[\w.+'’-]{0,63}(?:@[\w.-]{1,190}\w)?")
_OPTION = re.compile(r"\S{0,79}[^\s,;:!?…]")
_MOST_OPTIONS = 20  # words; a clock may take several
_WORDS = wording(__package__)
_SETUP = re.compile(rf"\s(?:--?)?(?:{_WORDS.either('setup')})=", re.IGNORECASE)
_LEVEL = re.compile(rf"(?:{_WORDS.either('level')})[=\s]([0-9])(?!\S)", re.IGNORECASE)
_NO = _WORDS.words("no")
_MOVE, _SWAP = _WORDS.words("move"), _WORDS.words("swap")
_ANSWERS = wording("pbem.inbox.commands")
_NOBODY = _WORDS.words("between") | _ANSWERS.words("confirming") | _ANSWERS.words("refusing")
ANYBODY = _WORDS.words("anybody")
MACHINES = _WORDS.words("machines")
DECLINES_PEOPLE = _WORDS.words("declines_people")  # words both for Decline and for Refuse


@dataclass(frozen=True)
class Challenge(Command):
    """Challenges a player, or any player, or invites the reader of an e-mail address."""

    who: str
    game: str
    options: tuple[str, ...] = ()
    setup: str | None = None


@dataclass(frozen=True)
class Accept(Command):
    """Accepts a challenge or an offer."""

    match: int | None = None


@dataclass(frozen=True)
class Decline(Command):
    """Declines a challenge or an offer, with a reason or without."""

    match: int | None = None
    reason: str = ""


@dataclass(frozen=True)
class Rematch(Command):
    """Asks for a rematch with the sides changed."""

    match: int | None = None


@dataclass(frozen=True)
class Swap(Command):
    """Changes sides instead of moving, and so takes over the first move."""

    match: int | None = None


def _challenge(line: CommandLine) -> Challenge | None:
    words, setup = split_setup(line.rest)
    match _with_level(words):
        case [who, *wish] if _is_somebody(who) and (found := heard(wish)):
            game, options = found
            rules = read_options(options)
            return None if rules is None else Challenge(who, game, rules, setup)
    return None


def _is_somebody(who: str) -> bool:
    """Whether the word can be a player: not `to` of CHALLENGE to zertz, nor YES."""
    return bool(_WHO.fullmatch(who) or is_impossible_address(who)) and fold(who) not in _NOBODY


def _with_level(words: list[str]) -> list[str]:
    """Joins a robot and its level: `robot 2 loa` and `robot loa level=2` are `robot2 loa`."""
    match words:
        case [who, number, *wish] if number.isdecimal() and is_robot(who):
            return [f"{who}{number}", *wish]
        case [who, *wish] if is_robot(who) and (said := _LEVEL.search(text := " ".join(wish))):
            return [robot_name(int(said[1])), *f"{text[: said.start()]} {text[said.end() :]}".split()]
    return words


def split_setup(text: str) -> tuple[list[str], str | None]:
    """Returns the words, and the set-up; None when there is none."""
    # The set-up is the rest of the line: it may have blanks and end with a full stop.
    wish, *setup = _SETUP.split(text, maxsplit=1)
    return arguments(wish), typed(setup[0]) if setup else None


def read_options(words: Sequence[str]) -> tuple[str, ...] | None:
    """Returns the options after the game. None when they are a sentence."""
    if len(words) > _MOST_OPTIONS or not all(map(_OPTION.fullmatch, words)):
        return None
    return tuple(re.sub(r"^--?(?=\w)", "", word) for word in words)


def _accept(line: CommandLine) -> Accept | None:
    match, rest = match_of(line)
    return None if rest or (line.marked and match is None) else Accept(match)


def _decline(line: CommandLine) -> Decline | None:
    # A reason needs a match or a clear verb, so that "Rifiuto di crederci" stays talk; NO takes one word of
    # ours. RIFIUTO and one word, in a letter that answers none, is about a person: see
    # `pbem.inbox.commands.blocks`.
    match, rest = match_of(line)
    if line.word in DECLINES_PEOPLE and match is None and line.own is None and len(line.words) == 1:
        return None
    if match is None and (line.marked or (rest and not line.clear)):
        return None
    if rest and line.word in _NO and not (line.clear and why(rest)):
        return None
    return Decline(match, rest.strip())


def _rematch(line: CommandLine) -> Rematch | None:
    match, rest = match_of(line)
    return None if rest else Rematch(match)


def _swap(line: CommandLine) -> Swap | None:
    """Reads SWAP, or MOVE 105 swap of older servers."""
    match, rest = match_of(line)
    if line.word in _MOVE:
        return Swap(match) if fold(plain(rest)) in _SWAP else None
    return None if rest else Swap(match)


FAMILY = Family(
    __package__,
    Chapter.MEETING,
    rank=1,
    readers={Challenge: _challenge, Accept: _accept, Decline: _decline, Rematch: _rematch, Swap: _swap},
)

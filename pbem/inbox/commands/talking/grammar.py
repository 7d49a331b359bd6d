"""Commands and line readers for messages."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, text_of
from pbem.wording import fold, wording

WHO = re.compile(r"\w[\w.'’-]{0,39}")
_WORDS = wording(__package__)
_ORGANISER = wording(__package__).words("organiser")
COURTESIES = _WORDS.words("courtesies")
THANKING = _WORDS.words("thanking")
BESIDE_THANKS = _WORDS.words("beside_thanks")
THANKED_FOR = re.compile(
    rf"\b(?:{_WORDS.either('thanked_for', 'before')})\s*"
    rf"(?:(?:{_WORDS.repeated('thanked_for', 'between')})(?!(?<=\w)\w)\s*+)*+"
    rf"\b(?:{_WORDS.either('thanked_for', 'what')})\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Say(Command):
    """Sends a message to the opponent."""

    text: str
    match: int | None = None


@dataclass(frozen=True)
class Message(Command):
    """Sends a message to a player, beside any match."""

    who: str
    text: str = ""
    takes_talk: ClassVar[bool] = True


def _say(line: CommandLine) -> Say | None:
    # After `SAY 105:` come the lines below.
    match, text = text_of(line)
    if not (text and line.clear) and match is None:
        return None
    return Say(text, match)


def _message(line: CommandLine) -> Message | None:
    # In small letters only in a letter of its own, with a name: "Message received: thanks" is talk.
    rest = _without_to(line)
    who, colon, text = rest.partition(":")
    if line.match is not None or not colon or not (is_organiser(who) or WHO.fullmatch(who.strip())):
        return None
    meant = line.clear or is_organiser(who) or (line.own is None and rest[:1].isupper())
    return Message(who.strip(), text.strip()) if meant else None


def is_organiser(who: str) -> bool:
    """Whether the name is that of the organiser, which no player can have."""
    return fold(" ".join(who.split())) in _ORGANISER


def _without_to(line: CommandLine) -> str:
    """Removes the preposition of the verb's language: SCRIVO A Carla."""
    for language in _WORDS.languages:
        to = _WORDS.of(language, "to")
        if to and line.word in map(fold, _WORDS.of(language, "verbs", Message.__name__, "words")):
            return re.sub(rf"^(?:{'|'.join(map(re.escape, to))})\s+", "", line.rest, flags=re.IGNORECASE)
    return line.rest


FAMILY = Family(__package__, Chapter.WORDS, rank=1, readers={Say: _say, Message: _message})

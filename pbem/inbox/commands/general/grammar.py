"""Commands and line readers for help and lists."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.line import CommandLine, game_of
from pbem.wording import fold, wording

_WORDS = wording(__package__)
# HELP RULES: the rules of the match's game
RULES = _WORDS.words("rules")
GUIDE = _WORDS.words("guide")
ROBOTS = _WORDS.words("robots")
EVERYTHING = _WORDS.words("everything")  # HELP ALL
RULES_IN = {language: {fold(word) for word in words} for language, words in _WORDS.each("rules").items()}
_TOPICS = RULES | GUIDE | ROBOTS | EVERYTHING


@dataclass(frozen=True)
class Help(Command):
    """Sends the help on everything, on a verb or on a game, or the player's guide."""

    topic: str = ""
    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class Games(Command):
    """Lists the player's matches, and all games."""

    reading: ClassVar[bool] = True


def _help(line: CommandLine) -> Help | None:
    match line.words:
        case []:
            return Help()
        case [topic] if line.clear or fold(topic) in line.verbs or fold(topic) in _TOPICS:
            return Help(topic)
        case words if game := game_of(words):
            return Help(game)
    return None


def _games(line: CommandLine) -> Games | None:
    return None if line.rest or line.match is not None else Games()


FAMILY = Family(__package__, Chapter.BEGINNING, rank=1, readers={Help: _help, Games: _games})

"""Types of the command grammar: commands, phrases, verbs and their families."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import ClassVar

from pbem.inbox.commands.line import CommandLine
from pbem.wording import wording


@dataclass(frozen=True)
class Command:
    """A parsed command: what is asked, not whether it can be done.

    `line` is the player's text; a `match` of None is that of the letter answered. `reading`: changes nothing.
    `confirms`: always needs a YES. `private`: needs one unless a mail provider vouches for the message.
    `takes_talk`: the lines below are its text. `all_matches`: sets all the player's clocks anew.
    """

    line: str = field(default="", kw_only=True, compare=False)
    reading: ClassVar[bool] = False
    confirms: ClassVar[bool] = False
    private: ClassVar[bool] = False
    takes_talk: ClassVar[bool] = False
    all_matches: ClassVar[bool] = False


# Verbs and their families

# Returns None when the line is talk or another verb's
Reader = Callable[[CommandLine], Command | None]


class Chapter(StrEnum):
    """The chapters of HELP, in its order; `wording.<language>.toml` has their titles."""

    BEGINNING = "beginning"
    MEETING = "meeting"
    PLAYING = "playing"
    LOOKING = "looking"
    TIME = "time"
    WORDS = "words"
    LETTERS = "letters"


@dataclass(frozen=True)
class Phrase:
    """A verb in one language: its words (HELP shows the first), its usage and its help."""

    words: tuple[str, ...]
    usage: str
    help: str

    @property
    def brief(self) -> str:
        """The first sentence of the help, without its examples."""
        return re.split(r"(?<=\.) |, as in |, come in |: (?=[A-Z]{2})", self.help)[0].rstrip(".") + "."


@dataclass(frozen=True)
class Verb:
    """A command with its reader and its phrases by language."""

    command: type[Command]
    read: Reader
    phrases: Mapping[str, Phrase]


@dataclass(frozen=True)
class Family:
    """The verbs of the folder `package`, in the order of HELP; `rank` orders the families of a chapter.

    Its `wording.<language>.toml` has a table for each command under `verbs`.
    """

    package: str
    chapter: Chapter
    rank: int
    readers: Mapping[type[Command], Reader]

    @cached_property
    def verbs(self) -> tuple[Verb, ...]:
        """Builds the verbs. Raises MiswrittenWording."""
        wording(self.package).must_have((command.__name__ for command in self.readers), "verbs")
        return tuple(Verb(command, read, self._phrases(command)) for command, read in self.readers.items())

    def _phrases(self, command: type[Command]) -> dict[str, Phrase]:
        spoken, name = wording(self.package), command.__name__
        return {
            language: Phrase(
                tuple(spoken.of(language, "verbs", name, "words")),
                spoken.of(language, "verbs", name, "usage"),
                " ".join(spoken.of(language, "verbs", name, "help").split()),
            )
            for language in spoken.languages
        }

"""What all commands have in common: what is asked, as a value, not yet whether it can be done."""

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
    """`line` is what the player wrote. A `reading` command changes nothing; one that `confirms` waits for a YES
    no matter who sent it, and one that is `private` unless a mail provider stands by the message. One that
    `takes_talk` has the lines below it for its text. One about `all_matches` of the player sets their clocks anew.

    Most have a `match`, None where the player named none: then it is the match of the letter answered.
    """

    line: str = field(default="", kw_only=True, compare=False)
    reading: ClassVar[bool] = False
    confirms: ClassVar[bool] = False
    private: ClassVar[bool] = False
    takes_talk: ClassVar[bool] = False
    all_matches: ClassVar[bool] = False


# A family of verbs: the commands that it gives, how a line with one is read, and how every language
# says it.

# Gives None where the line only begins like the verb: then it is talk, or another verb's.
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
    """A verb in one language: its words, the first of which HELP shows, what may follow, and what it does."""

    words: tuple[str, ...]
    usage: str
    help: str

    @property
    def brief(self) -> str:
        """The first sentence of what it does, without its examples."""
        return re.split(r"(?<=\.) |, as in |, come in |: (?=[A-Z]{2})", self.help)[0].rstrip(".") + "."


@dataclass(frozen=True)
class Verb:
    """A command with its reader and, by language, its phrase."""

    command: type[Command]
    read: Reader
    phrases: Mapping[str, Phrase]


@dataclass(frozen=True)
class Family:
    """The verbs of the folder `package`, in the order of HELP; `rank` is the place of the family in its chapter.

    Under `verbs` its `wording.<language>.toml` has a table of the name of each command.
    """

    package: str
    chapter: Chapter
    rank: int
    readers: Mapping[type[Command], Reader]

    @cached_property
    def verbs(self) -> tuple[Verb, ...]:
        """Raises MiswrittenWording."""
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

"""A verb: the command that it gives, how a line with it is read, and how every language says it."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from inspect import cleandoc
from itertools import chain

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken

Reader = Callable[[Spoken], Command | None]


@dataclass(frozen=True)
class Wording:
    """A verb in one language: its words, the first of which HELP shows, what may follow, and what it does."""

    words: tuple[str, ...]
    usage: str
    does: str

    @property
    def brief(self) -> str:
        """The first sentence of what it does, without its examples."""
        return re.split(r"(?<=\.) |, as in |, come in |: (?=[A-Z]{2})", self.does)[0].rstrip(".") + "."


@dataclass(frozen=True)
class Verb:
    """`read` gives None where the line only begins like the verb: then it is talk, or another verb's."""

    command: type[Command]
    read: Reader
    said: Mapping[str, Wording]


@dataclass(frozen=True)
class Chapter:
    """A chapter of HELP: its title in each language, and the families of verbs that it explains."""

    title: Mapping[str, str]
    families: Sequence[Sequence[Verb]]

    @property
    def verbs(self) -> Iterator[Verb]:
        return chain.from_iterable(self.families)


def verb(command: type[Command], read: Reader, *, en: tuple[str, str], it: tuple[str, str, str]) -> Verb:
    """`en` and `it`: all words, the usage, and what it does; in English that is the command's docstring."""
    does = cleandoc(command.__doc__ or "")
    return Verb(command, read, {"en": _wording(*en, does), "it": _wording(*it)})


def _wording(words: str, usage: str, does: str) -> Wording:
    return Wording(tuple(words.split()), usage, " ".join(does.split()))

"""Commands and line readers for registration, names and addresses."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Chapter, Command, Family
from pbem.inbox.commands.impossible_addresses import is_impossible_address
from pbem.inbox.commands.line import CommandLine
from pbem.inbox.understanding.normalization import unquoted
from pbem.wording import SOURCE, fold, wording

_WORDS = wording(__package__)
ADDRESS = _WORDS.words("address")  # SET ADDRESS alice@example.org
NAME = _WORDS.words("name")  # SET NAME Teo
REGISTERING: Mapping[str, Sequence[str]] = _WORDS.each("verbs", "Register", "words")
_NAME = re.compile(r"\w[\w.'’-]{0,39}")
_ASIDE, _LETTER = re.compile(r"\([^()]{0,60}\)"), re.compile(r"\w")
_EMAIL = re.compile(r"[^\s@<>\"(),:;\\]{1,64}@[\w.-]{1,180}\.\w{2,63}")


@dataclass(frozen=True)
class Register(Command):
    """Registers a player."""

    name: str = ""


@dataclass(frozen=True)
class Addresses(Command):
    """Lists the addresses that the player writes from."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class AddAddress(Command):
    """Adds an address that the player writes from."""

    address: str
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class SetAddress(Command):
    """Sends the player's letters to this address from now on; a new one is added."""

    address: str
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class SetName(Command):
    """Renames the player."""

    name: str
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class RemoveAddress(Command):
    """Removes an address."""

    address: str
    confirms: ClassVar[bool] = True


def _register(line: CommandLine) -> Register | None:
    # In a reply to a turn "Register soon" is talk. Words in brackets are no name, nor are smileys.
    most = 3 if line.clear else 1
    words = [unquoted(word) for word in _ASIDE.sub(" ", line.rest).split() if _LETTER.search(word)]
    if line.own is not None or len(words) > most or not all(map(_NAME.fullmatch, words)):
        return None
    return Register(" ".join(words))


def language_of(register: Register) -> str:
    """Returns the language of the verb: ISCRIVIMI is Italian."""
    begins = re.match(r"\s*([^\W\d_]+)", register.line)
    word = fold(begins[1]) if begins else ""
    return next((language for language, words in REGISTERING.items() if word in map(fold, words)), SOURCE)


def _addresses(line: CommandLine) -> Addresses | None:
    return None if line.rest or line.match is not None else Addresses()


def _set_name(line: CommandLine) -> SetName | None:
    match line.words:
        case [word, name] if fold(word.rstrip(":=")) in NAME and line.match is None and _NAME.fullmatch(name):
            return SetName(name)
    return None


def _address(kind: Callable[[str], Command]) -> Callable[[CommandLine], Command | None]:
    def read(line: CommandLine) -> Command | None:
        match line.words:
            case [word, email] if fold(word) in ADDRESS and line.match is None:
                known = _EMAIL.fullmatch(email) or is_impossible_address(email)
                return kind(email.lower()) if known else None
        return None

    return read


FAMILY = Family(
    __package__,
    Chapter.LETTERS,
    rank=4,
    readers={
        Register: _register,
        Addresses: _addresses,
        SetAddress: _address(SetAddress),
        SetName: _set_name,
        AddAddress: _address(AddAddress),
        RemoveAddress: _address(RemoveAddress),
    },
)

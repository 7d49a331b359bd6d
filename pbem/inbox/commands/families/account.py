"""Signing up, and the addresses that a player writes from."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import ClassVar

from pbem.inbox.commands.command import Command
from pbem.inbox.commands.spoken import Spoken, fold
from pbem.inbox.commands.verb import Verb, verb

ADDRESS = {"address", "indirizzo"}  # SET ADDRESS alice@example.org
_NAME = re.compile(r"\w[\w.'’-]{0,39}")
_EMAIL = re.compile(r"[^\s@<>\"(),:;\\]{1,64}@[\w.-]{1,180}\.\w{2,63}")


@dataclass(frozen=True)
class Register(Command):
    """Signs you up: we write back, you answer, and that is all. There is no password."""

    name: str = ""


@dataclass(frozen=True)
class Addresses(Command):
    """Lists the addresses that you write from; our letters go to the first."""

    reading: ClassVar[bool] = True


@dataclass(frozen=True)
class AddAddress(Command):
    """Adds an address that you write from. We ask you to confirm, and then we ask that address."""

    address: str
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class SetAddress(Command):
    """Has our letters sent to this address from now on, and adds it where it is new. We ask you to confirm."""

    address: str
    confirms: ClassVar[bool] = True


@dataclass(frozen=True)
class RemoveAddress(Command):
    """Takes an address away. We ask you to confirm."""

    address: str
    confirms: ClassVar[bool] = True


def _register(said: Spoken) -> Register | None:
    """Nobody signs up in a reply to a turn; there "Register soon" is talk."""
    most = 3 if said.clear else 1
    if said.own is not None or len(said.words) > most or not all(map(_NAME.fullmatch, said.words)):
        return None
    return Register(" ".join(said.words))


def _addresses(said: Spoken) -> Addresses | None:
    return None if said.rest or said.match is not None else Addresses()


def _address(kind: Callable[[str], Command]) -> Callable[[Spoken], Command | None]:
    def read(said: Spoken) -> Command | None:
        match said.words:
            case [word, email] if fold(word) in ADDRESS and said.match is None and _EMAIL.fullmatch(email):
                return kind(email.lower())
        return None

    return read


VERBS: Sequence[Verb] = (
    verb(
        Register,
        _register,
        en=("REGISTER", "REGISTER name"),
        it=(
            "ISCRIVIMI",
            "ISCRIVIMI nome",
            "Ti iscrive: noi ti scriviamo, tu rispondi, ed è tutto. Non c'è nessuna password.",
        ),
    ),
    verb(
        Addresses,
        _addresses,
        en=("ADDRESSES", "ADDRESSES"),
        it=(
            "INDIRIZZI",
            "INDIRIZZI",
            "Elenca gli indirizzi da cui scrivi; le nostre lettere vanno al primo.",
        ),
    ),
    verb(
        SetAddress,
        _address(SetAddress),
        en=("SET", "SET ADDRESS you@example.org"),
        it=(
            "IMPOSTA",
            "IMPOSTA INDIRIZZO tu@example.org",
            "D'ora in poi le nostre lettere vanno a questo indirizzo; se è nuovo, viene aggiunto. Ti"
            " chiediamo conferma.",
        ),
    ),
    verb(
        AddAddress,
        _address(AddAddress),
        en=("ADD", "ADD ADDRESS you@example.org"),
        it=(
            "AGGIUNGI",
            "AGGIUNGI INDIRIZZO tu@example.org",
            "Aggiunge un indirizzo da cui scrivi. Chiediamo conferma a te e poi a quell'indirizzo.",
        ),
    ),
    verb(
        RemoveAddress,
        _address(RemoveAddress),
        en=("REMOVE", "REMOVE ADDRESS you@example.org"),
        it=("TOGLI", "TOGLI INDIRIZZO tu@example.org", "Toglie un indirizzo. Ti chiediamo conferma."),
    ),
)

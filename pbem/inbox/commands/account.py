"""Registration, names, and addresses of players."""

from __future__ import annotations

import re
from collections.abc import Callable

from pbem.inbox import addresses as mailboxes
from pbem.inbox.commands.command import (
    AddAddress,
    Addresses,
    Command,
    Register,
    RemoveAddress,
    SetAddress,
    SetName,
)
from pbem.inbox.commands.line import CommandLine
from pbem.inbox.handling.context import CommandContext, Verbs
from pbem.inbox.understanding.normalization import unquoted
from pbem.players.models.address import is_impossible_address
from pbem.players.services import rename
from pbem.refusals import Code, Refused
from pbem.wording import fold, wording

_WORDS = wording(__name__)
ADDRESS = _WORDS.words("address")  # SET ADDRESS alice@example.org
NAME = _WORDS.words("name")  # SET NAME Teo
_NAME = re.compile(r"\w[\w.'’-]{0,39}")
_ASIDE, _LETTER = re.compile(r"\([^()]{0,60}\)"), re.compile(r"\w")
_EMAIL = re.compile(r"[^\s@<>\"(),:;\\]{1,64}@[\w.-]{1,180}\.\w{2,63}")


def _read_register(line: CommandLine) -> Register | None:
    # In a reply to a turn "Register soon" is talk. Words in brackets are no name, nor are smileys.
    most = 3 if line.clear else 1
    words = [unquoted(word) for word in _ASIDE.sub(" ", line.rest).split() if _LETTER.search(word)]
    if line.own is not None or len(words) > most or not all(map(_NAME.fullmatch, words)):
        return None
    return Register(" ".join(words))


def _read_addresses(line: CommandLine) -> Addresses | None:
    return None if line.rest or line.match is not None else Addresses()


def _read_set_name(line: CommandLine) -> SetName | None:
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


def _register(context: CommandContext, register: Register) -> None:
    raise Refused(Code.ALREADY_REGISTERED, name=context.player.name)


def _addresses(context: CommandContext, addresses: Addresses) -> None:
    context.reply({"kind": "addresses"})


def _change(context: CommandContext, command: AddAddress | SetAddress | RemoveAddress) -> None:
    context.reply(mailboxes.change(command, context.player, context.responder))


def _set_name(context: CommandContext, command: SetName) -> None:
    before = rename(context.player, command.name, now=context.now)
    context.reply({"kind": "renamed", "name": command.name, "before": before})


VERBS: Verbs = {
    Register: (_read_register, _register),
    Addresses: (_read_addresses, _addresses),
    SetAddress: (_address(SetAddress), _change),
    SetName: (_read_set_name, _set_name),
    AddAddress: (_address(AddAddress), _change),
    RemoveAddress: (_address(RemoveAddress), _change),
}

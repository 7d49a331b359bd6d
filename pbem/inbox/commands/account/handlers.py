"""Handlers for registration, names and addresses."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.inbox import addresses as mailboxes
from pbem.inbox.commands.account.grammar import (
    AddAddress,
    Addresses,
    Register,
    RemoveAddress,
    SetAddress,
    SetName,
)
from pbem.inbox.commands.command import Command
from pbem.inbox.handling.context import CommandContext, Handler
from pbem.players.services import rename
from pbem.refusals import Code, Refused


def _register(context: CommandContext, register: Register) -> None:
    raise Refused(Code.ALREADY_REGISTERED, name=context.player.name)


def _addresses(context: CommandContext, addresses: Addresses) -> None:
    context.reply({"kind": "addresses"})


def _change(context: CommandContext, command: AddAddress | SetAddress | RemoveAddress) -> None:
    context.reply(mailboxes.change(command, context.player, context.responder))


def _set_name(context: CommandContext, command: SetName) -> None:
    before = rename(context.player, command.name, now=context.now)
    context.reply({"kind": "renamed", "name": command.name, "before": before})


HANDLERS: Mapping[type[Command], Handler] = {
    Register: _register,
    Addresses: _addresses,
    AddAddress: _change,
    SetAddress: _change,
    RemoveAddress: _change,
    SetName: _set_name,
}

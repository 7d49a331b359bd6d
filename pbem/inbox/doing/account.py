"""Signing up, and the addresses that a player writes from."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.inbox import mailboxes
from pbem.inbox.commands import Command
from pbem.inbox.commands.families.account import AddAddress, Addresses, Register, RemoveAddress, SetAddress
from pbem.inbox.doing.work import Doer
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _register(doing: Doing, register: Register) -> None:
    raise Refused("C07", name=doing.player.name)


def _addresses(doing: Doing, addresses: Addresses) -> None:
    doing.tell({"kind": "addresses"})


def _change(doing: Doing, command: AddAddress | SetAddress | RemoveAddress) -> None:
    doing.tell(mailboxes.change(command, doing.player, doing.answering))


DO: Mapping[type[Command], Doer] = {
    Register: _register,
    Addresses: _addresses,
    AddAddress: _change,
    SetAddress: _change,
    RemoveAddress: _change,
}

"""Offers to whoever wants to play: made, listed, taken, withdrawn."""

from __future__ import annotations

from collections.abc import Mapping
from random import SystemRandom
from typing import TYPE_CHECKING

from django.db import transaction

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.offers import Close, Join, Offer, Open
from pbem.inbox.doing.counting import count
from pbem.inbox.doing.work import Doer
from pbem.matches.meeting import seeking

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _offer(doing: Doing, offer: Offer) -> None:
    made = seeking.offer(
        doing.player,
        game=offer.game,
        options=offer.options,
        setup=offer.setup,
        keep=offer.keep,
        now=doing.now,
        rng=SystemRandom(),
    )
    doing.tell({"kind": "open", "made": made.pk, "at": doing.now.isoformat()})


def _open(doing: Doing, command: Open) -> None:
    doing.tell({"kind": "open", "game": command.game, "at": doing.now.isoformat()})


@transaction.atomic
def _join(doing: Doing, join: Join) -> None:
    count("challenges", doing, refusal="C13")
    seeking.join(doing.player, join.number, now=doing.now, rng=SystemRandom(), letter=doing.row.pk)


def _close(doing: Doing, close: Close) -> None:
    seeking.close(doing.player, close.number, now=doing.now)
    doing.tell({"kind": "open", "closed": close.number, "at": doing.now.isoformat()})


DO: Mapping[type[Command], Doer] = {
    Offer: _offer,
    Open: _open,
    Join: _join,
    Close: _close,
}

"""How much is enough for a player, and whom they would rather not meet."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.refusing import Allow, Block, Limit, Limits, Refuse
from pbem.inbox.doing.matchmaking import player_called
from pbem.inbox.doing.work import Doer
from pbem.players import refusing
from pbem.players.models import Player

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _limits(doing: Doing, limits: Limits) -> None:
    doing.tell({"kind": "limits"})


def _limit(doing: Doing, limit: Limit) -> None:
    refusing.limit(doing.player, limit.game, limit.most)
    doing.tell({"kind": "limits"})


def _refuse(doing: Doing, refuse: Refuse) -> None:
    refusing.refuse(
        doing.player,
        player_called(doing, refuse.who, known=Player.objects.all()),
        game=refuse.game,
        now=doing.now,
    )
    doing.tell({"kind": "limits"})


def _block(doing: Doing, block: Block) -> None:
    refusing.refuse(
        doing.player, player_called(doing, block.who, known=Player.objects.all()), blocked=True, now=doing.now
    )
    doing.tell({"kind": "limits"})


def _allow(doing: Doing, allow: Allow) -> None:
    refusing.allow(doing.player, player_called(doing, allow.who, known=Player.objects.all()))
    doing.tell({"kind": "limits"})


DO: Mapping[type[Command], Doer] = {
    Limit: _limit,
    Limits: _limits,
    Refuse: _refuse,
    Block: _block,
    Allow: _allow,
}

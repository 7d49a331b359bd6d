"""How a match comes about."""

from __future__ import annotations

from collections.abc import Mapping
from random import SystemRandom
from typing import TYPE_CHECKING

from pbem.inbox.commands import Command
from pbem.inbox.commands.families.matchmaking import Accept, Challenge, Decline
from pbem.inbox.doing.work import Doer
from pbem.matches import services
from pbem.players.models import Player
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _accept(doing: Doing, accept: Accept) -> None:
    services.accept(doing.seat(accept.match), now=doing.now, arrived=doing.arrival, letter=doing.row.pk)


def _decline(doing: Doing, decline: Decline) -> None:
    services.decline(doing.seat(decline.match), reason=decline.reason, now=doing.now, letter=doing.row.pk)


def _challenge(doing: Doing, challenge: Challenge) -> None:
    opponent = Player.objects.reachable().called(challenge.who)
    if opponent is None:
        others = Player.objects.reachable().exclude(pk=doing.player.pk)
        # Beside an address no name is suggested: vera@v.it looks like Vera.
        nearest = () if "@" in challenge.who else others.near(challenge.who)
        raise Refused("C01", name=challenge.who, nearest=nearest)
    services.propose(
        challenger=doing.player,
        opponent=opponent,
        game=challenge.game,
        options=challenge.options,
        setup=challenge.setup,
        now=doing.now,
        rng=SystemRandom(),
        letter=doing.row.pk,
    )


DO: Mapping[type[Command], Doer] = {
    Challenge: _challenge,
    Accept: _accept,
    Decline: _decline,
}

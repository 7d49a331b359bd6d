"""How a match comes about."""

from __future__ import annotations

from collections.abc import Mapping
from random import SystemRandom
from typing import TYPE_CHECKING

from django.db import transaction

from pbem.inbox import invitations
from pbem.inbox.commands import Command
from pbem.inbox.commands.families.matchmaking import Accept, Challenge, Decline, Rematch, Swap
from pbem.inbox.doing.counting import count
from pbem.inbox.doing.talk import with_answer
from pbem.inbox.doing.work import Doer
from pbem.matches import services
from pbem.matches.meeting import inviting
from pbem.matches.meeting.rematch import rematch
from pbem.matches.models import Match
from pbem.matches.swapping import swap
from pbem.players.models import Player, PlayerQuerySet
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _accept(doing: Doing, accept: Accept) -> None:
    seat = doing.seat(accept.match)
    services.accept(seat, now=doing.now, arrived=doing.arrival_in(seat), letter=doing.row.pk)


def _decline(doing: Doing, decline: Decline) -> None:
    seat = doing.seat(decline.match)
    services.decline(seat, reason=with_answer(seat, decline.reason), now=doing.now, letter=doing.row.pk)


@transaction.atomic
def _rematch(doing: Doing, command: Rematch) -> None:
    """Of the match named, of the one that the letter is about, else of the last that is over."""
    seat = doing.seat(command.match or doing.own or _last_over(doing.player))
    count("challenges", doing, refusal="C13")
    rematch(seat, now=doing.now, rng=SystemRandom(), arrived=doing.arrival, letter=doing.row.pk)


def _last_over(player: Player) -> int | None:
    over = Match.objects.of(player).filter(status=Match.Status.OVER)
    return over.order_by("-pk").values_list("pk", flat=True).first()


def _swap(doing: Doing, command: Swap) -> None:
    seat = doing.seat(command.match)
    swap(seat, now=doing.now, arrived=doing.arrival_in(seat), letter=doing.row.pk)


@transaction.atomic
def _challenge(doing: Doing, challenge: Challenge) -> None:
    if "@" in challenge.who:
        _invite(doing, challenge)
        return
    opponent = player_called(doing, challenge.who)
    count("challenges", doing, refusal="C13")
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


def _invite(doing: Doing, challenge: Challenge) -> None:
    """Whoever reads the address hears of it, or nobody does; the player is told the same."""
    count("invitations", doing, refusal="C18")
    invitation = inviting.invite(
        doing.player,
        challenge.who,
        game=challenge.game,
        options=challenge.options,
        setup=challenge.setup,
        now=doing.now,
        rng=SystemRandom(),
    )
    invitations.send(invitation, now=doing.now)
    doing.tell({"kind": "invited", "invitation": invitation.pk})


def player_called(doing: Doing, name: str, known: PlayerQuerySet | None = None) -> Player:
    """Whom the player means, among those who get letters unless others are `known`. Refuses C01."""
    player = (Player.objects.reachable() if known is None else known).called(name)
    if player is None:
        others = Player.objects.reachable().exclude(pk=doing.player.pk)
        # Beside an address no name is suggested: vera@v.it looks like Vera.
        raise Refused("C01", name=name, nearest=() if "@" in name else others.near(name))
    return player


DO: Mapping[type[Command], Doer] = {
    Challenge: _challenge,
    Accept: _accept,
    Decline: _decline,
    Rematch: _rematch,
    Swap: _swap,
}

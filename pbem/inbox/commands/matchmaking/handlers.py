"""Handlers for challenges, invitations and rematches."""

from __future__ import annotations

from collections.abc import Mapping
from random import SystemRandom

from django.db import transaction

from pbem.inbox import invitations
from pbem.inbox.commands.command import Command
from pbem.inbox.commands.matchmaking.grammar import (
    ANYBODY,
    MACHINES,
    Accept,
    Challenge,
    Decline,
    Rematch,
    Swap,
)
from pbem.inbox.commands.offers.handlers import make
from pbem.inbox.handling.context import CommandContext, Handler, count
from pbem.inbox.handling.talk import is_courtesy, with_answer
from pbem.mail.authentication.dkim import organisation
from pbem.mail.mailbox import mailbox_of
from pbem.mail.parsing.redact_addresses import relayed_to_stranger
from pbem.matches import services
from pbem.matches.matchmaking import invitations as inviting
from pbem.matches.matchmaking.rematch import rematch
from pbem.matches.models import Match
from pbem.matches.offers import swap
from pbem.players.models import Player, PlayerQuerySet
from pbem.refusals import Code, Refused
from pbem.wording import fold


def _accept(context: CommandContext, accept: Accept) -> None:
    seat = context.seat(accept.match)
    services.accept(seat, now=context.now, arrived=context.arrival_in(seat), letter=context.row.pk)


def _decline(context: CommandContext, decline: Decline) -> None:
    seat = context.seat(decline.match)
    services.decline(seat, reason=with_answer(seat, decline.reason), now=context.now, letter=context.row.pk)


@transaction.atomic
def _rematch(context: CommandContext, command: Rematch) -> None:
    """Uses the match named, else the letter's match, else the last one that is over."""
    seat = context.seat(command.match or context.own or _last_over(context.player))
    count("challenges", context, refusal=Code.TOO_MANY_CHALLENGES)
    match = rematch(seat, now=context.now, rng=SystemRandom(), arrived=context.arrival, letter=context.row.pk)
    context.meets(match)


def _last_over(player: Player) -> int | None:
    over = Match.objects.of(player).filter(status=Match.Status.OVER)
    return over.order_by("-pk").values_list("pk", flat=True).first()


def _swap(context: CommandContext, command: Swap) -> None:
    seat = context.seat(command.match)
    swap(seat, now=context.now, arrived=context.arrival_in(seat), letter=context.row.pk)


@transaction.atomic
def _challenge(context: CommandContext, challenge: Challenge) -> None:
    if "@" in challenge.who:
        _invite(context, challenge)
        return
    if fold(challenge.who) in ANYBODY:
        make(context, challenge)
        return
    opponent = _robot_called(challenge.who) or player_called(context, challenge.who)
    count("challenges", context, refusal=Code.TOO_MANY_CHALLENGES)
    match = services.propose(
        challenger=context.player,
        opponent=opponent,
        game=challenge.game,
        options=challenge.options,
        setup=challenge.setup,
        now=context.now,
        rng=SystemRandom(),
        letter=context.row.pk,
    )
    context.meets(match)


def _invite(context: CommandContext, challenge: Challenge) -> None:
    """Invites the reader of an address; the player's words go along, unless they are for an opponent."""
    # The player is told the same, whether or not the invitation is sent.
    count("invitations", context, refusal=Code.TOO_MANY_INVITATIONS)
    domain = organisation(mailbox_of(challenge.who).rpartition("@")[2])
    count("invitations_domain", context, refusal=Code.DOMAIN_USED_UP, whom=domain)
    count("invitations_day", context, refusal=Code.INVITATIONS_USED_UP, whom="all")
    elsewhere = context.says(context.chat) or is_courtesy(context, context.chat)
    invitation = inviting.invite(
        context.player,
        challenge.who,
        game=challenge.game,
        options=challenge.options,
        setup=challenge.setup,
        message="" if elsewhere else relayed_to_stranger(context.chat),
        now=context.now,
        rng=SystemRandom(),
    )
    context.invited.append(invitation)
    invitations.send(invitation, now=context.now)
    context.reply({"kind": "invited", "invitation": invitation.pk})


def _robot_called(name: str) -> Player | None:
    """Returns the weakest robot for `computer`, unless a player has that name; else None."""
    is_one = fold(name) in MACHINES and Player.objects.opponents().called(name) is None
    return Player.objects.robots().first() if is_one else None


def player_called(context: CommandContext, name: str, known: PlayerQuerySet | None = None) -> Player:
    """Returns the player of that name, of the `known` or of those open to challenges. Refuses C01."""
    player = (Player.objects.opponents() if known is None else known).called(name)
    if player is None:
        others = Player.objects.opponents().exclude(pk=context.player.pk)
        # Beside an address no name is suggested: vera@v.it looks like Vera.
        raise Refused(Code.NO_SUCH_PLAYER, name=name, nearest=() if "@" in name else others.near(name))
    return player


HANDLERS: Mapping[type[Command], Handler] = {
    Challenge: _challenge,
    Accept: _accept,
    Decline: _decline,
    Rematch: _rematch,
    Swap: _swap,
}

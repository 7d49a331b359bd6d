"""Sends the letters of challenges to an address."""

from __future__ import annotations

from datetime import datetime

from pbem.matches.matchmaking.eligibility import may_challenge
from pbem.matches.models import Invitation
from pbem.outbox.delivery.bounces import may_be_disturbed
from pbem.outbox.notifications.notify import Section, write_to_address, write_to_player
from pbem.outbox.signed_addresses import invitation_address
from pbem.players.models import Player


def send(invitation: Invitation, *, now: datetime) -> None:
    """Writes to the players at the address, or to a stranger who accepts letters.

    The challenger gets the same answer in each case.
    """
    readers = list(invitation.readers.reachable())
    willing = [reader for reader in readers if _takes(reader, invitation, now)]
    if len(willing) == 1 and len(readers) == 1:
        _write(invitation, now, player=willing[0])
    elif willing:
        _write(invitation, now, others=[reader.name for reader in willing])
    elif not invitation.readers.exists() and _may_be_asked(invitation):
        Invitation.objects.filter(pk=invitation.pk).update(told=True)
        _write(invitation, now)


def _takes(reader: Player, invitation: Invitation, now: datetime) -> bool:
    return may_challenge(invitation.challenger, reader, invitation.game.key, now)


def _may_be_asked(invitation: Invitation) -> bool:
    """Whether the stranger has not opted out, and has no other invitation to answer."""
    waiting = Invitation.objects.unanswered().filter(mailbox=invitation.mailbox, told=True)
    return may_be_disturbed(invitation.address) and not waiting.exists()


def _write(
    invitation: Invitation, now: datetime, *, player: Player | None = None, others: list[str] | None = None
) -> None:
    cause = f"invitation:{invitation.pk}"
    section = section_of(invitation) | {"others": others or []}
    if player:
        write_to_player(player, cause=cause, section=section, now=now)
    else:
        language = invitation.challenger.language
        write_to_address(invitation.address, language=language, cause=cause, section=section, now=now)


def section_of(invitation: Invitation) -> Section:
    return {
        "kind": "invites",
        "invitation": invitation.pk,
        "reply_to": invitation_address(invitation),
    }

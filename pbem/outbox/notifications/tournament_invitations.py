"""Invitations to a tournament, to players and to people who have not signed up."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pbem.matches.models import Tournament, TournamentInvitation
from pbem.outbox.delivery.bounces import complained, may_be_disturbed
from pbem.outbox.notifications.notify import Section, write_to_address, write_to_player
from pbem.players.models import Player
from pbem.players.models.address import is_ours
from pbem.refusals import REFUSALS, Code


@transaction.atomic
def invite_to(
    tournament: Tournament, email: str, *, language: str, host: str, note: str = "", now: datetime
) -> TournamentInvitation | None:
    """None: they were asked before, or take part already. Raises ValidationError where no letter may go."""
    address = email.lower()
    readers = list(Player.objects.writing_from(address)[:2])
    if tournament.entries.filter(player__in=readers).exists():
        return None
    if tournament.invitations.filter(address=address).exists():
        return None
    _check(address, readers)
    invitation = TournamentInvitation.objects.create(tournament=tournament, address=address, asked_at=now)
    section: Section = {"kind": "event", "event": invitation.pk, "host": host, "note": note}
    cause = f"event:{invitation.pk}"
    if len(readers) == 1:
        write_to_player(readers[0], cause=cause, section=section, now=now)
    else:
        write_to_address(address, language=language, cause=cause, section=section, now=now)
    return invitation


def _check(address: str, readers: list[Player]) -> None:
    if is_ours(address):
        raise ValidationError(REFUSALS[Code.OUR_OWN_ADDRESS].sentence)
    if len(readers) > 1:
        raise ValidationError(_("Several players share this address: enter them by name."))
    if complained(address):
        raise ValidationError(_("A letter to this address was reported as spam; do not write to it again."))
    if readers and readers[0].silent_since:
        raise ValidationError(_("This player wants no letters."))
    if not readers and not may_be_disturbed(address):
        raise ValidationError(_("Anyone who reads at this address wants no letters of ours."))

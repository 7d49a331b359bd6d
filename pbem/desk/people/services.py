"""What the organiser does that no player can: invite, suspend, readmit, change an address without its old mailbox."""

from __future__ import annotations

from datetime import datetime

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from pbem.inbox import address_changes
from pbem.outbox.delivery.bounces import complained, may_be_disturbed
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import told, write_to_address
from pbem.players.models import Address, AddressChange, Player
from pbem.players.models.address import is_ours
from pbem.refusals import REFUSALS, Code


@transaction.atomic
def invite(*, email: str, language: str, host: str, note: str = "", now: datetime) -> OutboundMail:
    """Write to somebody who does not play yet, once a week at most. Raises ValidationError."""
    address = email.lower()
    if is_ours(address):
        raise ValidationError(REFUSALS[Code.OUR_OWN_ADDRESS].sentence)
    if Address.objects.filter(email=address).exists():
        raise ValidationError(_("This address belongs to a player."))
    if complained(address):
        raise ValidationError(_("A letter to this address was reported as spam; do not write to it again."))
    if not may_be_disturbed(address):
        raise ValidationError(_("The person who reads at this address wants no letters of ours."))
    cause = cause_of(now)
    if told(cause, address):
        raise ValidationError(_("This address was invited this week."))
    section = {"kind": "invitation", "host": host, "note": note}
    return write_to_address(address, language=language, cause=cause, section=section, now=now)


def cause_of(moment: datetime) -> str:
    """Of the invitations of that week."""
    year, week, _day = moment.isocalendar()
    return f"invitation:{year}-{week}"


def suspend(player: Player, *, now: datetime) -> None:
    """From now on the player begins no match and writes to nobody (A07); the matches that they play go on."""
    Player.objects.filter(pk=player.pk, suspended_at__isnull=True).update(suspended_at=now)


def readmit(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(suspended_at=None)


@transaction.atomic
def change_address(player: Player, email: str, *, now: datetime) -> None:
    """For a player who cannot read the old mailbox: in three days, if the new one says YES and no NO comes. Raises
    ValidationError; refuses C10, C23."""
    if player.writes_from(email):
        raise ValidationError(_("This address is theirs already."))
    if player.address_changes.open().filter(email=email.lower()).exists():
        raise ValidationError(_("This change is under way already."))
    if not may_be_disturbed(email.lower()):
        raise ValidationError(_("The person who reads at this address wants no letters of ours."))
    address_changes.begin(player, email, puts_first=True, by_organiser=True, now=now)


@transaction.atomic
def stop_change(change: AddressChange, *, now: datetime) -> None:
    """Unless it is done, or was stopped, in this moment."""
    locked = AddressChange.objects.open().filter(pk=change.pk).select_for_update().first()
    if locked is None:
        raise ValidationError(_("It is too late to stop this change."))
    address_changes.undo(locked, cause=f"address_change:{change.pk}:stopped", now=now)

"""Services for organisers: invite, suspend, readmit, merge, change an address without its old mailbox."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.core.exceptions import ValidationError
from django.db import IntegrityError, models, transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pbem.inbox import address_changes
from pbem.matches.clock import service as clocks
from pbem.matches.models import Entry, Match
from pbem.outbox.delivery.bounces import complained, may_be_disturbed
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications.notify import Section, already_notified, write_to_address
from pbem.players import api_tokens
from pbem.players.models import Address, AddressChange, Player
from pbem.players.models.address import is_ours
from pbem.ratings.service import games_of, rebuild
from pbem.refusals import REFUSALS, Code
from pbem.site.browsers import end_all


@transaction.atomic
def invite(*, email: str, language: str, host: str, note: str = "", now: datetime) -> OutboundMail:
    """Invites a person who is no player, at most once a week. Raises ValidationError."""
    address = email.lower()
    if is_ours(address):
        raise ValidationError(REFUSALS[Code.OUR_OWN_ADDRESS].sentence)
    if Address.objects.filter(email=address).exists():
        raise ValidationError(_("This address belongs to a player."))
    if complained(address):
        raise ValidationError(_("A letter to this address was reported as spam; do not write to it again."))
    if not may_be_disturbed(address):
        raise ValidationError(_("The person who reads this address wants no letters from us."))
    cause = cause_of(now)
    if already_notified(cause, address):
        raise ValidationError(_("This address was invited this week."))
    section: Section = {"kind": "invitation", "host": host, "note": note}
    return write_to_address(address, language=language, cause=cause, section=section, now=now)


def cause_of(moment: datetime) -> str:
    """Returns the cause of the invitations of a week."""
    year, week, _day = moment.isocalendar()
    return f"invitation:{year}-{week}"


@transaction.atomic
def suspend(player: Player, *, now: datetime) -> None:
    """Suspends a player: no new matches or messages (A07), no known browser, no tokens; matches in play go on."""
    end_all(player)
    api_tokens.stop(player)
    Player.objects.filter(pk=player.pk, suspended_at__isnull=True).update(suspended_at=now)


def readmit(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(suspended_at=None)


@transaction.atomic
def change_address(player: Player, email: str, *, now: datetime) -> None:
    """Begins a change of address for a player without the old mailbox: it takes three days, a YES from the
    new one, and no NO. Raises ValidationError, or Refused (C10, C23)."""
    if player.writes_from(email):
        raise ValidationError(_("This address is already theirs."))
    if player.address_changes.open().filter(email=email.lower()).exists():
        raise ValidationError(_("This change is already under way."))
    if not may_be_disturbed(email.lower()):
        raise ValidationError(_("The person who reads this address wants no letters from us."))
    address_changes.begin(player, email, puts_first=True, by_organiser=True, now=now)


@transaction.atomic
def stop_change(change: AddressChange, *, now: datetime) -> None:
    """Stops a change. Raises ValidationError when it is done or was stopped."""
    locked = AddressChange.objects.open().filter(pk=change.pk).select_for_update().first()
    if locked is None:
        raise ValidationError(_("It is too late to stop this change."))
    address_changes.undo(locked, cause=f"address_change:{change.pk}:stopped", now=now)


# Merging two players who are one person


@transaction.atomic
def merge(kept: Player, gone: Player, *, now: datetime) -> None:
    """Moves all rows of `gone` to `kept`, and keeps the name and settings of `kept`. Raises ValidationError.

    Where a player can have only one row (an address, a block), that of `kept` stays.
    """
    _check(kept, gone)
    clocks.settle(gone, now)  # until now their clocks ran by their own hours
    for model, column in belongings():
        rows = model._default_manager.filter(**{column: gone})
        if not _handed_over(rows, column, kept):
            for row in list(rows):
                if not _handed_over(rows.filter(pk=row.pk), column, kept):
                    row.delete()
    gone.delete()
    clocks.recalculate(kept)
    for game in games_of(kept):
        rebuild(game)


def belongings() -> Iterator[tuple[type[models.Model], str]]:
    """Yields every column that refers to a player, with its table."""
    for field in Player._meta.get_fields(include_hidden=True):
        if field.auto_created and field.is_relation and not field.concrete:
            relation: Any = field
            yield relation.related_model, relation.field.name


def _check(kept: Player, gone: Player) -> None:
    if kept.pk == gone.pk:
        raise ValidationError(gettext("This is the same player."))
    if kept.robot or gone.robot:
        raise ValidationError(gettext("A robot cannot merge."))
    met = Match.objects.of(kept).filter(pk__in=Match.objects.of(gone).values("pk")).first()
    if met:
        raise ValidationError(
            gettext("They play each other in match %(number)s: not one person.") % {"number": met.pk}
        )
    theirs = Entry.objects.filter(player=gone).values("tournament")
    if Entry.objects.filter(player=kept, tournament__in=theirs).exists():
        raise ValidationError(gettext("Both are in the same tournament: not one person."))


def _handed_over(rows: models.QuerySet[Any], column: str, kept: Player) -> bool:
    """Moves the rows. False when a constraint forbids it; nothing has changed then."""
    try:
        with transaction.atomic():
            rows.update(**{column: kept})
    except IntegrityError:
        return False
    return True

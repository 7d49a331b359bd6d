"""Forgets a player who asks for it (GDPR, Article 17): matches stay, with the moves alone and without the name."""

from __future__ import annotations

from datetime import datetime
from itertools import chain, count
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext

from pbem.contests.models import Challenge, Entrant
from pbem.desk.models import AuditEntry
from pbem.desk.people.copies_of_erased import WORDS, Rename, forget_copies, forget_names
from pbem.desk.people.merge import belongings
from pbem.inbox.models import Answered, Confirmation, InboundMail, PersonalMessage
from pbem.mail.mailbox import mailbox_of
from pbem.matches.models import (
    ConditionalLine,
    Entry,
    Event,
    Invitation,
    Match,
    Seat,
    TournamentInvitation,
    Turn,
)
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.players.models import Address, FormerName, Player, PrintName, new_salt
from pbem.ratings.models import Rating

# What becomes of what names a player: of these tables the rows stay, under a number, for others have played against it,
# too; of all others with a column for a player the rows of this one go.
STAY = (Seat, Entry, Entrant, Challenge, Match, Rating)
# And those with an address of theirs. What others wrote is in the tables of `copies_of_erased`.
ADDRESSED: tuple[tuple[type[Any], str], ...] = (
    (BouncedMail, "address"),
    (InboundMail, "sender"),
    (OutboundMail, "address"),
    (Invitation, "address"),
    (TournamentInvitation, "address"),
    (Confirmation, "address"),
    (PersonalMessage, "address"),
)


@transaction.atomic
def erase(player: Player, *, now: datetime) -> None:
    """Raises ValidationError while a match of theirs goes on: end it or hand it over first. A robot is no person."""
    if player.robot:
        raise ValidationError(gettext("Nothing personal is kept of a robot: suspend it instead."))
    goes_on = Match.objects.of(player).alive().first()
    if goes_on:
        raise ValidationError(
            gettext("Match %(number)s goes on: end it, or replace the player there, first.")
            % {"number": goes_on.pk}
        )
    called, forgotten = player.name, _free_name(player)
    own = _addresses(player)
    before = list(FormerName.objects.filter(player=player).values_list("name", flat=True))
    real = list(PrintName.objects.filter(player=player).values_list("name", flat=True))
    rename = Rename((called, *before, *real, *own), forgotten, _surnames(player, real))
    FormerName.objects.forget(player)
    forget_copies(player, own)
    _forget_letters(player, own)
    _forget_words(player)
    for model, column in belongings():
        if model not in STAY:
            _delete(model._default_manager.filter(**{column: player}))
    AuditEntry.objects.about(player).forget()
    blank = Player(pk=player.pk, name=forgotten, salt=new_salt(), created_at=player.created_at)
    blank.silent_since = blank.suspended_at = now
    blank.save(force_update=True)
    forget_names(rename)


def _addresses(player: Player) -> set[str]:
    """But for those that somebody else has, too; of a mailbox that is theirs alone, however it is spelled anywhere."""
    emails = {row.email for row in (*player.addresses.all(), *player.address_changes.all())}
    others = Address.objects.exclude(player=player)
    own = emails - set(others.filter(email__in=emails).values_list("email", flat=True))
    mailboxes = set(map(mailbox_of, own))
    mailboxes -= set(others.filter(mailbox__in=mailboxes).values_list("mailbox", flat=True))
    for kind, column in ADDRESSED:
        known = kind._default_manager.order_by().values_list(column, flat=True).distinct()
        own |= {email for email in known.iterator() if mailbox_of(email) in mailboxes}
    return own


def _surnames(player: Player, real: list[str]) -> tuple[str, ...]:
    """The last word of a real name, unless somebody else is called so."""
    others, printed = Player.objects.exclude(pk=player.pk), PrintName.objects.exclude(player=player)
    last = [name.split()[-1] for name in real if " " in name.strip()]
    return tuple(
        word
        for word in last
        if not others.resembling(word).exists() and not printed.filter(name__iendswith=word).exists()
    )


def _free_name(player: Player) -> str:
    """Somebody may have taken such a name, before such names were reserved."""
    name = f"erased-{player.pk}"
    further = (f"{name}-{number}" for number in count(2))
    return next(each for each in chain((name,), further) if not Player.objects.resembling(each).exists())


def _forget_letters(player: Player, emails: set[str]) -> None:
    """In and out, and what came back. A mailbox that somebody else has too is left to them."""
    for kind, column in ADDRESSED:
        _delete(kind._default_manager.filter(**{f"{column}__in": emails}))
    for email in emails:
        Answered.objects.filter(models.Q(whom=email) | models.Q(whom__startswith=f"{email} ")).delete()
        _delete(InboundMail.objects.filter(account__in=[f"player:{email}", f"sender:{email}"]))
    # Letters of opponents name the player; they are written anew, without the name, when somebody looks at them.
    OutboundMail.objects.filter(match__in=Match.objects.of(player)).update(text="")


def _delete(rows: models.QuerySet[Any]) -> None:
    """With what the audit says of them: there letters are called by their addresses."""
    numbers = list(rows.values_list("pk", flat=True))
    AuditEntry.objects.filter(kind=rows.model._meta.label_lower, row__in=numbers).forget()
    rows.delete()


def _forget_words(player: Player) -> None:
    for kind in (Entry, Entrant):  # why they withdrew may be their health
        kind._default_manager.filter(player=player).update(reason="")
    for seat in Seat.objects.filter(player=player):
        Turn.objects.filter(match=seat.match_id, side=seat.side).update(message="", written="")
        ConditionalLine.objects.filter(seat=seat).delete()
        said = Event.objects.filter(match=seat.match_id, side=seat.side)
        for event in said.exclude(facts={}):
            if event.facts.keys() & WORDS:
                event.facts = {key: fact for key, fact in event.facts.items() if key not in WORDS}
                event.save(update_fields=["facts"])

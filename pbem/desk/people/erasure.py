"""Forgets a player who asks for it (GDPR, Article 17): matches stay, with the moves alone and without the name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import chain, count
from typing import Any

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models.functions import Cast
from django.utils.translation import gettext

from pbem.contests.models import Challenge, Circuit, Contest, Entrant, Stage
from pbem.desk.models import AuditEntry
from pbem.desk.people.services import belongings
from pbem.inbox.models import Answered, Confirmation, InboundMail, PersonalMessage
from pbem.mail.mailbox import mailbox_of
from pbem.mail.parsing.redact_addresses import every_text
from pbem.matches.models import (
    Announcement,
    Bulletin,
    ChosenPosition,
    Commentary,
    ConditionalLine,
    Entry,
    Event,
    Invitation,
    Match,
    Note,
    Outage,
    Seat,
    Stoppage,
    Tournament,
    TournamentInvitation,
    Turn,
)
from pbem.outbox.delivery.throttling import SlowDomain
from pbem.outbox.models import BouncedMail, DigestItem, OutboundMail
from pbem.players.models import (
    Absence,
    Address,
    FormerName,
    Message,
    OrganiserNote,
    Player,
    PrintName,
    new_salt,
)
from pbem.ratings.models import Rating
from pbem.refusals import Code

# What others have of a player who is erased: the copies that we keep of their letters, and what we
# wrote to them.

WORDS = {"text", "reason", "message"}  # of an event or a section: what somebody wrote
ERASED = "erased"  # the kind of a letter whose author was erased
# What the program itself reads there; somebody may be called Turn.
TECHNICAL = {
    "kind",
    "code",
    "reply_to",
    "token",
    "dmarc",
    "decision",
    "automatic",
    "offer",
    "absence",
    "verb",
}
_WAITING, _SUPPRESSED = OutboundMail.Status.WAITING, OutboundMail.Status.SUPPRESSED
# What others have written, or read, stays theirs: in these columns a number stands in the place of the name.
NAMED_IN: tuple[tuple[type[models.Model], tuple[str, ...]], ...] = (
    (InboundMail, ("reading", "trouble", "dropped_why")),
    (Confirmation, ("lines", "message")),
    (PersonalMessage, ("subject", "text")),
    (OutboundMail, ("sections", "text", "answer", "trouble", "dropped_why")),
    (DigestItem, ("section",)),
    (BouncedMail, ("reply",)),
    (Invitation, ("message", "opening")),
    (Note, ("text",)),
    (Stoppage, ("note",)),
    (Outage, ("note",)),
    (Event, ("facts",)),
    (Turn, ("written", "message")),
    (Message, ("text",)),
    (Absence, ("message",)),
    (Tournament, ("name",)),
    (Contest, ("name",)),
    (Entry, ("reason",)),
    (Entrant, ("reason",)),
    (Circuit, ("name",)),
    (Stage, ("name", "imported")),
    (Announcement, ("words", "subjects")),
    (Bulletin, ("words",)),
    (Commentary, ("title", "words")),
    (ChosenPosition, ("caption",)),
    (OrganiserNote, ("text",)),
    (SlowDomain, ("answer",)),
)
# Emails of others cannot be changed: those that name or quote the player are kept no longer as they came.
QUOTED_IN = ((InboundMail, "raw"),)


@dataclass(frozen=True)
class Rename:
    """Puts `name` in the place of whatever a player was called. `surnames` have a capital, for rossi are red."""

    said: tuple[str, ...]
    name: str
    surnames: tuple[str, ...] = ()

    def __call__(self, value: Any) -> Any:
        match value:
            case str():
                return self._pattern.sub(self.name, value)
            case list():
                return [self(each) for each in value]
            case dict():
                return {key: each if key in TECHNICAL else self(each) for key, each in value.items()}
        return value

    def finds(self, text: str) -> bool:
        small = text.lower()  # to look for words is a hundred times faster than for the pattern
        return any(word.lower() in small for word in self._words) and bool(self._pattern.search(text))

    @property
    def spellings(self) -> set[str]:
        """As a database may have them that knows small letters from capitals in English alone."""
        return {
            spelled for word in self._words for spelled in (word, word.lower(), word.upper(), word.title())
        }

    @property
    def _words(self) -> set[str]:
        """One of each name."""
        return {max(name.split(), key=len) for name in (*self.said, *self.surnames)}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """The longest first: an address may begin with the name."""
        said = _any_of(self.said)
        surnames = _any_of((*self.surnames, *(name.upper() for name in self.surnames)))
        either = f"(?i:{said})|{surnames}" if surnames else f"(?i:{said})"
        return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


def _any_of(names: Iterable[str]) -> str:
    """Two words of a name may stand on two lines of a quotation."""
    return "|".join(
        r"[\s>|]+".join(map(re.escape, name.split())) for name in sorted(names, key=len, reverse=True)
    )


def forget_copies(player: Player, addresses: Collection[str]) -> None:
    """Before what the player wrote is deleted, and the invitations of others to them: the letters in which others got
    it, and their answers that quote it."""
    matches = Match.objects.of(player)
    written = Message.objects.filter(sender=player)
    messages = {f"message:{pk}" for pk in written.values_list("pk", flat=True)}
    invitations = {f"invitation:{pk}" for pk in player.invitations.values_list("pk", flat=True)}
    going = Invitation.objects.filter(models.Q(challenger=player) | models.Q(address__in=addresses))
    known = Message.objects.filter(models.Q(sender=player) | models.Q(reader=player))  # which go too
    sections = OutboundMail.objects.annotate(as_text=Cast("sections", models.TextField()))
    brought = sections.filter(
        models.Q(kind__in=("relayed", "passed_on")) | models.Q(as_text__contains='"invitation":')
    )
    erased = [row.pk for row in brought.iterator() if _brings(row, known, going)]
    rows = OutboundMail.objects.filter(models.Q(cause__in=messages | invitations) | models.Q(pk__in=erased))
    rows.filter(status=_WAITING).update(status=_SUPPRESSED, verdict=Code.SUPPRESSED)
    rows.exclude(player=player).update(kind=ERASED, sections=[{"kind": ERASED}], text="")
    readers = written.values("reader")
    answers = models.Q(player__in=readers, recipient__startswith="w")
    theirs = InboundMail.objects.filter(models.Q(match__in=matches) | answers).exclude(verdict="")
    theirs.update(raw=b"")
    of_digests = OutboundMail.objects.filter(kind="digest", player__seats__match__in=matches)
    OutboundMail.objects.filter(pk__in=of_digests.values("pk")).update(text="")
    for row in OutboundMail.objects.filter(match__in=matches).exclude(player=player).iterator():
        row.sections = [_without_words(section) for section in row.sections]
        row.save(update_fields=["sections"])


def forget_names(rename: Rename) -> None:
    """Wherever somebody else was told of the player, or tells of them."""
    for kind, columns in NAMED_IN:
        for row in _naming(kind, columns, rename):
            renamed = {column: _renamed(row, column, rename) for column in columns}
            if any(getattr(row, column) != told for column, told in renamed.items()):
                kind._default_manager.filter(pk=row.pk).update(**renamed)
    audited = ("said", "named", "reason", "before", "after")
    entries = [entry for entry in _naming(AuditEntry, audited, rename) if _names(entry, audited, rename)]
    AuditEntry.objects.filter(pk__in=[entry.pk for entry in entries]).forget()
    for kind, column in QUOTED_IN:
        kept = kind.objects.exclude(verdict="").exclude(**{column: b""}).values_list("pk", column).order_by()
        quoting = [
            pk for pk, raw in kept.iterator(chunk_size=20) if any(map(rename.finds, every_text(bytes(raw))))
        ]
        kind.objects.filter(pk__in=quoting).update(**{column: b""})


def _renamed(row: models.Model, column: str, rename: Rename) -> Any:
    """As much of it as the column takes: the number may be longer than the name."""
    told = rename(getattr(row, column))
    most = getattr(row._meta.get_field(column), "max_length", None)
    return told[:most] if isinstance(told, str) else told


def _brings(row: OutboundMail, known: models.QuerySet[Message], going: models.QuerySet[Invitation]) -> bool:
    """Whether the letter brings one of these messages, or is about one of these invitations, whatever caused it."""
    brought = ("relayed", "passed_on")
    messages = [section["message"] for section in row.sections if section["kind"] in brought]
    invitations = [section["invitation"] for section in row.sections if "invitation" in section]
    return known.filter(pk__in=messages).exists() or going.filter(pk__in=invitations).exists()


def _without_words(section: dict[str, Any]) -> dict[str, Any]:
    return {key: "" if key in WORDS and isinstance(fact, str) else fact for key, fact in section.items()}


def _naming(kind: type[Any], columns: Iterable[str], rename: Rename) -> Iterable[Any]:
    """The rows that may name the player, as the database sees it; it knows no words."""
    texts = {f"as_text_{column}": Cast(column, models.TextField()) for column in columns}
    found = models.Q()
    for name in rename.spellings:
        for text in texts:
            for spelling in {name, name.encode("ascii", "backslashreplace").decode().replace("\\x", "\\u00")}:
                found |= models.Q(**{f"{text}__icontains": spelling})
    rows: Iterable[Any] = kind._default_manager.annotate(**texts).filter(found).iterator(chunk_size=200)
    return rows


def _names(row: models.Model, columns: Iterable[str], rename: Rename) -> bool:
    return any(rename(getattr(row, column)) != getattr(row, column) for column in columns)


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

"""Erases a player on request (GDPR, Article 17): matches stay, with their moves, without the name."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime
from functools import cached_property
from itertools import chain, count
from typing import Any, cast

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.db.models.functions import Cast
from django.utils.translation import gettext

from pbem.admin.models import AuditEntry
from pbem.admin.people.services import belongings
from pbem.admin.signals import answers, texts_of_others
from pbem.competitions.models import Challenge, Competition, Entrant
from pbem.inbox.models import Confirmation, InboundMail, PersonalMessage, RateLimitSlot
from pbem.mail.mailbox import mailbox_of
from pbem.mail.parsing.redact_addresses import every_text
from pbem.matches.models import (
    Announcement,
    ConditionalLine,
    Entry,
    Event,
    ExemptInterval,
    Invitation,
    Match,
    Note,
    Outage,
    Seat,
    Tournament,
    TournamentInvitation,
    Turn,
)
from pbem.outbox.models import BouncedMail, DigestItem, OutboundMail, SlowDomain
from pbem.outbox.notifications.kinds import Section
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

# Copies that others have: letters of the player that we keep, and letters that we wrote to others

WORDS = {"text", "reason", "message"}  # keys of texts that people wrote, in events and sections
ERASED = "forgotten"  # the kind of a letter that brought words of an erased player
# Keys that the program reads, which are never renamed: a player may be called Turn
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
Columns = tuple[type[models.Model], tuple[str, ...]]
# Columns of what others have written or received: the name is replaced
NAMED_IN: tuple[Columns, ...] = (
    (InboundMail, ("reading", "trouble", "dropped_why")),
    (Confirmation, ("lines", "message")),
    (PersonalMessage, ("subject", "text")),
    (OutboundMail, ("sections", "text", "answer", "trouble", "dropped_why")),
    (DigestItem, ("section",)),
    (BouncedMail, ("reply",)),
    (Invitation, ("message", "opening")),
    (Note, ("text",)),
    (ExemptInterval, ("note",)),
    (Outage, ("note",)),
    (Event, ("facts",)),
    (Turn, ("written", "message")),
    (Message, ("text",)),
    (Absence, ("message",)),
    (Tournament, ("name",)),
    (Competition, ("name",)),
    (Entry, ("reason",)),
    (Entrant, ("reason",)),
    (Announcement, ("words", "subjects")),
    (OrganiserNote, ("text",)),
    (SlowDomain, ("answer",)),
)
# Emails of others cannot be changed: the raw text of those that name or quote the player is deleted.
QUOTED_IN = ((InboundMail, "raw"),)


def named_in() -> Iterator[Columns]:
    """Yields the columns above, and those of other apps."""
    yield from NAMED_IN
    for columns in answers(texts_of_others):
        yield from columns


@dataclass(frozen=True)
class Rename:
    """Replaces a player's names by `name`. `surnames` match only with a capital: rossi also means red."""

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
        small = text.lower()  # a hundred times faster than the pattern
        return any(word.lower() in small for word in self._words) and bool(self._pattern.search(text))

    @property
    def spellings(self) -> set[str]:
        """Returns the spellings for databases that fold only ASCII letters."""
        return {
            spelled for word in self._words for spelled in (word, word.lower(), word.upper(), word.title())
        }

    @property
    def _words(self) -> set[str]:
        """Returns the longest word of each name."""
        return {max(name.split(), key=len) for name in (*self.said, *self.surnames)}

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        """Matches the longest name first: an address may begin with the name."""
        said = _any_of(self.said)
        surnames = _any_of((*self.surnames, *(name.upper() for name in self.surnames)))
        either = f"(?i:{said})|{surnames}" if surnames else f"(?i:{said})"
        return re.compile(rf"(?<!\w)(?:{either})(?!\w)")


def _any_of(names: Iterable[str]) -> str:
    """Matches the words of a name also across lines of a quotation."""
    return "|".join(
        r"[\s>|]+".join(map(re.escape, name.split())) for name in sorted(names, key=len, reverse=True)
    )


def forget_copies(player: Player, addresses: Collection[str]) -> None:
    """Deletes the copies of the player's words in letters to others, and in answers that quote them. Runs
    before the player's own messages and the invitations to them are deleted."""
    matches = Match.objects.of(player)
    written = Message.objects.filter(sender=player)
    messages = {f"message:{pk}" for pk in written.values_list("pk", flat=True)}
    invitations = {f"invitation:{pk}" for pk in player.invitations.values_list("pk", flat=True)}
    going = Invitation.objects.filter(models.Q(challenger=player) | models.Q(address__in=addresses))
    known = Message.objects.filter(models.Q(sender=player) | models.Q(reader=player))  # these are deleted too
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
    """Replaces the names in letters to others and of others, and in the audit."""
    for kind, columns in named_in():
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
    """Returns the renamed value, cut to the column: the new name may be longer."""
    told = rename(getattr(row, column))
    most = getattr(row._meta.get_field(column), "max_length", None)
    return told[:most] if isinstance(told, str) else told


def _brings(row: OutboundMail, known: models.QuerySet[Message], going: models.QuerySet[Invitation]) -> bool:
    """Tells whether the letter brings one of these messages, or is about one of these invitations."""
    brought = ("relayed", "passed_on")
    messages = [section["message"] for section in row.sections if section["kind"] in brought]
    invitations = [section["invitation"] for section in row.sections if "invitation" in section]
    return known.filter(pk__in=messages).exists() or going.filter(pk__in=invitations).exists()


def _without_words(section: Section) -> Section:
    told = {key: "" if key in WORDS and isinstance(fact, str) else fact for key, fact in section.items()}
    return cast(Section, told)


def _naming(kind: type[Any], columns: Iterable[str], rename: Rename) -> Iterable[Any]:
    """Returns the rows that may name the player: the database cannot match whole words."""
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


# Erasure: rows of these tables stay, under a number, since they are also the opponents'. Rows of all other
# tables with a column for a player are deleted.
STAY = (Seat, Entry, Entrant, Challenge, Match, Rating)
# Tables with an address of the player; what others wrote is in the tables above
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
    """Erases a player. Raises ValidationError for a robot, and while one of the player's matches goes on."""
    if player.robot:
        raise ValidationError(gettext("Nothing personal is kept about a robot: suspend it instead."))
    goes_on = Match.objects.of(player).alive().first()
    if goes_on:
        raise ValidationError(
            gettext("Match %(number)s goes on: end it or replace the player there first.")
            % {"number": goes_on.pk}
        )
    called, forgotten = player.name, _free_name(player)
    own = _addresses(player)
    before = list(FormerName.objects.filter(player=player).values_list("name", flat=True))
    real = list(PrintName.objects.filter(player=player).values_list("name", flat=True))
    rename = Rename((called, *before, *real, *own), forgotten, surnames(player, real))
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
    """Returns the player's addresses, without shared ones; unshared mailboxes in every recorded spelling."""
    emails = {row.email for row in (*player.addresses.all(), *player.address_changes.all())}
    others = Address.objects.exclude(player=player)
    own = emails - set(others.filter(email__in=emails).values_list("email", flat=True))
    mailboxes = set(map(mailbox_of, own))
    mailboxes -= set(others.filter(mailbox__in=mailboxes).values_list("mailbox", flat=True))
    for kind, column in ADDRESSED:
        known = kind._default_manager.order_by().values_list(column, flat=True).distinct()
        own |= {email for email in known.iterator() if mailbox_of(email) in mailboxes}
    return own


def surnames(player: Player, real: list[str]) -> tuple[str, ...]:
    """Returns the last words of real names, unless another player has the same."""
    others, printed = Player.objects.exclude(pk=player.pk), PrintName.objects.exclude(player=player)
    last = [name.split()[-1] for name in real if " " in name.strip()]
    return tuple(
        word
        for word in last
        if not others.resembling(word).exists() and not printed.filter(name__iendswith=word).exists()
    )


def _free_name(player: Player) -> str:
    """Returns the new name, numbered when a player took it before such names were reserved."""
    name = f"erased-{player.pk}"
    further = (f"{name}-{number}" for number in count(2))
    return next(each for each in chain((name,), further) if not Player.objects.resembling(each).exists())


def _forget_letters(player: Player, emails: set[str]) -> None:
    """Deletes the letters of these addresses, in and out, and their bounces. None of them is shared."""
    for kind, column in ADDRESSED:
        _delete(kind._default_manager.filter(**{f"{column}__in": emails}))
    for email in emails:
        RateLimitSlot.objects.filter(models.Q(whom=email) | models.Q(whom__startswith=f"{email} ")).delete()
        _delete(InboundMail.objects.filter(account__in=[f"player:{email}", f"sender:{email}"]))
    # Letters about the player's matches are rendered again, without the name, when they are shown.
    OutboundMail.objects.filter(match__in=Match.objects.of(player)).update(text="")


def _delete(rows: models.QuerySet[Any]) -> None:
    """Deletes rows, and what the audit says of them: there, letters go by their addresses."""
    numbers = list(rows.values_list("pk", flat=True))
    AuditEntry.objects.filter(kind=rows.model._meta.label_lower, row__in=numbers).forget()
    rows.delete()


def _forget_words(player: Player) -> None:
    for kind in (Entry, Entrant):  # the reason to withdraw may be their health
        kind._default_manager.filter(player=player).update(reason="")
    for seat in Seat.objects.filter(player=player):
        Turn.objects.filter(match=seat.match_id, side=seat.side).update(message="", written="")
        ConditionalLine.objects.filter(seat=seat).delete()
        said = Event.objects.filter(match=seat.match_id, side=seat.side)
        for event in said.exclude(facts={}):
            if event.facts.keys() & WORDS:
                event.facts = {key: fact for key, fact in event.facts.items() if key not in WORDS}
                event.save(update_fields=["facts"])

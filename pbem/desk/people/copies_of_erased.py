"""What others have of a player who is erased: the copies that we keep of their letters, and what we wrote to them."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from django.db import models
from django.db.models.functions import Cast

from pbem.contests.models import Circuit, Contest, Entrant, Stage
from pbem.desk.models import AuditEntry
from pbem.inbox.models import Confirmation, InboundMail, PersonalMessage
from pbem.mail.parsing.every_text import every_text
from pbem.matches.models import (
    Announcement,
    Bulletin,
    ChosenPosition,
    Commentary,
    Entry,
    Event,
    Invitation,
    Match,
    Note,
    Outage,
    Stoppage,
    Tournament,
    Turn,
)
from pbem.outbox.delivery.throttling import SlowDomain
from pbem.outbox.models import BouncedMail, DigestItem, OutboundMail
from pbem.players.models import Absence, Message, OrganiserNote, Player
from pbem.refusals import Code

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

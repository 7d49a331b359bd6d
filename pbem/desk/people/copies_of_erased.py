"""What others have of a player who is erased: the copies that we keep of their letters, and what we wrote to them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from django.db import models
from django.db.models.functions import Cast

from pbem.contests.models import Circuit, Contest, Entrant, Stage
from pbem.desk.models import AuditEntry
from pbem.inbox.models import Confirmation, InboundMail
from pbem.matches.models import (
    Announcement,
    Bulletin,
    ChosenPosition,
    Commentary,
    Entry,
    Event,
    Match,
    Tournament,
    Turn,
)
from pbem.outbox.delivery.throttling import SlowDomain
from pbem.outbox.models import DigestItem, OutboundMail
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
# Whatever else may name a player: the columns that we search for it.
NAMED_IN: tuple[tuple[type[models.Model], tuple[str, ...]], ...] = (
    (InboundMail, ("reading", "dropped_why")),
    (Confirmation, ("lines", "message")),
    (OutboundMail, ("sections", "text", "answer", "dropped_why")),
    (DigestItem, ("section",)),
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


@dataclass(frozen=True)
class Rename:
    """Puts `name` in the place of whatever a player was called."""

    said: tuple[str, ...]
    name: str

    def __call__(self, value: Any) -> Any:
        match value:
            case str():
                return self._pattern.sub(self.name, value)
            case list():
                return [self(each) for each in value]
            case dict():
                return {key: each if key in TECHNICAL else self(each) for key, each in value.items()}
        return value

    @property
    def _pattern(self) -> re.Pattern[str]:
        """The longest first: an address may begin with the name."""
        said = "|".join(map(re.escape, sorted(self.said, key=len, reverse=True)))
        return re.compile(rf"(?<!\w)(?:{said})(?!\w)", re.IGNORECASE)


def forget_copies(player: Player) -> None:
    """Before what the player wrote is deleted: the letters in which others got it, and their answers that quote it."""
    matches = Match.objects.of(player)
    written = Message.objects.filter(sender=player)
    messages = {f"message:{pk}" for pk in written.values_list("pk", flat=True)}
    invitations = {f"invitation:{pk}" for pk in player.invitations.values_list("pk", flat=True)}
    brought = OutboundMail.objects.filter(kind__in=("relayed", "invites", "passed_on")).iterator()
    known = Message.objects.filter(models.Q(sender=player) | models.Q(reader=player))  # which go too
    erased = [row.pk for row in brought if _brings(row, known, player)]
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


def forget_names(said: Iterable[str], name: str) -> None:
    """Wherever somebody else was told of the player."""
    rename = Rename(tuple(said), name)
    for kind, columns in NAMED_IN:
        for row in _naming(kind, columns, rename.said):
            renamed = {column: rename(getattr(row, column)) for column in columns}
            if any(getattr(row, column) != told for column, told in renamed.items()):
                emptied = {"raw": b""} if isinstance(row, InboundMail) and row.verdict else {}
                kind._default_manager.filter(pk=row.pk).update(**renamed, **emptied)
    audited = ("said", "named", "reason", "before", "after")
    entries = [entry for entry in _naming(AuditEntry, audited, rename.said) if _names(entry, audited, rename)]
    AuditEntry.objects.filter(pk__in=[entry.pk for entry in entries]).forget()


def _brings(row: OutboundMail, known: models.QuerySet[Message], player: Player) -> bool:
    """Whether the letter brings one of these messages, or the player's invitation, whatever caused it."""
    brought = ("relayed", "passed_on")
    messages = [section["message"] for section in row.sections if section["kind"] in brought]
    invitations = [section["invitation"] for section in row.sections if "invitation" in section]
    return known.filter(pk__in=messages).exists() or player.invitations.filter(pk__in=invitations).exists()


def _without_words(section: dict[str, Any]) -> dict[str, Any]:
    return {key: "" if key in WORDS and isinstance(fact, str) else fact for key, fact in section.items()}


def _naming(kind: type[Any], columns: Iterable[str], said: Iterable[str]) -> Iterable[Any]:
    """The rows that may name the player, as the database sees it; it knows no words."""
    texts = {f"as_text_{column}": Cast(column, models.TextField()) for column in columns}
    found = models.Q()
    for name in said:
        for text in texts:
            for spelling in {name, name.encode("ascii", "backslashreplace").decode().replace("\\x", "\\u00")}:
                found |= models.Q(**{f"{text}__icontains": spelling})
    rows: Iterable[Any] = kind._default_manager.annotate(**texts).filter(found).iterator(chunk_size=200)
    return rows


def _names(row: models.Model, columns: Iterable[str], rename: Rename) -> bool:
    return any(rename(getattr(row, column)) != getattr(row, column) for column in columns)

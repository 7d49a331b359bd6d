"""A letter that waits its turn: who is at work on it, how often it was tried, and what stopped it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import F
from django.utils.translation import gettext_lazy as _

from pbem.queue import faults
from pbem.queue.compiled_write import update
from pbem.refusals import Code

LEASE = timedelta(seconds=settings.LEASE_SECONDS)
SHUNTED = (Code.POISON, Code.ENGINE_ERROR, Code.REPLIES_LOST)
Letter = TypeVar("Letter", bound="QueuedMail")


class QueuedMailQuerySet(models.QuerySet[Letter]):
    def leased(self, now: datetime) -> Self:
        """What somebody is at work on."""
        return self.filter(leased_until__gt=now)

    def unleased(self, now: datetime) -> Self:
        return self.filter(models.Q(leased_until__isnull=True) | models.Q(leased_until__lte=now))

    def shunted(self) -> Self:
        return self.filter(is_shunted())

    def claim(self, now: datetime, **counted: object) -> datetime | None:
        """Lease the one letter to us: until when, or None if it is not there.

        The attempt is counted before the work, in the same statement: whatever ends this process, it was one.
        """
        until = now + LEASE
        counted = {"attempts": F("attempts") + 1} | counted
        return until if self.update(leased_until=until, **counted) else None


class QueuedMail(models.Model):
    """A letter, in or out, with the verbs of the worker that has claimed it: each is one statement.

    One that has stopped our program too often is shunted: set aside until the organiser has decided, and the match
    that it `holds` stands still. A dropped one keeps its verdict, and no longer counts as shunted. `faulty_since`: at
    the first of those attempts that the database or the disk made fail, one after the other.
    """

    next_try: ClassVar[str]  # the column that says before when it is not tried again

    attempts = models.PositiveSmallIntegerField(_("attempts"), default=0)
    leased_until = models.DateTimeField(null=True, blank=True, editable=False)
    faulty_since = models.DateTimeField(null=True, blank=True, editable=False)
    verdict = models.CharField(_("verdict"), max_length=4, blank=True)
    holds = models.ForeignKey(
        "matches.Match",
        models.SET_NULL,
        null=True,
        blank=True,
        editable=False,
        db_index=False,
        related_name="held_by_%(class)s",
        verbose_name=_("stops the clock of"),
    )
    trouble = models.TextField(_("what went wrong"), blank=True)
    dropped_at = models.DateTimeField(_("dropped"), null=True, blank=True)
    dropped_why = models.TextField(_("dropped, why and by whom"), blank=True)

    class Meta:
        abstract = True

    def is_free(self, now: datetime) -> bool:
        """Whether nobody is at work on it."""
        return self.leased_until is None or self.leased_until <= now

    def is_given_up(self, now: datetime) -> bool:
        """Whether it may itself cause what was taken for faults of the environment: they have lasted that long."""
        return self.faulty_since is not None and faults.is_given_up(self.faulty_since, now)

    @property
    def is_shunted(self) -> bool:
        return self.verdict in SHUNTED and self.dropped_at is None

    def complete(self, **facts: object) -> None:
        """It is done with, no matter who has the lease by now."""
        self._write({"leased_until": None, "faulty_since": None} | facts)

    def release(self, **facts: object) -> bool:
        """What came of our attempt. False if it took so long that the lease has ended: then somebody else knows better,
        and nothing is written."""
        facts = {"leased_until": None} | facts
        if self.leased_until is None:
            return bool(self._row(leased_until=None).update(**facts))
        return bool(self._write(facts, leased_until=self.leased_until))

    def retry(self, at: datetime | None, **facts: object) -> bool:
        """It is tried again then; at once, if that is None."""
        return self.release(**{self.next_try: at} | facts)

    def shunt(self, verdict: str, trouble: str, **facts: object) -> bool:
        """It is tried no more, until the organiser says so."""
        return self.release(verdict=verdict, trouble=trouble, **facts)

    def requeue(self, **facts: object) -> None:
        """The organiser's verb: it is tried as if for the first time."""
        fresh: dict[str, object] = {"attempts": 0, "leased_until": None, "faulty_since": None, "verdict": ""}
        fresh |= {"trouble": "", "dropped_at": None, "dropped_why": ""}
        self._row().update(**fresh | facts)

    def drop(self, why: str, now: datetime) -> None:
        """The organiser's verb: leave it as it is."""
        self.dropped_at, self.dropped_why = now, why
        self.save(update_fields=["dropped_at", "dropped_why"])

    def _write(self, facts: dict[str, object], **still: object) -> int:
        return update(type(self), self.pk, facts, **still)

    def _row(self, **still: object) -> models.QuerySet[Self]:
        return type(self)._default_manager.filter(pk=self.pk, **still)


def is_shunted() -> models.Q:
    return models.Q(verdict__in=SHUNTED, dropped_at__isnull=True)

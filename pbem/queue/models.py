"""A letter that waits its turn: who is at work on it, how often it was tried, and what stopped it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime, timedelta
from itertools import count
from typing import ClassVar, Self, TypeVar

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from pbem.queue import faults
from pbem.queue.enqueue import TaskName, enqueue_on_commit, tasks_waiting
from pbem.queue.sql import update
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


# Whose turn it is: a task takes up that letter, whichever it was enqueued for.

Chosen = Callable[[], int | None]


def take_turn(
    task: TaskName, pk: int, *, attempt: Callable[[int], bool], newest: Chosen, oldest: Chosen
) -> None:
    """What a task does that was enqueued for `pk`: as many tasks as letters, in any order. `attempt` says whether there
    was one.

    Where more tasks wait, one takes the newest letter, so that what has just come never waits behind a backlog, and
    the next one the oldest, so that nothing waits for ever: not its own, for those whose tasks took the newest would
    have none.
    """
    ways: Sequence[Chosen] = (lambda: pk, oldest, newest)
    if tasks_waiting(task):
        ways = (newest, oldest) if next(_turns[task]) % 2 else (oldest, newest)
    for way in ways:
        chosen = way()
        if chosen is not None and attempt(chosen):
            break
    if (
        not tasks_waiting(task) and (more := oldest()) is not None
    ):  # one found its letter in other hands, and was lost
        enqueue_on_commit(task, more)


_turns: defaultdict[TaskName, Iterator[int]] = defaultdict(count)  # from 0; two threads never draw the same


# A job: something that a process of its own is asked: when it is due, who is at work on it, what
# came of it.

AnyJob = TypeVar("AnyJob", bound="Job")


class JobQuerySet(models.QuerySet[AnyJob]):
    def waiting(self) -> Self:
        return self.filter(status=Job.Status.WAITING)

    def due(self, now: datetime) -> Self:
        """In nobody's hands, and its time has come; the oldest first."""
        free = Q(leased_until__isnull=True) | Q(leased_until__lte=now)
        return self.waiting().filter(free, due_at__lte=now).order_by("due_at", "pk")

    def claim(self, pk: int, now: datetime, lease: timedelta) -> bool:
        """In one statement: whatever ends this process, it was an attempt."""
        return bool(self.due(now).filter(pk=pk).update(leased_until=now + lease, tries=F("tries") + 1))

    def release_leases(self) -> None:
        """For a caller who knows that nobody is at work now."""
        self.waiting().update(leased_until=None)


class Job(models.Model):
    """`seconds` are those of the processor, of all attempts."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        VOID = "void", _("void")  # the match has gone another way
        FAILED = "failed", _("failed")

    status = models.CharField(_("status"), max_length=7, choices=Status.choices, default=Status.WAITING)
    created_at = models.DateTimeField(_("created"))
    due_at = models.DateTimeField(_("due"))
    leased_until = models.DateTimeField(null=True, blank=True, editable=False)
    tries = models.PositiveSmallIntegerField(_("attempts"), default=0)
    done_at = models.DateTimeField(_("done"), null=True, blank=True)
    seconds = models.FloatField(
        _("processor time"), default=0.0, help_text=_("In seconds, of all attempts together.")
    )
    trouble = models.TextField(_("what went wrong"), blank=True)

    class Meta:
        abstract = True

    def held(self) -> models.QuerySet[Self]:
        """Itself, as long as it is in our hands."""
        waiting = type(self)._default_manager.filter(pk=self.pk, status=self.Status.WAITING)
        return waiting.filter(leased_until=self.leased_until)

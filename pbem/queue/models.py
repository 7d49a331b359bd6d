"""Queued mail and jobs: leases, attempts, retries, verdicts, and the choice of the next letter."""

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
        """Returns the letters that a worker is processing."""
        return self.filter(leased_until__gt=now)

    def unleased(self, now: datetime) -> Self:
        return self.filter(models.Q(leased_until__isnull=True) | models.Q(leased_until__lte=now))

    def shunted(self) -> Self:
        return self.filter(is_shunted())

    def claim(self, now: datetime, **counted: object) -> datetime | None:
        """Leases the letter of this query; returns the end of the lease, None when no row matched."""
        # Counts the attempt in the same statement, so that a crash counts as well.
        until = now + LEASE
        counted = {"attempts": F("attempts") + 1} | counted
        return until if self.update(leased_until=until, **counted) else None


class QueuedMail(models.Model):
    """A letter, in or out, with the operations of the worker that has leased it: one statement each.

    A shunted letter, on which workers failed too often, waits for the organiser's decision and stops the
    clocks of the match that it `holds`. A dropped letter keeps its verdict, and is not shunted.
    `faulty_since`: the first of the latest consecutive attempts that a database or disk fault ended.
    """

    next_try: ClassVar[str]  # column: no attempt before this time

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
        """Returns whether no worker has leased it."""
        return self.leased_until is None or self.leased_until <= now

    def is_given_up(self, now: datetime) -> bool:
        """Returns whether its faults have lasted so long that the letter itself may cause them."""
        return self.faulty_since is not None and faults.is_given_up(self.faulty_since, now)

    @property
    def is_shunted(self) -> bool:
        return self.verdict in SHUNTED and self.dropped_at is None

    def complete(self, **facts: object) -> None:
        """Marks it as done, whichever worker has the lease."""
        self._write({"leased_until": None, "faulty_since": None} | facts)

    def release(self, **facts: object) -> bool:
        """Ends the lease and writes `facts`. Writes nothing and returns False when the lease was lost."""
        facts = {"leased_until": None} | facts
        if self.leased_until is None:
            return bool(self._row(leased_until=None).update(**facts))
        return bool(self._write(facts, leased_until=self.leased_until))

    def retry(self, at: datetime | None, **facts: object) -> bool:
        """Releases it for another attempt at `at`; None is at once."""
        return self.release(**{self.next_try: at} | facts)

    def shunt(self, verdict: str, trouble: str, **facts: object) -> bool:
        """Sets it aside until the organiser requeues or drops it."""
        return self.release(verdict=verdict, trouble=trouble, **facts)

    def requeue(self, **facts: object) -> None:
        """Resets it for a first attempt; the organiser's action."""
        fresh: dict[str, object] = {"attempts": 0, "leased_until": None, "faulty_since": None, "verdict": ""}
        fresh |= {"trouble": "", "dropped_at": None, "dropped_why": ""}
        self._row().update(**fresh | facts)

    def drop(self, why: str, now: datetime) -> None:
        """Leaves it as it is, with the reason; the organiser's action."""
        self.dropped_at, self.dropped_why = now, why
        self.save(update_fields=["dropped_at", "dropped_why"])

    def _write(self, facts: dict[str, object], **still: object) -> int:
        return update(type(self), self.pk, facts, **still)

    def _row(self, **still: object) -> models.QuerySet[Self]:
        return type(self)._default_manager.filter(pk=self.pk, **still)


def is_shunted() -> models.Q:
    return models.Q(verdict__in=SHUNTED, dropped_at__isnull=True)


# Choice of the next letter

Chosen = Callable[[], int | None]


def claim_in_order(
    task: TaskName, pk: int, *, attempt: Callable[[int], bool], newest: Chosen, oldest: Chosen
) -> None:
    """Processes one letter for a task that was enqueued for `pk`. `attempt` returns whether there was one.

    Without a backlog it takes the task's own letter. With a backlog it alternates: the newest letter, so that
    new mail is not delayed, then the oldest, so that no letter waits for ever.
    """
    ways: Sequence[Chosen] = (lambda: pk, oldest, newest)
    if tasks_waiting(task):
        ways = (newest, oldest) if next(_turns[task]) % 2 else (oldest, newest)
    for way in ways:
        chosen = way()
        if chosen is not None and attempt(chosen):
            break
    if not tasks_waiting(task) and (more := oldest()) is not None:  # its letter was leased elsewhere
        enqueue_on_commit(task, more)


_turns: defaultdict[TaskName, Iterator[int]] = defaultdict(count)  # from 0; never the same for two threads


# Jobs

AnyJob = TypeVar("AnyJob", bound="Job")


class JobQuerySet(models.QuerySet[AnyJob]):
    def waiting(self) -> Self:
        return self.filter(status=Job.Status.WAITING)

    def due(self, now: datetime) -> Self:
        """Returns the unleased jobs that are due, the oldest first."""
        free = Q(leased_until__isnull=True) | Q(leased_until__lte=now)
        return self.waiting().filter(free, due_at__lte=now).order_by("due_at", "pk")

    def claim(self, pk: int, now: datetime, lease: timedelta) -> bool:
        """Leases the job and counts the attempt in one statement; returns whether it did."""
        return bool(self.due(now).filter(pk=pk).update(leased_until=now + lease, tries=F("tries") + 1))

    def release_leases(self) -> None:
        """Frees all waiting jobs, for a caller that knows that no worker is running."""
        self.waiting().update(leased_until=None)


class Job(models.Model):
    """Work for a separate process. `seconds` is its processor time over all attempts."""

    class Status(models.TextChoices):
        WAITING = "waiting", _("waiting")
        DONE = "done", _("done")
        VOID = "void", _("void")  # the match has moved on
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
        """Returns the row while this worker holds its lease. Empty otherwise."""
        waiting = type(self)._default_manager.filter(pk=self.pk, status=self.Status.WAITING)
        return waiting.filter(leased_until=self.leased_until)

"""A job: something that a process of its own is asked: when it is due, who is at work on it, what came of it."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Self, TypeVar

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

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

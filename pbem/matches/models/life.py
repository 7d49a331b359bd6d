"""Signs of life of the service itself: where they are missing, no clock ran."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _


class Part(models.TextChoices):
    """What has to live for a letter to be taken and opened."""

    WORKER = "worker", _("worker")
    DOOR = "door", _("mail door")
    MAILBOX = "mailbox", _("mailbox")


class Heartbeat(models.Model):
    """A sign of life of a part of the service: a row a minute, however many processes do its work."""

    part = models.CharField(_("part of the service"), max_length=10, choices=Part.choices)
    minute = models.DateTimeField(editable=False)
    beat_at = models.DateTimeField(_("last sign of life"))

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        constraints = [models.UniqueConstraint(fields=["part", "minute"], name="heartbeat_once")]

    def __str__(self) -> str:
        return f"{self.get_part_display()} {self.beat_at:%Y-%m-%d %H:%M}"


class OutageQuerySet(models.QuerySet["Outage"]):
    def overlapping(self, since: datetime, until: datetime) -> OutageQuerySet:
        return self.filter(since__lt=until, until__gt=since).order_by("since")


class Outage(models.Model):
    """A time without a sign of life, and what every clock was credited when it was over."""

    part = models.CharField(_("part of the service"), max_length=10, choices=Part.choices)
    since = models.DateTimeField(_("last sign of life"))
    until = models.DateTimeField(_("back again"))
    credited = models.DurationField(_("credited"), default=timedelta)

    objects = OutageQuerySet.as_manager()

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering = ["-until"]
        constraints = [models.UniqueConstraint(fields=["part", "since"], name="outage_once")]

    def __str__(self) -> str:
        return f"{self.get_part_display()} {self.since:%Y-%m-%d %H:%M}"

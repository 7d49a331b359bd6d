"""Signs of life of the service itself: where they are missing, no clock ran; and when what comes with time was done."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Component(models.TextChoices):
    """What has to live for a letter to be taken and opened."""

    WORKER = "worker", _("worker")
    DOOR = "door", _("mail door")
    MAILBOX = "mailbox", _("mailbox")


class Heartbeat(models.Model):
    """A sign of life of a component: a row a minute, however many processes do its work."""

    component = models.CharField(_("component"), max_length=10, choices=Component.choices)
    minute = models.DateTimeField(editable=False)
    beat_at = models.DateTimeField(_("last sign of life"))
    starts = models.BooleanField(default=False, editable=False)  # nobody knew of this component before

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        constraints = [models.UniqueConstraint(fields=["component", "minute"], name="heartbeat_once")]

    def __str__(self) -> str:
        return f"{self.get_component_display()} {self.beat_at:%Y-%m-%d %H:%M}"


class Sweep(models.Model):
    """What is done every SWEEP_SECONDS, a row for each kind; who was killed in the midst of it has not done it."""

    name = models.CharField(primary_key=True, max_length=20)
    done_at = models.DateTimeField()

    def __str__(self) -> str:
        return f"{self.name} {self.done_at:%Y-%m-%d %H:%M:%S}"

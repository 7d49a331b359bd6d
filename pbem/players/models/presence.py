"""What a player wishes when their time runs out, or while they are away."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _


class Presence(models.Model):
    """The columns of Player that say when they are reminded, and how they become absent without writing AWAY."""

    class Reminders(models.TextChoices):
        ALL = "all", _("half of the time, 80%, 24 hours, 3 hours")
        LAST = "last", _("24 hours and 3 hours before the deadline")
        NONE = "none", _("none")

    reminders = models.CharField(
        _("reminders"), max_length=4, choices=Reminders.choices, default=Reminders.ALL
    )
    automatic_absence = models.BooleanField(
        _("automatic absence"),
        default=True,
        help_text=_("A day of absence is taken when their time is nearly over."),
    )
    absence_from_mail = models.BooleanField(
        _("absence from automatic answers"),
        default=False,
        help_text=_("The automatic answer of their mail program makes them absent here too."),
    )
    away = models.JSONField(default=list, editable=False)

    class Meta:
        abstract = True

    def away_until(self, now: datetime) -> datetime | None:
        """When the player comes back, if they are away.

        `away` repeats their absences that are not over, as pairs of moments: letters to their opponents have no time
        to look for these.
        """
        pairs = ((datetime.fromisoformat(since), datetime.fromisoformat(until)) for since, until in self.away)
        return max((until for since, until in pairs if since <= now < until), default=None)

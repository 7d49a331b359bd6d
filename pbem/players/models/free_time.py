"""Absences (vacation) of players, and holidays of all."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pbem.players.models.player import Player

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise


def kinds() -> list[tuple[str, StrPromise]]:
    return Absence.Kind.choices


class AbsenceQuerySet(models.QuerySet["Absence"]):
    def ending_after(self, moment: datetime) -> AbsenceQuerySet:
        return self.filter(until__gt=moment)

    def covering(self, moment: datetime) -> AbsenceQuerySet:
        return self.filter(since__lte=moment, until__gt=moment)


class Absence(models.Model):
    """A time in which a player's clocks stand still; `until` is excluded."""

    class Kind(models.TextChoices):
        PLANNED = "planned", _("planned")
        AUTOMATIC = "automatic", _("automatic")

    player = models.ForeignKey(Player, models.CASCADE, related_name="absences", verbose_name=_("player"))
    since = models.DateTimeField(_("from"))
    until = models.DateTimeField(_("until"))
    kind = models.CharField(_("kind"), max_length=20, choices=kinds, default=Kind.PLANNED)
    message = models.TextField(_("message to the opponents"), blank=True)
    created_at = models.DateTimeField(_("announced"), default=timezone.now, editable=False)

    objects = AbsenceQuerySet.as_manager()

    class Meta:
        verbose_name = _("absence")
        verbose_name_plural = _("absences")
        ordering = ["since"]
        constraints = [
            models.CheckConstraint(condition=models.Q(until__gte=models.F("since")), name="absence_forwards")
        ]
        indexes = [models.Index(fields=["player", "until"], name="absence_of_player")]

    def __str__(self) -> str:
        return f"{self.player} {self.since:%Y-%m-%d %H:%M} - {self.until:%Y-%m-%d %H:%M}"


class Holiday(models.Model):
    """A day on which all clocks stand still, from midnight to midnight in each player's zone."""

    day = models.DateField(_("day"), unique=True)

    class Meta:
        verbose_name = _("holiday")
        verbose_name_plural = _("holidays")
        ordering = ["day"]

    def __str__(self) -> str:
        return f"{self.day:%Y-%m-%d}"

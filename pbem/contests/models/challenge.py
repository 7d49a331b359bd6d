"""Challenges of a ladder, and matches for a crown."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.contests.models.contest import Edition
from pbem.matches.models import Match
from pbem.players.models import Player


class Challenge(models.Model):
    """`settled_at` is when its result moved the players; `succeeded`: the challenger took the place, or the crown."""

    edition = models.ForeignKey(Edition, models.CASCADE, related_name="challenges", verbose_name=_("edition"))
    match = models.OneToOneField(Match, models.PROTECT, related_name="+", verbose_name=_("match"))
    challenger = models.ForeignKey(Player, models.PROTECT, related_name="+", verbose_name=_("challenger"))
    challenged = models.ForeignKey(Player, models.PROTECT, related_name="+", verbose_name=_("challenged"))
    made_at = models.DateTimeField(_("made"))
    settled_at = models.DateTimeField(_("settled"), null=True, blank=True)
    succeeded = models.BooleanField(_("succeeded"), default=False)

    class Meta:
        verbose_name = _("challenge of a ladder")
        verbose_name_plural = _("challenges of ladders")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.challenger} - {self.challenged}"

"""Who takes part in a contest."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from pbem.contests.models.contest import Contest, Edition
from pbem.players.models import Player


class Entrant(models.Model):
    """A player of an edition; without one they wait for the next. `place` is written once, when it ends.

    `division` is of a league, or the group that the organiser has chosen, `position` of a ladder or a hill,
    `played_at` when they were last seen playing there.
    """

    class State(models.TextChoices):
        ENTERED = "entered", pgettext_lazy("a player, in a contest", "entered")
        PLAYING = "playing", _("playing")
        FINISHED = "finished", _("finished")
        WITHDRAWN = "withdrawn", _("withdrawn")
        ERASED = "erased", _("withdrawn, and out of the table")
        LEFT = "left", _("left before it began")
        ASLEEP = "asleep", _("taken off, having lost on time")

    contest = models.ForeignKey(Contest, models.CASCADE, related_name="entrants", verbose_name=_("contest"))
    edition = models.ForeignKey(
        Edition, models.CASCADE, null=True, blank=True, related_name="entrants", verbose_name=_("edition")
    )
    player = models.ForeignKey(
        Player, models.PROTECT, related_name="contest_entries", verbose_name=_("player")
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.ENTERED)
    always = models.BooleanField(_("in each edition"), default=False)
    entered_at = models.DateTimeField(_("entered"))
    rating = models.FloatField(_("rating"), default=1500.0)
    division = models.PositiveSmallIntegerField(_("division"), default=0)
    position = models.PositiveSmallIntegerField(_("position"), null=True, blank=True)
    played_at = models.DateTimeField(_("last played"), null=True, blank=True)
    byes = models.JSONField(_("rounds free"), default=list, blank=True)
    table = models.CharField(_("table"), max_length=10, blank=True)
    place = models.PositiveSmallIntegerField(_("place"), null=True, blank=True)
    points = models.FloatField(_("points"), null=True, blank=True)
    reason = models.CharField(_("reason"), max_length=500, blank=True)

    class Meta:
        verbose_name = _("entrant")
        verbose_name_plural = _("entrants")
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["edition", "player"], name="entrant_once"),
            models.UniqueConstraint(
                fields=["contest", "player"],
                name="entrant_waits_once",
                condition=models.Q(edition__isnull=True, state="entered"),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.player} ({self.contest})"

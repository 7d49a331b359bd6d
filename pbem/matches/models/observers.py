"""Who follows a match without playing it."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.models import Player


class WatchingQuerySet(models.QuerySet["Watching"]):
    def due(self, now: datetime) -> WatchingQuerySet:
        """Whose daily letter is to be written."""
        return self.filter(due_at__lte=now)


class Watching(models.Model):
    """A player gets the board after each move, or once a day; while the match goes on, `delay` turns late.

    `told` is how many turns their letters have shown; `due_at` when their next daily letter is to be written, None
    while there is nothing to tell.
    """

    match = models.ForeignKey("Match", models.CASCADE, related_name="watchings", verbose_name=_("match"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="watchings", verbose_name=_("player"))
    delay = models.PositiveSmallIntegerField(_("delay"), default=0, help_text=_("In half-moves."))
    daily = models.BooleanField(_("daily"), default=False)
    told = models.PositiveIntegerField(_("half-moves told"), default=0)
    due_at = models.DateTimeField(_("next daily letter"), null=True, blank=True)
    since = models.DateTimeField(_("since"))

    objects = WatchingQuerySet.as_manager()

    class Meta:
        verbose_name = _("watcher")
        verbose_name_plural = _("watchers")
        ordering = ["pk"]
        constraints = [models.UniqueConstraint(fields=["match", "player"], name="watching_once")]
        indexes = [
            models.Index(fields=["due_at"], name="watching_due", condition=models.Q(due_at__isnull=False))
        ]

    def __str__(self) -> str:
        return f"{self.player} [{self.match_id}]"

    @property
    def shown(self) -> int:
        """After how many turns they may see the board."""
        late = self.delay if self.match.status == self.match.Status.PLAYING else 0
        return max(0, self.match.ply - late)

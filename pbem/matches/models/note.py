"""What a player writes down for themselves while they play."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.models import Player


class Note(models.Model):
    """Seen by its author alone, who gets it back when the match is over. `ply` is how many turns had been
    played when it was written."""

    match = models.ForeignKey("Match", models.CASCADE, related_name="notes", verbose_name=_("match"))
    player = models.ForeignKey(Player, models.CASCADE, related_name="notes", verbose_name=_("player"))
    ply = models.PositiveIntegerField(_("half-move"))
    text = models.TextField(_("note"))
    written_at = models.DateTimeField(_("when"))

    class Meta:
        verbose_name = _("note")
        verbose_name_plural = _("notes")
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.player} [{self.match_id}] {self.ply}"

"""Turns of a match."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.move_numbers import mark, numbered


class Turn(models.Model):
    """A move with the position after it. Never edited; a takeback sets `undone_by`."""

    class How(models.TextChoices):
        """How the service played the move for a player; forced passes have no entry."""

        CONDITIONAL = "conditional", _("conditional")
        FORCED = "forced", _("forced")

    match = models.ForeignKey("Match", models.CASCADE, related_name="turns", verbose_name=_("match"))
    ply = models.PositiveIntegerField(_("half-move"), help_text=_("From 0."))
    side = models.PositiveSmallIntegerField(_("side"))
    move = models.CharField(_("move"), max_length=200)
    position = models.TextField(_("position after it"))
    key = models.TextField(_("repetition key"), editable=False)
    written = models.TextField(_("as written"), blank=True)
    message = models.TextField(_("message to the opponent"), blank=True)
    how = models.CharField(_("how"), max_length=12, choices=How.choices, blank=True, default="")
    entered = models.BooleanField(
        _("entered"), default=False, help_text=_("The organiser played it for the player.")
    )
    played_at = models.DateTimeField(_("played"))
    undone_by = models.ForeignKey(
        "Event", models.PROTECT, null=True, blank=True, related_name="+", verbose_name=_("taken back by")
    )

    class Meta:
        verbose_name = _("half-move")
        verbose_name_plural = _("half-moves")
        ordering = ["match", "ply"]
        constraints = [
            models.UniqueConstraint(
                fields=["match", "ply"], condition=models.Q(undone_by__isnull=True), name="turn_live_once"
            )
        ]

    @property
    def mark(self) -> str:
        """Returns its number: `6.` or `6...`"""
        return mark(self.ply)

    def __str__(self) -> str:
        return numbered(self.ply, self.move)

"""What organisers note about a player for themselves."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.models.player import Player


class OrganiserNote(models.Model):
    """Read at the desk alone, and by the player who asks what is kept of them."""

    player = models.OneToOneField(
        Player, models.CASCADE, related_name="organiser_note", verbose_name=_("player"), primary_key=True
    )
    text = models.TextField(_("notes"))

    class Meta:
        verbose_name = _("organiser's note")
        verbose_name_plural = _("organiser's notes")
        default_permissions = ()

    def __str__(self) -> str:
        return self.text[:40]

"""How a player is called in print, if they allow it."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.models.player import Player


class PrintNameQuerySet(models.QuerySet["PrintName"]):
    def allowed(self) -> PrintNameQuerySet:
        return self.filter(agreed_at__isnull=False)

    def of(self, players: Collection[int]) -> Mapping[int, str]:
        """By player, as far as they have allowed it."""
        return dict(self.allowed().filter(player__in=players).values_list("player", "name"))


class PrintName(models.Model):
    """A real name. It is printed from `agreed_at` on, and nowhere before; `asked_at` is when the player was asked."""

    player = models.OneToOneField(
        Player, models.CASCADE, related_name="print_name", verbose_name=_("player"), primary_key=True
    )
    name = models.CharField(_("name for print"), max_length=80)
    asked_at = models.DateTimeField(_("asked"), null=True, blank=True)
    agreed_at = models.DateTimeField(_("allowed"), null=True, blank=True)

    objects = PrintNameQuerySet.as_manager()

    class Meta:
        verbose_name = _("name for print")
        verbose_name_plural = _("names for print")
        default_permissions = ()

    def __str__(self) -> str:
        return self.name

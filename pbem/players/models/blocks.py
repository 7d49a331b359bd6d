"""Whom a player does not play with, whom they do not hear, and how many matches are enough for them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.models.player import Player


class Refusing(models.Model):
    """`player` takes no challenge of `refused` to `game` ("": to any); if `blocked`, no word of theirs either."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="refusings", verbose_name=_("player"))
    refused = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("refused"))
    game = models.CharField(_("game"), max_length=40, blank=True)
    blocked = models.BooleanField(_("blocked"), default=False, help_text=_("No messages either."))
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("refused player")
        verbose_name_plural = _("refused players")
        constraints = [models.UniqueConstraint(fields=["player", "refused", "game"], name="refusing_once")]

    def __str__(self) -> str:
        return f"{self.player} × {self.refused}"


class Limit(models.Model):
    """How many matches of a game `player` wants to have running before others may challenge them to more.

    `game` "" is all games together.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="limits", verbose_name=_("player"))
    game = models.CharField(_("game"), max_length=40, blank=True)
    most = models.PositiveSmallIntegerField(_("most"))

    class Meta:
        verbose_name = _("limit")
        verbose_name_plural = _("limits")
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="limit_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.game or '*'} {self.most}"

"""Browsers that are known as a player's, and sign-ins that wait for their code."""

from __future__ import annotations

from typing import Any

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.models import Player


class Browser(models.Model):
    """A browser known as the player's by a cookie of 32 random bytes; `digest` is their SHA-256.

    `code_at`: when it last gave a code of a letter. `used_at`: its last POST.
    """

    player = models.ForeignKey(Player, models.CASCADE, related_name="browsers", verbose_name=_("player"))
    digest = models.BinaryField(max_length=32, unique=True, editable=False)
    words = models.CharField(_("browser"), max_length=80, blank=True)
    since = models.DateTimeField(_("since"))
    code_at = models.DateTimeField(_("last code"))
    used_at = models.DateTimeField(_("last used"))

    class Meta:
        verbose_name = _("browser")
        verbose_name_plural = _("browsers")
        default_permissions = ()
        ordering = ["-used_at", "-pk"]

    def __str__(self) -> str:
        return f"{self.player}: {self.words}"


class SignIn(models.Model):
    """A code that went to the player and that the browser with the cookie of `browser` may type in.

    `player` is None for an address that no player has: no code fits it. `code` is a keyed digest. `waiting`: what a
    board has posted, to be done after the code.
    """

    player = models.ForeignKey(
        Player, models.CASCADE, null=True, related_name="sign_ins", verbose_name=_("player")
    )
    browser = models.BinaryField(max_length=32, db_index=True, editable=False)
    code = models.BinaryField(max_length=32, editable=False)
    tries = models.PositiveSmallIntegerField(_("tries"), default=0)
    waiting: models.Field[dict[str, Any], dict[str, Any]] = models.JSONField(default=dict, editable=False)
    begun_at = models.DateTimeField(_("begun"), db_index=True)

    class Meta:
        verbose_name = _("sign-in")
        verbose_name_plural = _("sign-ins")
        default_permissions = ()
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.player or '?'}: {self.begun_at:%Y-%m-%d %H:%M}"

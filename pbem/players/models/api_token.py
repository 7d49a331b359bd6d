"""Tokens with which a player's programs use the API."""

from __future__ import annotations

import secrets
from datetime import datetime

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pbem.players.models.player import Player


def new_nonce() -> bytes:
    return secrets.token_bytes(16)


class ApiTokenQuerySet(models.QuerySet["ApiToken"]):
    def valid(self, at: datetime) -> ApiTokenQuerySet:
        return self.filter(expires_at__gt=at, player__suspended_at=None)


class ApiToken(models.Model):
    """A token of a player. Only its SHA-256 is kept; with our key and `nonce` the text is made anew."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="api_tokens", verbose_name=_("player"))
    scopes = models.CharField(_("allows"), max_length=40)  # in the order of Scope, with blanks between
    created_at = models.DateTimeField(_("since"), default=timezone.now)
    expires_at = models.DateTimeField(_("until"))
    nonce = models.BinaryField(max_length=16, default=new_nonce, editable=False)
    digest = models.CharField(max_length=64, unique=True, editable=False)

    objects = ApiTokenQuerySet.as_manager()

    class Meta:
        verbose_name = _("API token")
        verbose_name_plural = _("API tokens")
        default_permissions = ()
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.player}: {self.scopes}"

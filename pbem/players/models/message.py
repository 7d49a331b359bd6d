"""Messages between players, organisers' notes, refusals, and limits of challenges."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.models.player import Player, new_salt


class MessageQuerySet(models.QuerySet["Message"]):
    def between(self, one: Player, other: Player) -> MessageQuerySet:
        """Returns the messages from one to the other."""
        return self.filter(sender=one, reader=other)


class Message(models.Model):
    """A message outside any match, relayed without an address. Its salt makes the reply address."""

    sender = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("from"))
    reader = models.ForeignKey(Player, models.CASCADE, related_name="+", verbose_name=_("to"))
    text = models.TextField(_("text"))
    salt = models.BinaryField(max_length=16, default=new_salt, editable=False)
    revoked_at = models.DateTimeField(null=True, blank=True, editable=False)
    written_at = models.DateTimeField(_("written"))

    objects = MessageQuerySet.as_manager()

    class Meta:
        verbose_name = _("message")
        verbose_name_plural = _("messages")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.sender} → {self.reader}"

    def revoke(self, now: datetime) -> None:
        """Kills the reply address, which another person may have."""
        self.revoked_at = now
        self.save(update_fields=["revoked_at"])


# Notes of organisers


class OrganiserNote(models.Model):
    """Shown to organisers, and to the player in a request for their data."""

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


# Refusals and limits


class PlayerBlock(models.Model):
    """`player` refuses challenges of `refused` to `game` ("": any); `blocked` refuses messages too."""

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
    """The number of running matches at which `player` takes no more challenges to `game` ("": all)."""

    player = models.ForeignKey(Player, models.CASCADE, related_name="limits", verbose_name=_("player"))
    game = models.CharField(_("game"), max_length=40, blank=True)
    most = models.PositiveSmallIntegerField(_("most"))

    class Meta:
        verbose_name = _("limit")
        verbose_name_plural = _("limits")
        constraints = [models.UniqueConstraint(fields=["player", "game"], name="limit_once")]

    def __str__(self) -> str:
        return f"{self.player}: {self.game or '*'} {self.most}"

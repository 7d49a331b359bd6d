"""What one player wrote to another, beside any match."""

from __future__ import annotations

from datetime import datetime

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.models.player import Player
from pbem.players.models.salt import new_salt


class MessageQuerySet(models.QuerySet["Message"]):
    def between(self, one: Player, other: Player) -> MessageQuerySet:
        """From one to the other."""
        return self.filter(sender=one, reader=other)


class Message(models.Model):
    """Relayed without an address. Its salt makes the address that an answer to it goes to."""

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
        """Somebody else may have it: the address that an answer would go to is dead."""
        self.revoked_at = now
        self.save(update_fields=["revoked_at"])

"""A mailbox that is about to become a player's."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.players.models.player import Player

# As long as a question stands: a player who looks into their mailbox every other day can say NO in time.
TAKES = timedelta(days=3)


class AddressChangeQuerySet(models.QuerySet["AddressChange"]):
    def open(self) -> AddressChangeQuerySet:
        return self.filter(closed_at__isnull=True)

    def due(self, at: datetime) -> AddressChangeQuerySet:
        return self.open().filter(due_at__lte=at)


class AddressChange(models.Model):
    """`email` becomes an address of `player` at `due_at`, unless a NO comes before. `confirmed_at`: it said YES itself.

    `by_organiser`: the player cannot read the old mailbox, and their clocks stand still meanwhile.
    """

    player = models.ForeignKey(
        Player, models.CASCADE, related_name="address_changes", verbose_name=_("player")
    )
    email = models.EmailField(_("email"))
    puts_first = models.BooleanField(_("put first"))
    by_organiser = models.BooleanField(_("by the organiser"), default=False)
    begun_at = models.DateTimeField(_("begun"))
    due_at = models.DateTimeField(_("due"))
    confirmed_at = models.DateTimeField(_("confirmed"), null=True)
    closed_at = models.DateTimeField(_("closed"), null=True)
    cancelled = models.BooleanField(_("cancelled"), default=False)

    objects = AddressChangeQuerySet.as_manager()

    class Meta:
        verbose_name = _("change of address")
        verbose_name_plural = _("changes of address")
        default_permissions = ()
        constraints = [
            models.UniqueConstraint(
                fields=["player", "email"],
                condition=models.Q(closed_at__isnull=True),
                name="address_change_open_once",
            )
        ]
        indexes = [
            models.Index(
                fields=["due_at"], name="address_change_due", condition=models.Q(closed_at__isnull=True)
            )
        ]

    def __str__(self) -> str:
        return f"{self.player}: {self.email}"

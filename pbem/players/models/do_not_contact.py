"""The suppression list: addresses that do not want invitations; and restores from a backup."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.mail.mailbox import mailbox_of


class SuppressedAddressQuerySet(models.QuerySet["SuppressedAddress"]):
    def among(self, addresses: Iterable[str]) -> set[str]:
        """Returns the addresses that are listed, in any spelling."""
        mailboxes = {address: mailbox_of(address) for address in addresses}
        peaceful = set(self.filter(email__in=mailboxes.values()).values_list("email", flat=True))
        return {address for address, mailbox in mailboxes.items() if mailbox in peaceful}


class SuppressedAddress(models.Model):
    """The mailbox `email` must not get letters on behalf of other players."""

    email = models.EmailField(_("email"), unique=True)
    since = models.DateTimeField(_("since"))

    objects = SuppressedAddressQuerySet.as_manager()

    class Meta:
        verbose_name = _("address left in peace")
        verbose_name_plural = _("addresses left in peace")

    def __str__(self) -> str:
        return self.email


# Restores: rows written after the backup are lost


class Restore(models.Model):
    """A restore, which begins an epoch."""

    # The number counts seconds from 2024 on, so that no two histories share one.

    number = models.BigIntegerField(_("epoch"), primary_key=True)
    since = models.DateTimeField(_("last sign of life before"), null=True, blank=True)
    restored_at = models.DateTimeField(_("restored"))

    class Meta:
        verbose_name = _("restore")
        verbose_name_plural = _("restores")
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"{self.restored_at:%Y-%m-%d %H:%M}"

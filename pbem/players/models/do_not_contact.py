"""Addresses of people who have not signed up and want no invitations."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import models
from django.utils.translation import gettext_lazy as _

from pbem.mail.mailbox import mailbox_of


class UndisturbedQuerySet(models.QuerySet["Undisturbed"]):
    def among(self, addresses: Iterable[str]) -> set[str]:
        """Those of these addresses, however they are spelled."""
        mailboxes = {address: mailbox_of(address) for address in addresses}
        peaceful = set(self.filter(email__in=mailboxes.values()).values_list("email", flat=True))
        return {address for address, mailbox in mailboxes.items() if mailbox in peaceful}


class Undisturbed(models.Model):
    """Anyone who reads `email`, a mailbox, has told us never again to write to them on behalf of others."""

    email = models.EmailField(_("email"), unique=True)
    since = models.DateTimeField(_("since"))

    objects = UndisturbedQuerySet.as_manager()

    class Meta:
        verbose_name = _("address left in peace")
        verbose_name_plural = _("addresses left in peace")

    def __str__(self) -> str:
        return self.email


# When the rows were restored from a backup: what was written after the backup was taken is no
# longer in them.


class Restore(models.Model):
    """Each begins an epoch. Its number counts seconds from 2024 on, so that no two histories share one."""

    number = models.BigIntegerField(_("epoch"), primary_key=True)
    since = models.DateTimeField(_("last sign of life before"), null=True, blank=True)
    restored_at = models.DateTimeField(_("restored"))

    class Meta:
        verbose_name = _("restore")
        verbose_name_plural = _("restores")
        ordering = ["-number"]

    def __str__(self) -> str:
        return f"{self.restored_at:%Y-%m-%d %H:%M}"

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

"""Addresses of people who have not signed up and want no invitations."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


class Undisturbed(models.Model):
    """Anyone who reads `email` has told us never again to write to them on behalf of others."""

    email = models.EmailField(_("email"), unique=True)
    since = models.DateTimeField(_("since"))

    class Meta:
        verbose_name = _("address left in peace")
        verbose_name_plural = _("addresses left in peace")

    def __str__(self) -> str:
        return self.email

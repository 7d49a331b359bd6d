"""When the rows were restored from a backup: what was written after the backup was taken is no longer in them."""

from __future__ import annotations

from django.db import models
from django.utils.translation import gettext_lazy as _


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

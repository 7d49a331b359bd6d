"""Rows of the desk itself: the audit."""

from __future__ import annotations

from typing import Any, NoReturn

from django.core.serializers.json import DjangoJSONEncoder
from django.db import models
from django.utils.translation import gettext_lazy as _


class AuditEntryQuerySet(models.QuerySet["AuditEntry"]):
    def about(self, row: models.Model) -> AuditEntryQuerySet:
        """Returns the entries of a row, newest first."""
        return self.filter(kind=row._meta.label_lower, row=row.pk).order_by("-pk")

    def forget(self) -> int:
        """Deletes what entries say of an erased player. Who did what, and when, stays."""
        models.QuerySet.update(self.filter(said__contains="@"), said="")  # the label contains an address
        return super().update(named="", reason="", before={}, after={})

    def update(self, **values: Any) -> NoReturn:
        raise TypeError("what was done stays written as it was")

    def delete(self) -> NoReturn:
        raise TypeError("what was done stays written")


class AuditEntry(models.Model):
    """One action at the desk. Never changed, never deleted.

    `before` and `after` hold the columns that it changed. The account and the row are kept by name, since
    both may be deleted.
    """

    happened_at = models.DateTimeField(_("when"))
    who = models.CharField(_("who"), max_length=150)
    verb = models.CharField(_("verb"), max_length=60)
    said = models.CharField(_("what"), max_length=200, help_text=_("As the button read."))
    kind = models.CharField(_("kind"), max_length=100)
    row = models.BigIntegerField(_("number"))
    named = models.CharField(_("to whom or what"), max_length=200)
    reason = models.TextField(_("reason"), blank=True)
    before = models.JSONField(_("before"), default=dict, encoder=DjangoJSONEncoder)
    after = models.JSONField(_("after"), default=dict, encoder=DjangoJSONEncoder)

    objects = AuditEntryQuerySet.as_manager()

    class Meta:
        verbose_name = _("audit entry")
        verbose_name_plural = _("audit")
        ordering = ["-pk"]
        default_permissions = ("view",)
        indexes = [models.Index(fields=["kind", "row", "-id"], name="audit_of_row")]

    def __str__(self) -> str:
        return f"{self.who}: {self.said}"

    def save(self, *args: Any, **kwargs: Any) -> None:
        if not self._state.adding:
            raise TypeError("what was done stays written as it was")
        super().save(*args, **kwargs)

    def delete(self, *args: Any, **kwargs: Any) -> NoReturn:
        raise TypeError("what was done stays written")

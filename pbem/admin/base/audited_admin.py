"""Admins with forms that write to our audit log, with the values before and after, instead of Django's."""

from __future__ import annotations

from collections.abc import Collection
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext

from pbem.admin.base import audit_log

if TYPE_CHECKING:
    ModelAdmin = admin.ModelAdmin[Any]
else:
    from unfold.admin import ModelAdmin

BEFORE = "desk.before"  # in `request.META`: the row as it was when its form was sent


class AuditedAdmin(ModelAdmin):
    unaudited: Collection[str] = ()  # columns left out of the audit: without interest, or confidential

    def seen(self, row: Any) -> audit_log.Seen:
        """Returns the audited columns of a row; an admin may add those of related tables."""
        return audit_log.seen(row, self.unaudited)

    def again(self, row: Any) -> Any:
        """Reads the row again. None when it was deleted."""
        return self.model._default_manager.filter(pk=row.pk).first()

    def made(self, request: HttpRequest, row: models.Model, verb: str, said: str) -> None:
        """Records that a page of our own has created this row, of any table."""
        self._note(request, row, verb, said, {}, audit_log.seen(row, self.unaudited))

    def save_model(self, request: HttpRequest, obj: Any, form: Any, change: bool) -> None:
        if change:
            request.META[BEFORE] = self.seen(self.again(obj) or obj)
        super().save_model(request, obj, form, change)

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        self._note(request, obj, "add", gettext("Add"), {}, self.seen(self.again(obj)))

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Records a change, also one that no column shows, such as that of a password."""
        after = self.seen(self.again(obj))
        before = request.META.get(BEFORE)
        if before != after:
            self._note(request, obj, "change", gettext("Change"), before or after, after)

    def log_deletions(self, request: HttpRequest, queryset: Any) -> Any:
        for row in queryset:
            self._note(request, row, "delete", gettext("Delete"), self.seen(row), {})

    def _note(
        self,
        request: HttpRequest,
        row: Any,
        verb: str,
        said: str,
        before: audit_log.Seen,
        after: audit_log.Seen,
    ) -> None:
        audit_log.note(
            row, who=who(request), verb=verb, said=said, before=before, after=after, now=timezone.now()
        )


def who(request: HttpRequest) -> str:
    """Returns the user name for the audit."""
    return str(request.user.get_username())

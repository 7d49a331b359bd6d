"""The audit at the desk: everything that was done there, the newest first."""

from __future__ import annotations

from django.apps import apps
from django.contrib import admin
from django.db import models
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from pbem.desk.base.lists import when
from pbem.desk.base.pages import ReadOnlyAdmin, link
from pbem.desk.models import AuditEntry


class AuditEntryAdmin(ReadOnlyAdmin):
    list_display = ("happened", "who", "said", "what", "reason")
    list_display_links = ("happened", "said")
    list_filter = ("happened_at",)
    search_fields = ("who",)
    sortable_by = ("happened",)
    search_help_text = _("Who did it: the whole name of an account")
    fields = ("happened_at", "who", "said", "what", "reason", "changed")

    def found(self, word: str) -> models.Q:
        return models.Q(who=word.strip())

    def has_change_permission(self, request: HttpRequest, obj: models.Model | None = None) -> bool:
        return False

    @admin.display(description=_("when"), ordering="pk")
    def happened(self, entry: AuditEntry) -> str:
        return when(entry.happened_at)

    @admin.display(description=_("to whom or what"))
    def what(self, entry: AuditEntry) -> str:
        model = apps.get_model(entry.kind)
        return link(model(pk=entry.row), entry.named or entry.row)

    @admin.display(description=_("what it changed"))
    def changed(self, entry: AuditEntry) -> SafeString:
        return render_to_string("admin/desk/changes.html", {"entry": entry})

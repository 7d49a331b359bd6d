"""What robots look into because somebody has asked, at the desk: to look at."""

from __future__ import annotations

from django.contrib import admin
from django.utils.translation import gettext_lazy

from pbem.analysis.models import Study
from pbem.desk.base.lists import AmongNewest, when
from pbem.desk.base.pages import ReadOnlyAdmin


class StudyAdmin(ReadOnlyAdmin):
    list_display = ("number", "about", "kind", "status", "due", "tries", "trouble")
    list_filter = (("status", AmongNewest), ("kind", AmongNewest))
    sortable_by = ("number",)
    fields = ("match", "ply", "kind", "status", "created_at", "due_at", "done_at", "tries", "trouble")

    @admin.display(description=gettext_lazy("match"))
    def about(self, study: Study) -> str:
        return f"[{study.match_id}]"

    @admin.display(description=gettext_lazy("due"))
    def due(self, study: Study) -> str:
        return when(study.due_at)

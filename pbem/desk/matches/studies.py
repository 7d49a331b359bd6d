"""What robots look into because somebody has asked, at the desk: to look at, and what has failed to be tried again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.contrib import admin
from django.utils.translation import gettext, gettext_lazy

from pbem.analysis.models import Study
from pbem.desk.base.lists import AmongNewest, when
from pbem.desk.base.pages import ReadOnlyAdmin
from pbem.desk.base.verbs import Button, Pressed
from pbem.robots.studies import try_again


class StudyAdmin(ReadOnlyAdmin):
    list_display = ("number", "about", "kind", "status", "due", "tries", "trouble")
    list_filter = (("status", AmongNewest), ("kind", AmongNewest))
    sortable_by = ("number",)
    fields = (
        *("match", "ply", "kind", "status", "created_at", "due_at", "done_at"),
        *("tries", "seconds", "trouble"),
    )

    @admin.display(description=gettext_lazy("match"))
    def about(self, study: Study) -> str:
        return f"[{study.match_id}]"

    @admin.display(description=gettext_lazy("due"))
    def due(self, study: Study) -> str:
        return when(study.due_at)

    def buttons(self, study: Study) -> Sequence[Button]:
        if study.status != Study.Status.FAILED:
            return []
        return [
            Button(
                verb="again",
                label=gettext("Look into it again"),
                done=gettext("A robot looks into it again; the player who has asked gets a letter."),
                press=partial(_again, study),
            )
        ]


def _again(study: Study, pressed: Pressed) -> None:
    try_again(study, now=pressed.now)

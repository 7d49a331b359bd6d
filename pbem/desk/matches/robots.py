"""What the robots think about, at the desk: to look at, and what has failed to be tried again."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from pbem.desk.base.lists import AmongNewest, when
from pbem.desk.base.pages import ReadOnlyAdmin
from pbem.desk.base.search import newest
from pbem.desk.base.verbs import Button, Pressed
from pbem.robots.models import Think
from pbem.robots.services import try_again


class Failed(admin.SimpleListFilter):
    """Those that found nothing, or went by the rules alone."""

    title = gettext_lazy("failed")
    parameter_name = "failed"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", gettext("Yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Think]) -> QuerySet[Think]:
        return queryset.filter(newest(Think), pk__in=Think.objects.failed()) if self.value() else queryset


class ThinkAdmin(ReadOnlyAdmin):
    list_display = ("number", "turn", "level", "status", "due", "tries", "trouble")
    list_filter = (Failed, ("status", AmongNewest), ("level", AmongNewest))
    sortable_by = ("number",)
    fields = (
        *("match", "ply", "kind", "level", "status", "created_at", "due_at", "done_at", "tries"),
        *("move", "score", "chance", "depth", "nodes", "seconds", "trouble"),
    )

    @admin.display(description=gettext_lazy("half-move"))
    def turn(self, think: Think) -> str:
        return str(think)

    @admin.display(description=gettext_lazy("due"))
    def due(self, think: Think) -> str:
        return when(think.due_at)

    def buttons(self, think: Think) -> Sequence[Button]:
        if think.status != Think.Status.FAILED:
            return []
        return [
            Button(
                verb="again",
                label=gettext("Think again"),
                done=gettext("The robot thinks again."),
                press=partial(_again, think),
            )
        ]


def _again(think: Think, pressed: Pressed) -> None:
    try_again(think, now=pressed.now)

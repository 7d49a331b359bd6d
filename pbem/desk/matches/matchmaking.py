"""Who looks for an opponent, and who was invited, at the desk: to look at, and offers to close."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from django.contrib import admin
from django.utils.translation import gettext, gettext_lazy

from pbem.desk.base.lists import when
from pbem.desk.base.pages import ReadOnlyAdmin
from pbem.desk.base.verbs import Button, Pressed
from pbem.matches.matchmaking.seeks import close
from pbem.matches.models import Invitation, Seek


class SeekAdmin(ReadOnlyAdmin):
    list_display = ("number", "player", "game_name", "keep", "stands_until", "closed")
    list_select_related = ("player",)
    sortable_by = ("number",)
    fields = (
        *("player", "game_name", "setup", "side", "terms", "keep", "on_time", "language", "least", "most"),
        *("created_at", "until", "closed_at"),
    )

    @admin.display(description=gettext_lazy("open until"))
    def stands_until(self, seek: Seek) -> str:
        return when(seek.until)

    @admin.display(description=gettext_lazy("closed"))
    def closed(self, seek: Seek) -> str:
        return when(seek.closed_at)

    def buttons(self, seek: Seek) -> Sequence[Button]:
        if seek.closed_at:
            return []
        return [
            Button(
                verb="close",
                label=gettext("Close it"),
                done=gettext("The offer is closed; its matches go on."),
                press=partial(_close, seek),
            )
        ]


class InvitationAdmin(ReadOnlyAdmin):
    list_display = ("sent", "challenger", "address", "game_name", "answered")
    list_select_related = ("challenger",)
    sortable_by = ("sent",)
    fields = (
        *("challenger", "address", "game_name", "setup", "side", "terms"),
        *("asked_at", "told", "answered_at", "match"),
    )

    @admin.display(description=gettext_lazy("asked"), ordering="pk")
    def sent(self, invitation: Invitation) -> str:
        return when(invitation.asked_at)

    @admin.display(description=gettext_lazy("answered"))
    def answered(self, invitation: Invitation) -> str:
        return when(invitation.answered_at)


def _close(seek: Seek, pressed: Pressed) -> None:
    close(seek.player, seek.pk, now=pressed.now)

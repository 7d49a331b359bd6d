"""What has happened in matches, at the desk."""

from __future__ import annotations

from django.contrib import admin
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from pbem.desk.base import values
from pbem.desk.base.lists import AmongNewest, when
from pbem.desk.base.pages import ReadOnlyAdmin, link
from pbem.desk.base.search import number
from pbem.inbox.models import InboundMail
from pbem.matches.models import Event, Match


class EventAdmin(ReadOnlyAdmin):
    list_display = ("happened", "kind", "of_match", "ply", "letter")
    list_display_links = ("happened", "kind")
    list_filter = (("kind", AmongNewest), "happened_at")
    search_fields = ("match",)
    search_help_text = _("Number of a match")
    sortable_by = ("happened",)
    fields = ("happened_at", "kind", "of_match", "who", "ply", "of_letter", "told")

    def found(self, word: str) -> Q:
        return Q(match=number(word))

    @admin.display(description=_("when"), ordering="pk")
    def happened(self, event: Event) -> str:
        return when(event.happened_at)

    @admin.display(description=_("match"))
    def of_match(self, event: Event) -> str:
        return numbered(event.match_id)

    @admin.display(description=_("who"))
    def who(self, event: Event) -> str:
        return actor_of(event)

    @admin.display(description=_("what else is known"))
    def told(self, event: Event) -> str:
        return values.in_words(event.facts)

    @admin.display(description=_("letter"))
    def of_letter(self, event: Event) -> str:
        return link(InboundMail(pk=event.letter), event.letter) if event.letter else "-"


def numbered(pk: int | None) -> str:
    """A link to the match with this number, for lists: nothing of the match is read."""
    return link(None if pk is None else Match(pk=pk), f"[{pk}]")


def actor_of(event: Event) -> str:
    return event.actor.player.name if event.actor else "-"

"""Sent and queued letters at the desk: their text, and their delivery."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from datetime import timedelta
from typing import Any

from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pbem.admin.base.actions import AdminAction
from pbem.admin.base.lists import AmongNewest, newest, number, players, when
from pbem.admin.base.pages import ReadOnlyAdmin, link
from pbem.admin.letters.shunted import DROPPED, ShuntableAdmin
from pbem.admin.letters.verdicts import BounceVerdicts, OutboundVerdicts, explained, named
from pbem.admin.matches.timeline import data_uri, numbered
from pbem.inbox.models import InboundMail
from pbem.outbox.models import BouncedMail, OutboundMail, SlowDomain
from pbem.outbox.notifications.kinds import in_words
from pbem.outbox.rendering.compose import Composed, compose
from pbem.outbox.sending import hurry, send_again
from pbem.players.models import Player

# Reply addresses are hidden from users who may not read them, since one is enough to play for its player. A
# token is 32 characters of lower-case base32: before an @, after %2B, or in an unsubscribe link.
TOKEN = re.compile(r"[a-z2-7]{32,}")


def without_tokens(text: str) -> str:
    return TOKEN.sub("…", text)


READ = "outbox.read_outboundmail"
log = logging.getLogger(__name__)


class OutboundMailAdmin(ShuntableAdmin):
    change_form_template = "admin/outbox/outboundmail/change_form.html"
    list_display = ("number", "written", "address", "what", "status", "outcome", "of_match", "attempts")
    list_display_links = ("number", "written")
    list_filter = (("status", AmongNewest), OutboundVerdicts, "created_at")
    search_fields = ("player", "match", "address", "message_id")
    search_help_text = _("Number, player, match, Message-ID, or full address")
    fields = (
        "address",
        "to_player",
        "about_match",
        "what",
        "cause",
        "language",
        "status",
        "outcome",
        "advice",
        "answer",
        "attempts",
        "created_at",
        "next_try_at",
        "sent_at",
        "delivered_at",
        "message_id",
        "says_more",
        *DROPPED,
    )

    unaudited = ("sections", "text")

    def get_queryset(self, request: HttpRequest) -> QuerySet[OutboundMail]:
        return super().get_queryset(request).defer("sections", "text")

    def found(self, word: str) -> models.Q:
        asked, here = number(word), newest(OutboundMail)
        if asked is not None:
            return models.Q(pk=asked) | models.Q(match=asked)
        named = models.Q(message_id=word.strip()) | models.Q(player__in=players(word))
        return named | here & models.Q(address=word.strip().lower())

    @admin.display(description=_("kind"))
    def what(self, row: OutboundMail) -> str:
        return in_words(row.kind)

    def buttons(self, row: OutboundMail) -> Sequence[AdminAction]:
        done = _("The letter is back in the queue.")
        again = AdminAction(
            "send-again", _("Send again"), done, lambda pressed: send_again(row, now=pressed.now)
        )
        return [again, *super().buttons(row)]

    def page(self, request: HttpRequest, row: OutboundMail) -> Mapping[str, Any]:
        shown = str if request.user.has_perm(READ) else without_tokens
        try:
            letter = compose(row)
        except Exception as trouble:  # the page must open above all for a letter that cannot be composed
            log.exception("letter %s cannot be composed", row.pk)
            return {"trouble": repr(trouble), "text": shown(row.text)}
        return {
            "subject": letter.subject,
            "text": shown(row.text or letter.text),
            "html": _self_contained(letter, shown(letter.html)),
        }

    @admin.display(description=_("written"), ordering="pk")
    def written(self, row: OutboundMail) -> str:
        return when(row.created_at)

    @admin.display(description=_("verdict"))
    def outcome(self, row: OutboundMail) -> str:
        return named(row.verdict)

    @admin.display(description=_("what it means"))
    def advice(self, row: OutboundMail) -> str:
        return explained(row.verdict) or "-"

    @admin.display(description=_("match"))
    def of_match(self, row: OutboundMail) -> str:
        return numbered(row.match_id)

    @admin.display(description=_("replaced by"))
    def says_more(self, row: OutboundMail) -> str:
        return link(row.overtaken_by)

    @admin.display(description=_("player"))
    def to_player(self, row: OutboundMail) -> str:
        return link(row.player)

    @admin.display(description=_("match"))
    def about_match(self, row: OutboundMail) -> str:
        return link(row.match)


class SlowDomainAdmin(ReadOnlyAdmin):
    """Backed-off domains; the relay has none."""

    list_display = ("name", "began", "ends", "times", "answer")
    sortable_by = ("name",)
    fields = ("name", "since", "until", "times", "answer")

    @admin.display(description=_("kind"))
    def what(self, row: OutboundMail) -> str:
        return in_words(row.kind)

    def buttons(self, row: SlowDomain) -> Sequence[AdminAction]:
        done = _("Its letters go out in a moment.")
        return [
            AdminAction("go-on", _("Go on now"), done, lambda pressed: hurry(row.domain, now=pressed.now))
        ]

    @admin.display(description=_("domain"), ordering="pk")
    def name(self, row: SlowDomain) -> str:
        return str(row)

    @admin.display(description=_("since"))
    def began(self, row: SlowDomain) -> str:
        return when(row.since)

    @admin.display(description=_("until"))
    def ends(self, row: SlowDomain) -> str:
        return when(row.until)


def _self_contained(letter: Composed, html: str) -> str:
    """Embeds the pictures in the HTML part: a frame cannot resolve `cid:`."""
    for picture in letter.pictures:
        html = html.replace(f"cid:{picture.cid}", data_uri(picture.content, picture.subtype))
    return html


# Addresses that bounce

LONG = timedelta(days=30)  # after so long a stopped clock needs a decision


class BouncedMailAdmin(ReadOnlyAdmin):
    list_display = ("happened", "address", "outcome", "points", "said", "player")
    list_filter = (BounceVerdicts, "happened_at")
    list_select_related = ("letter__player",)
    search_fields = ("address",)
    search_help_text = _("The full address, or start of a player's name")
    sortable_by = ("happened",)
    fields = (
        "happened_at",
        "address",
        "of_player",
        "outcome",
        "advice",
        "points",
        "reply",
        "of_letter",
        "told_by",
    )

    def found(self, word: str) -> models.Q:
        return models.Q(address=word.strip().lower()) | models.Q(letter__player__in=players(word))

    @admin.display(description=_("when"), ordering="pk")
    def happened(self, row: BouncedMail) -> str:
        return when(row.happened_at)

    @admin.display(description=_("verdict"))
    def outcome(self, row: BouncedMail) -> str:
        return named(row.fate)

    @admin.display(description=_("what it means"))
    def advice(self, row: BouncedMail) -> str:
        return explained(row.fate)

    @admin.display(description=_("what was said"))
    def said(self, row: BouncedMail) -> str:
        return row.reply[:80] or "-"

    @admin.display(description=_("player"))
    def player(self, row: BouncedMail) -> str:
        return str(row.letter.player or "-")

    @admin.display(description=_("player"))
    def of_player(self, row: BouncedMail) -> str:
        return link(row.letter.player)

    @admin.display(description=_("outgoing letter"))
    def of_letter(self, row: BouncedMail) -> str:
        return link(row.letter)

    @admin.display(description=_("incoming email"))
    def told_by(self, row: BouncedMail) -> str:
        return link(InboundMail(pk=row.report), row.report) if row.report else gettext("our relay, at once")


class Unreachable(admin.SimpleListFilter):
    """Filters players who are unreachable now, or for 30 days, which calls for a decision."""

    title = _("unreachable")
    parameter_name = "unreachable"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("now", gettext("Yes")), ("long", gettext("For more than 30 days"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Player]) -> QuerySet[Player]:
        match self.value():
            case "now":
                return queryset.filter(unreachable_since__isnull=False)
            case "long":
                return queryset.filter(pk__in=long_unreachable())
        return queryset


def long_unreachable() -> QuerySet[Player]:
    """Returns the players who have been unreachable for a month: their matches stand still."""
    return Player.objects.filter(unreachable_since__lt=timezone.now() - LONG)

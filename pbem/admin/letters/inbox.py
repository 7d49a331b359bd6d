"""Received letters at the desk: the text, what was read in it, and the outcome."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.defaultfilters import filesizeformat
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _

from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.lists import HasHappened, newest, number, players, when
from pbem.admin.base.pages import ReadOnlyAdmin, link
from pbem.admin.letters.shunted import DROPPED, ShuntableAdmin
from pbem.admin.letters.verdicts import InboundVerdicts, explained, named
from pbem.admin.matches.timeline import numbered
from pbem.admin.people import player_actions
from pbem.admin.people.player_actions import AnswerForm
from pbem.inbox.models import OK, Confirmation, InboundMail, PersonalMessage
from pbem.inbox.rate_limits.table import CAPS
from pbem.inbox.services import open_again
from pbem.intents import language_of
from pbem.mail.parsing.parts import clean
from pbem.outbox.notifications import announcements

READ = "inbox.read_inboundmail"
SHOWN = 100_000  # bytes of a raw letter, which may have 10 MiB

# Labels of `Reading.facts`, in the order of the table
FACTS = {
    "from": _("From"),
    "subject": _("Subject"),
    "token": _("reply address"),
    "dmarc": "DMARC",
    "decision": _("decision"),
    "automatic": _("automatic"),
    "commands": _("commands"),
    "chat": _("message to the opponent"),
    "defects": _("defects"),
    "silenced": _("why there was no answer"),
    "report": _("bounce report"),
}


class InboundMailAdmin(ShuntableAdmin):
    change_form_template = "admin/inbox/inboundmail/change_form.html"
    list_display = ("number", "received", "sender", "outcome", "player", "of_match", "to")
    list_display_links = ("number", "received")
    list_filter = (InboundVerdicts, "received_at")
    list_select_related = ("player",)
    search_fields = ("player", "match", "sender")
    search_help_text = _("Number, player, match, or full address")
    fields = (
        "received_at",
        "sender",
        "peer",
        "helo",
        "whole_recipient",
        "outcome",
        "advice",
        "from_player",
        "about_match",
        "attempts",
        "opened_at",
        *DROPPED,
    )

    unaudited = ("reading", "recipient", "queue_key", "account", "digest")

    def get_queryset(self, request: HttpRequest) -> QuerySet[InboundMail]:
        return super().get_queryset(request).defer("raw")

    def found(self, word: str) -> models.Q:
        asked, here = number(word), newest(InboundMail)
        if asked is not None:
            return models.Q(pk=asked) | models.Q(match=asked)
        return models.Q(player__in=players(word)) | here & models.Q(sender=word.strip())

    def buttons(self, row: InboundMail) -> Sequence[AdminAction]:
        found = player_actions.button(row)
        answer = [found] if found else []
        if row.verdict in ("", OK):
            return answer  # it waits for its turn, or is done already
        if not row.raw:
            return [*answer, *super().buttons(row)]  # nothing left to open
        done = _("The email is opened again in a moment.")
        again = AdminAction("open-again", _("Open again"), done, lambda pressed: open_again(row))
        return [again, *answer, *super().buttons(row)]

    def page(self, request: HttpRequest, row: InboundMail) -> Mapping[str, Any]:
        if not request.user.has_perm(READ):
            return {}
        raw = bytes(row.raw)
        return {
            "may_read": True,
            "facts": [
                (label, _lines(key, row.reading[key])) for key, label in FACTS.items() if row.reading.get(key)
            ],
            "raw": clean(raw[:SHOWN].decode("utf-8", "replace")),
            "size": filesizeformat(len(raw)),
            "shown": filesizeformat(SHOWN) if len(raw) > SHOWN else "",
        }

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Shows the whole reply address only to users who may read letters."""
        fields = super().get_fields(request, obj)
        if request.user.has_perm(READ):
            return fields
        return ["to" if field == "whole_recipient" else field for field in fields]

    @admin.display(description=_("recipient"))
    def whole_recipient(self, row: InboundMail) -> str:
        return row.recipient

    @admin.display(description=_("received"), ordering="pk")
    def received(self, row: InboundMail) -> str:
        return when(row.received_at)

    @admin.display(description=_("recipient"))
    def to(self, row: InboundMail) -> str:
        """Returns the recipient without the 32 characters of its token."""
        local, at, domain = row.recipient.partition("@")
        return f"{local[:8]}…{at}{domain}" if len(local) > 20 else row.recipient

    @admin.display(description=_("verdict"))
    def outcome(self, row: InboundMail) -> str:
        return named(row.verdict) if row.verdict else gettext("not opened yet")

    @admin.display(description=_("what it means"))
    def advice(self, row: InboundMail) -> str:
        return explained(row.verdict) or "-"

    @admin.display(description=_("match"))
    def of_match(self, row: InboundMail) -> str:
        return numbered(row.match_id)

    @admin.display(description=_("player"))
    def from_player(self, row: InboundMail) -> str:
        return link(row.player)

    @admin.display(description=_("match"))
    def about_match(self, row: InboundMail) -> str:
        return link(row.match)


class Answered(HasHappened):
    title = _("answered")
    parameter_name = "used_at"


class Held(admin.SimpleListFilter):
    """Filters letters of doubtful origin that no player has confirmed yet."""

    title = _("held")
    parameter_name = "held"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", gettext("Yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Confirmation]) -> QuerySet[Confirmation]:
        if self.value() != "1":
            return queryset
        asked: Any = queryset
        held: QuerySet[Confirmation] = asked.open(timezone.now()).filter(newest(Confirmation), doubted=True)
        return held


class Unclear(admin.SimpleListFilter):
    """Filters open questions that were answered twice, with neither YES nor NO."""

    title = _("answered unclearly")
    parameter_name = "unclear"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("1", gettext("Yes"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Confirmation]) -> QuerySet[Confirmation]:
        if self.value() != "1":
            return queryset
        asked: Any = queryset
        unclear: QuerySet[Confirmation] = asked.unclear(timezone.now()).filter(newest(Confirmation))
        return unclear


class ConfirmationAdmin(ReadOnlyAdmin):
    list_display = ("asked", "address", "asks", "answered")
    list_filter = (Held, Unclear, "asked_at", Answered)
    search_fields = ("address",)
    search_help_text = _("The full address")
    sortable_by = ("asked",)
    fields = ("asked_at", "address", "asks", "message", "of_letter", "about_match", "language", "used_at")

    def found(self, word: str) -> models.Q:
        return models.Q(address=word.strip().lower())

    @admin.display(description=_("asked"), ordering="pk")
    def asked(self, asked: Confirmation) -> str:
        return when(asked.asked_at)

    @admin.display(description=_("answered"))
    def answered(self, asked: Confirmation) -> str:
        return when(asked.used_at)

    @admin.display(description=_("commands"))
    def asks(self, asked: Confirmation) -> str:
        return " / ".join(asked.lines)

    @admin.display(description=_("letter"))
    def of_letter(self, asked: Confirmation) -> str:
        return link(InboundMail(pk=asked.letter_id), asked.letter_id)

    @admin.display(description=_("match"))
    def about_match(self, asked: Confirmation) -> str:
        return link(asked.match)


def _lines(key: str, fact: Any) -> str:
    if key == "silenced":
        fact = [CAPS[name].why for name in fact]
    return "\n".join(map(str, fact)) if isinstance(fact, list) else str(fact)


# Messages from people


class Done(HasHappened):
    title = _("answered")
    parameter_name = "done_at"


class PersonalMessageAdmin(ReadOnlyAdmin):
    list_display = ("number", "received", "writer", "subject", "done")
    list_display_links = ("number", "received", "subject")
    list_filter = (Done, "received_at")
    list_select_related = ("player",)
    search_fields = ("player", "address")
    search_help_text = _("Start of a name or address")
    fields = ("received_at", "written_by", "trust", "subject", "message", "done")
    unaudited = ("text",)

    def found(self, word: str) -> models.Q:
        return models.Q(player__in=players(word)) | models.Q(address__startswith=word.strip().lower())

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return super().get_queryset(request).select_related("player")

    def buttons(self, message: PersonalMessage) -> Sequence[AdminAction]:
        answer = AdminAction(
            verb="answer",
            label=_("Answer"),
            done=_("The letter has been sent."),
            press=partial(_answered, message),
            asks=AnswerForm,
            help_text=gettext("To %(name)s. Answers come back here.") % {"name": message.writer},
        )
        if message.done_at:
            return [answer]
        label, done = gettext_lazy("Needs no answer"), gettext_lazy("It no longer waits.")
        return [answer, AdminAction("done", label, done, partial(_done, message))]

    @admin.display(description=_("received"), ordering="pk")
    def received(self, message: PersonalMessage) -> str:
        return when(message.received_at)

    @admin.display(description=_("written by"))
    def writer(self, message: PersonalMessage) -> str:
        return message.writer

    @admin.display(description=_("written by"))
    def written_by(self, message: PersonalMessage) -> str:
        return link(message.player) if message.player else message.address

    @admin.display(description=_("sender"))
    def trust(self, message: PersonalMessage) -> str:
        if message.doubted:
            return gettext("Nothing proves who sent it: somebody else may have written in this name.")
        return gettext("The reply address or the mail provider proves who sent it.")

    @admin.display(description=_("message"))
    def message(self, message: PersonalMessage) -> str:
        return message.text

    @admin.display(description=_("answered"))
    def done(self, message: PersonalMessage) -> str:
        return when(message.done_at)


def _answered(message: PersonalMessage, pressed: ActionInput) -> None:
    text, now = pressed.answers["text"], pressed.now
    if message.player:
        announcements.write(message.player, text, now=now)
    else:
        language = language_of(f"{message.subject} {message.text}")
        announcements.write_to_stranger(message.address, text, language=language, now=now)
    _done(message, pressed)


def _done(message: PersonalMessage, pressed: ActionInput) -> None:
    message.done_at = pressed.now
    message.save(update_fields=["done_at"])

"""Personal messages at the desk: read and answered there; replies come back there."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django.contrib import admin
from django.db import models
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _

from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.lists import HasHappened, when
from pbem.admin.base.pages import ReadOnlyAdmin, link
from pbem.admin.base.search import players
from pbem.admin.people.print_actions import AnswerForm
from pbem.inbox.models import PersonalMessage
from pbem.intents import language_of
from pbem.outbox.notifications import announcements


class Done(HasHappened):
    title = _("answered")
    parameter_name = "done_at"


class PersonalMessageAdmin(ReadOnlyAdmin):
    list_display = ("number", "received", "writer", "subject", "done")
    list_display_links = ("number", "received", "subject")
    list_filter = (Done, "received_at")
    list_select_related = ("player",)
    search_fields = ("player", "address")
    search_help_text = _("The beginning of a name or of an address")
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
            help_text=gettext("To %(name)s. What is answered to it comes back here.")
            % {"name": message.writer},
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

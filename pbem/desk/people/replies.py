"""The organiser answers a letter that arrived: its author gets their words, and nothing else happens."""

from __future__ import annotations

from datetime import datetime

from django import forms
from django.conf import settings
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

from pbem.desk.base.verbs import Button
from pbem.inbox.models import InboundMail
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications import announcements


class AnswerForm(forms.Form):
    text = forms.CharField(
        label=_("Your own words"),
        max_length=10_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8}),
        help_text=_("They appear in the letter as you write them."),
    )


def button(letter: InboundMail) -> Button | None:
    """None where nobody can be answered: a bounce has no sender."""
    to = whom(letter)
    if not to:
        return None
    return Button(
        verb="answer",
        label=_("Answer it yourself"),
        done=_("The letter has been sent."),
        press=lambda pressed: answer(letter, pressed.answers["text"], now=pressed.now),
        asks=AnswerForm,
        tells=gettext("To %(name)s.") % {"name": to},
    )


def whom(letter: InboundMail) -> str:
    """A player by name, who gets it where their letters go; else the address that the letter says it comes from."""
    if letter.player is not None:
        return letter.player.name
    written_by = letter.reading.get("from") or [letter.sender]
    return str(written_by[0]) if letter.sender else ""


def answer(letter: InboundMail, text: str, *, now: datetime) -> OutboundMail | None:
    """About the match that it was about, if it was about one that its writer plays."""
    player, match = letter.player, letter.match
    if player is None:
        return announcements.write_to_stranger(whom(letter), text, language=settings.LANGUAGE_CODE, now=now)
    plays = match is not None and match.seats.filter(player=player).exists()
    return announcements.write(player, text, match=match if plays else None, now=now)

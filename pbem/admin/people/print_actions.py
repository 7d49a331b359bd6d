"""The organisers' notes on a player, the real name for print if the player allows it, and replies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.db import transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.lists import when
from pbem.inbox.models import InboundMail
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications import announcements
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.players import services
from pbem.players.models import OrganiserNote, Player, PrintName


class PrintNameForm(forms.Form):
    name = forms.CharField(label=_("Real name"), max_length=80, widget=UnfoldAdminTextInputWidget)

    def __init__(self, player: Player, sent: Any) -> None:
        super().__init__(sent)
        kept = PrintName.objects.filter(player=player).first()
        self.fields["name"].initial = kept.name if kept else ""


class NoteForm(forms.Form):
    text = forms.CharField(
        label=_("Notes"),
        required=False,
        max_length=10_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8}),
        help_text=_("For organisers. The player reads them if they ask for everything we keep about them."),
    )

    def __init__(self, player: Player, sent: Any) -> None:
        super().__init__(sent)
        kept = OrganiserNote.objects.filter(player=player).first()
        self.fields["text"].initial = kept.text if kept else ""


def buttons(player: Player) -> Iterator[AdminAction]:
    yield AdminAction(
        verb="print-name",
        label=_("Ask for the name in print"),
        done=_("The player was asked; the name is printed when they say yes."),
        press=lambda pressed: ask(player, pressed.answers["name"], pressed),
        asks=partial(PrintNameForm, player),
        help_text=_(
            "A letter asks whether bulletins may print this name. They can take it back at any time."
        ),
    )
    yield AdminAction(
        verb="note",
        label=_("Notes"),
        done=_("Noted."),
        press=lambda pressed: _note(player, pressed),
        asks=partial(NoteForm, player),
    )


def facts(player: Player) -> Mapping[str, Any]:
    """Returns the real name and the notes for the player's page."""
    name = PrintName.objects.filter(player=player).first()
    note = OrganiserNote.objects.filter(player=player).first()
    return {
        "print_name": name,
        "print_name_allowed": when(name.agreed_at) if name and name.agreed_at else "",
        "organiser_note": note.text if note else "",
    }


@transaction.atomic
def ask(player: Player, name: str, pressed: ActionInput) -> None:
    kept = services.ask(player, name, now=pressed.now)
    section: Section = {"kind": "print_asks", "name": kept.name}
    write_to_player(player, cause=f"print:{pressed.now.isoformat()}", section=section, now=pressed.now)


def _note(player: Player, pressed: ActionInput) -> None:
    if text := pressed.answers["text"].strip():
        OrganiserNote.objects.update_or_create(player=player, defaults={"text": text})
    else:
        OrganiserNote.objects.filter(player=player).delete()


# The organiser's reply to a received letter


class AnswerForm(forms.Form):
    text = forms.CharField(
        label=_("Your own words"),
        max_length=10_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8}),
        help_text=_("They appear in the letter as you write them."),
    )


def button(letter: InboundMail) -> AdminAction | None:
    """Returns the button to reply. None without a sender, such as for a bounce."""
    to = whom(letter)
    if not to:
        return None
    return AdminAction(
        verb="answer",
        label=_("Answer it yourself"),
        done=_("The letter has been sent."),
        press=lambda pressed: answer(letter, pressed.answers["text"], now=pressed.now),
        asks=AnswerForm,
        help_text=gettext("To %(name)s.") % {"name": to},
    )


def whom(letter: InboundMail) -> str:
    """Returns the name of the player, or else the address in From."""
    if letter.player is not None:
        return letter.player.name
    written_by = letter.reading.get("from") or [letter.sender]
    return str(written_by[0]) if letter.sender else ""


def answer(letter: InboundMail, text: str, *, now: datetime) -> OutboundMail | None:
    """Sends a reply, about the match of the letter when its sender plays in it."""
    player, match = letter.player, letter.match
    if player is None:
        return announcements.write_to_stranger(whom(letter), text, language=settings.LANGUAGE_CODE, now=now)
    plays = match is not None and match.seats.filter(player=player).exists()
    return announcements.write(player, text, match=match if plays else None, now=now)

"""The organiser's actions on a player: the buttons of the page, and the archive of all data."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from functools import partial
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.db import transaction
from django.http import FileResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminEmailInputWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.lists import when
from pbem.admin.people import services
from pbem.admin.people.erasure import erase
from pbem.admin.people.services import merge
from pbem.inbox.models import InboundMail
from pbem.matches.models import Seat
from pbem.outbox.data_export import write
from pbem.outbox.delivery.bounces import bring_back, probe
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications import announcements
from pbem.outbox.notifications.notify import Section, write_to_player
from pbem.players import services as of_players
from pbem.players.models import Address, AddressChange, OrganiserNote, Player, PrintName

# A real name in print: asked for, and answered


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


def print_buttons(player: Player) -> Iterator[AdminAction]:
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
    kept = of_players.ask(player, name, now=pressed.now)
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


# The archive of all data of a player

IN_MEMORY = 4 * 1024 * 1024  # bytes; larger archives become a file


def archive(player: Player) -> FileResponse:
    file: IO[bytes] = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 - closed when it is sent
    write(player, file)
    file.seek(0)
    return FileResponse(file, as_attachment=True, filename=f"{player.folded}.zip")


OF_LETTERS = "outbox.change_outboundmail"  # sending again includes probing an address


class WriteForm(forms.Form):
    text = forms.CharField(
        label=_("Letter"),
        max_length=10_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 10}),
        help_text=_("It appears in the letter as you write it."),
    )


class NewAddressForm(forms.Form):
    email = forms.EmailField(label=_("New address"), widget=UnfoldAdminEmailInputWidget)


class MergeForm(forms.Form):
    other = forms.ModelChoiceField(
        Player.objects.people(),
        label=_("The other player"),
        widget=AutocompleteSelect(Seat._meta.get_field("player"), admin.site, attrs={"style": "width: 100%"}),
    )


def buttons(player: Player) -> Iterator[AdminAction]:
    if not player.robot:
        yield _write(player)
    if player.suspended_at:
        done = _("Readmitted.")
        yield AdminAction(
            "readmit", _("Readmit"), done, lambda _pressed: services.readmit(player), reason=True
        )
    else:
        yield _suspend(player)
    if player.robot:
        return
    yield from print_buttons(player)
    if not player.suspended_at:
        yield _change_address(player)
    for change in player.address_changes.open():
        yield _stop_change(change)
    for address in player.addresses.all():
        yield from _of_address(address)
    yield AdminAction(
        verb="export",
        label=_("Export everything kept about them"),
        done="",
        press=lambda _pressed: archive(player),
        permission="inbox.read_inboundmail",
    )
    yield _merge(player)
    yield _erase(player)


def _write(player: Player) -> AdminAction:

    def write(pressed: ActionInput) -> Any:
        return announcements.write(player, pressed.answers["text"], now=pressed.now)

    label, done = _("Write to them"), _("The letter has been sent.")
    return AdminAction("write", label, done, write, asks=WriteForm)


def _suspend(player: Player) -> AdminAction:
    return AdminAction(
        verb="suspend",
        label=_("Suspend"),
        done=_("Suspended."),
        press=lambda pressed: services.suspend(player, now=pressed.now),
        reason=True,
        help_text=_(
            "They begin no match and write to nobody until they are readmitted. Their matches go on."
        ),
    )


def _change_address(player: Player) -> AdminAction:
    return AdminAction(
        verb="change-address",
        label=_("Change their address"),
        done=_("The old and the new address get a letter; in three days it is done."),
        press=lambda pressed: services.change_address(player, pressed.answers["email"], now=pressed.now),
        reason=True,
        asks=NewAddressForm,
        help_text=_(
            "For somebody who cannot read the old mailbox. The new address must answer YES, and three days "
            "from now it becomes theirs, and the first. All their present addresses are told at once, and a "
            "NO from any of them stops it. Their clocks are stopped meanwhile."
        ),
    )


def _stop_change(change: AddressChange) -> AdminAction:
    at, email = when(change.due_at), change.email
    label = gettext("Stop the change to %(email)s (due %(at)s)") % {"email": email, "at": at}
    done = _("Nothing changes; both addresses get a letter.")
    return AdminAction(
        verb=f"stop-change-{change.pk}",
        label=label,
        done=done,
        press=lambda pressed: services.stop_change(change, now=pressed.now),
        reason=True,
    )


def _merge(player: Player) -> AdminAction:
    return AdminAction(
        verb="merge",
        label=_("Merge"),
        done=_("The players are merged."),
        press=lambda pressed: merge(player, pressed.answers["other"], now=pressed.now),
        reason=True,
        asks=MergeForm,
        help_text=_(
            "The matches, letters, addresses and absences of the other player become those of this one; the "
            "other name is free again. This cannot be undone."
        ),
        destructive=True,
    )


def _erase(player: Player) -> AdminAction:
    return AdminAction(
        verb="erase",
        label=_("Erase"),
        done=_("The player is erased."),
        press=lambda pressed: erase(player, now=pressed.now),
        reason=True,
        help_text=_(
            "The name, the addresses, the emails and all words of this player are deleted, even from copies "
            "of letters that others got or answered; what others wrote about them stays without the name, "
            "and emails that name or quote them are not kept as they came. The games stay, for they are the "
            "opponents' too: moves and results, under “erased-” and a number. So do the note that something "
            "was done in the admin, without what was said, and a wish to get no letters. Earlier backups "
            "hold everything. This cannot be undone."
        ),
        permission="players.erase_player",
        destructive=True,
        redact_audit=True,
    )


def _of_address(address: Address) -> Iterator[AdminAction]:
    """Yields the buttons of an address with bounces."""
    email = {"email": address.email}
    if address.paused_at:
        done = gettext("A short letter goes to %(email)s.") % email
        label = gettext("Probe %(email)s now") % email
        yield AdminAction(
            f"probe-{address.pk}",
            label,
            done,
            lambda pressed: probe(address, now=pressed.now),
            permission=OF_LETTERS,
        )
    if address.paused_at or address.bounce_score:
        label = (
            gettext("Resume %(email)s") if address.paused_at else gettext("Reset the bounces of %(email)s")
        )
        done = gettext("Letters go to %(email)s again.") % email
        yield AdminAction(
            f"resume-{address.pk}",
            label % email,
            done,
            lambda pressed: bring_back(address, now=pressed.now),
            permission=OF_LETTERS,
        )

"""Forms of the desk: a player, an address, invitations, a game."""

from __future__ import annotations

import re
from collections.abc import Callable
from email.utils import parseaddr
from typing import TYPE_CHECKING, Any
from zoneinfo import available_timezones

from django import forms
from django.conf import settings
from django.contrib import admin
from django.contrib.admin.widgets import AutocompleteSelect
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.utils import timezone
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from games.protocol import UnknownName
from games.registry import canonical, find, games, names
from pbem.matches.models import Seat
from pbem.matches.offers import Mistake, Mistaken
from pbem.players.models import Address, Player
from pbem.players.services import check_name
from pbem.players.subscriptions import Subscription
from pbem.refusals import Refused, told

MOST_INVITED = 200  # at a time
MISTAKES = 30  # shown at once

if TYPE_CHECKING:
    PlayerModelForm = forms.ModelForm[Player]
    AddressModelForm = forms.ModelForm[Address]
else:
    PlayerModelForm = AddressModelForm = forms.ModelForm


class PlayerForm(PlayerModelForm):
    class Meta:
        model = Player
        fields = ("name", "language", "zone", "coordinates", "strict", "program", *Subscription)
        widgets = {
            "zone": UnfoldAdminSelectWidget(choices=[(zone, zone) for zone in sorted(available_timezones())])
        }

    def clean_name(self) -> str:
        """Checks the name by the rules of REGISTER: one word, not taken."""
        name: str = self.cleaned_data["name"]
        if name == self.instance.name:
            return name  # names that are older than the rules stay
        try:
            check_name(name, bearer=self.instance if self.instance.pk else None)
        except Refused as refused:
            raise forms.ValidationError(told(refused)) from None
        return name


class AddressForm(AddressModelForm):
    """An address; `verified`: the organiser vouches for it, `first`: letters go there."""

    verified = forms.BooleanField(
        label=_("verified"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_("Letters go to it, and email from it is accepted as the player's."),
    )
    first = forms.BooleanField(
        label=_("first"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_("Letters go to this one first, while it works."),
    )

    class Meta:
        model = Address
        fields = ("email",)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["verified"].initial = self.instance.verified_at is not None
        self.fields["first"].initial = self._is_first = self._stands_first()

    def clean(self) -> dict[str, Any]:
        """Refuses a second verified address: a change takes three days and warns the old address."""
        filled = super().clean() or self.cleaned_data
        player = self.instance.player_id
        known = Address.objects.verified().filter(player=player) if player else Address.objects.none()
        own = known.filter(email=str(filled.get("email", "")).lower()).exists()
        if filled.get("verified") and known.exists() and not own:
            raise forms.ValidationError(
                _(
                    "The player has an address: for another one press “Change their address”, or let them write "
                    "ADD ADDRESS."
                )
            )
        return filled

    def save(self, commit: bool = True) -> Address:
        if not self.cleaned_data["verified"]:
            self.instance.verified_at = None
        elif self.instance.verified_at is None:
            self.instance.verified_at = timezone.now()
        if self.cleaned_data["first"] and not self._is_first:
            self.instance.put_first_at = timezone.now()
        return super().save(commit)

    def _stands_first(self) -> bool:
        if self.instance.pk is None:
            return False
        return self.instance.player.addresses.verified().first() == self.instance


class InvitationForm(forms.Form):
    """`email` becomes a list of distinct addresses."""

    email = forms.CharField(
        label=_("Emails"),
        max_length=20_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 6}),
        help_text=_("One address, or a list: one per line, or separated by commas; names may be added."),
    )
    language = forms.ChoiceField(
        label=_("Language"),
        choices=settings.LANGUAGES,
        initial=settings.LANGUAGE_CODE,
        widget=UnfoldAdminSelectWidget,
    )
    note = forms.CharField(
        label=_("Your own words"),
        required=False,
        max_length=2000,
        widget=UnfoldAdminTextareaWidget,
        help_text=_("They appear in the letter as you write them."),
    )

    def clean_email(self) -> list[str]:
        """Raises ValidationError that names the pieces that are no addresses."""
        pieces = re.split(r"[\n,;]", self.cleaned_data["email"])
        found = [parseaddr(piece)[1] or piece for piece in map(str.strip, pieces) if piece]
        wrong = [address for address in found if not _is_address(address)]
        if wrong:
            raise forms.ValidationError(gettext("No addresses: %(wrong)s") % {"wrong": ", ".join(wrong[:5])})
        addresses = list(dict.fromkeys(address.lower() for address in found))
        if len(addresses) > MOST_INVITED:
            raise forms.ValidationError(gettext("At most %(most)s at a time.") % {"most": MOST_INVITED})
        return addresses


def _is_address(text: str) -> bool:
    try:
        validate_email(text)
    except forms.ValidationError:
        return False
    return True


def human_names() -> list[tuple[str, list[tuple[str, str]]]]:
    """Returns every game with its variants, in the language of the desk."""
    language = get_language() or settings.LANGUAGE_CODE
    groups: dict[str, list[tuple[str, str]]] = {}
    for name in names():
        phrases = find(name)[0].phrases(language)
        variant = phrases["variants"].get(name.partition(":")[2], name)
        groups.setdefault(phrases["name"], []).append((name, f"{phrases['name']}: {variant}"))
    return list(groups.items())


def player_field(label: Any) -> forms.ModelChoiceField[Player]:
    return forms.ModelChoiceField(
        Player.objects.filter(suspended_at__isnull=True, addresses__verified_at__isnull=False).distinct(),
        label=label,
        widget=AutocompleteSelect(Seat._meta.get_field("player"), admin.site, attrs={"style": "width: 100%"}),
        error_messages={"invalid_choice": _("This player is suspended or has no verified address.")},
    )


class GameForm(forms.Form):
    """A game and its variant, chosen in words."""

    game = forms.ChoiceField(label=_("Game"), choices=human_names, widget=UnfoldAdminSelectWidget)
    switches = forms.CharField(label=_("Rule switches"), required=False, widget=UnfoldAdminTextInputWidget)

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        known = (
            f"{game.phrases('en')['name']}: {_switches(game)}" for game in games().values() if game.switches
        )
        self.fields["switches"].help_text = gettext("Separated by commas. %(known)s.") % {
            "known": "; ".join(known)
        }

    def game_name(self) -> str:
        """Returns the full name, such as `loa:scrambled,stuck=loss`."""
        game, _colon, preset = self.cleaned_data["game"].partition(":")
        parts = [preset, *(part.strip() for part in self.cleaned_data["switches"].split(","))]
        return f"{game}:{','.join(filter(None, parts))}"

    def canonical_name(self) -> str:
        """Returns the shortest name. Raises ValidationError at the field of the switches."""
        try:
            return canonical(*find(self.game_name()))
        except UnknownName as unknown:
            raise ValidationError({"switches": str(unknown)}) from None


# Lists that are pasted or come in a file


def large_field(label: Any, help_text: Any, *, required: bool = True) -> forms.CharField:
    widget = UnfoldAdminTextareaWidget(attrs={"rows": 10, "spellcheck": "false"})
    return forms.CharField(
        label=label, help_text=help_text, widget=widget, max_length=2_000_000, required=required
    )


def pasted(form: forms.Form, pasted: str, sent: str) -> str:
    """Returns the pasted text and the file; adds an error to the form when both are empty."""
    text = str(form.cleaned_data.get(pasted) or "")
    if file := form.cleaned_data.get(sent):
        text = f"{text}\n{file.read().decode('utf-8-sig', 'replace')}".lstrip("\n")
    text = text.replace("\0", "\ufffd")  # databases refuse NUL, and a file may hold anything
    if not text.strip():
        form.add_error(pasted, gettext("Paste something, or choose a file."))
    return text


def check_lines(form: forms.Form, field: str, read: Callable[[], Any]) -> Any:
    """Returns what `read` returns. None when lines are wrong: they become numbered errors of the field."""
    try:
        return read()
    except Mistaken as mistaken:
        show_mistakes(form, field, mistaken)
        return None


def show_mistakes(form: forms.Form, field: str, mistaken: Mistaken) -> None:
    for mistake in mistaken.mistakes[:MISTAKES]:
        form.add_error(field, _wrong_line(mistake))
    more = len(mistaken.mistakes) - MISTAKES
    if more > 0:
        form.add_error(field, gettext("And %(number)s more.") % {"number": more})


def _wrong_line(mistake: Mistake) -> str:
    facts = {"line": mistake.line, "text": mistake.text, "why": told(mistake.refused)}
    return gettext("%(line)s: %(text)s – %(why)s") % facts


def _switches(game: Any) -> str:
    return ", ".join(f"{name}={'|'.join(switch.values)}" for name, switch in game.switches.items())

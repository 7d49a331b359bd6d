"""What the organiser says to start one match: two players, a game, and what is agreed on."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextInputWidget

from pbem.desk.base.forms import GameForm, player_field
from pbem.desk.matches.terms import TermsForm


class StartForm(GameForm, TermsForm):
    field_order = ("first", "second", "game", "switches", "setup", "clock", "policy")

    first = player_field(_("First player"))
    second = player_field(_("Second player"))
    setup = forms.CharField(
        label=_("Set-up"),
        required=False,
        widget=UnfoldAdminTextInputWidget,
        help_text=_("For games that begin from a drawn set-up; leave it empty to have one drawn."),
    )

"""When a tournament begins: a look at what its beginning brings, and a date by which it begins by itself."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime, time
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminSingleDateWidget

from pbem.desk.base.lists import when
from pbem.desk.base.verbs import Button, Pressed
from pbem.desk.matches.pairing_previews import against_a_wish, of_rounds
from pbem.desk.matches.tournament_forms import AT_ONCE
from pbem.matches.models import Tournament
from pbem.matches.tournaments.entries import begin_later, rounds_drawn

HOUR = 9  # of the service's own zone, when a tournament begins


class StartDateForm(forms.Form):
    day = forms.DateField(label=_("First day"), widget=UnfoldAdminSingleDateWidget)
    begin = forms.ChoiceField(
        label=_("Begin"),
        choices=[(AT_ONCE, _("all matches at once")), ("first", _("round by round"))],
        widget=UnfoldAdminSelectWidget,
    )

    def clean(self) -> dict[str, Any]:
        """With the moment as `begins_at`."""
        answers = super().clean() or {}
        if day := answers.get("day"):
            answers["begins_at"] = timezone.make_aware(datetime.combine(day, time(HOUR)))
            if answers["begins_at"] <= timezone.now():
                self.add_error("day", ValidationError(gettext("This moment has passed.")))
        return answers


def buttons(tournament: Tournament) -> Iterator[Button]:
    yield Button(
        verb="start-date",
        label=_("Change the first day") if tournament.begins_at else _("Set the first day"),
        done=_("It begins by itself on that day."),
        press=partial(_set, tournament),
        asks=StartDateForm,
        tells=_("It begins then with those who have entered, if there are two of them."),
        shows=partial(_shown, tournament),
    )
    if tournament.begins_at:
        yield Button(
            verb="call-off",
            label=_("Call the first day off"),
            done=_("It does not begin by itself any more."),
            press=lambda pressed: begin_later(tournament, None),
            asks=forms.Form,
            tells=gettext("It would begin on %(when)s.") % {"when": when(tournament.begins_at)},
        )


def _set(tournament: Tournament, pressed: Pressed) -> None:
    begin_later(tournament, pressed.answers["begins_at"], at_once=pressed.answers["begin"] == AT_ONCE)


def _shown(tournament: Tournament, answers: Mapping[str, Any]) -> list[str]:
    """The pairings as they would be now; they change when somebody enters."""
    said = [gettext("It begins on %(when)s.") % {"when": when(answers["begins_at"])}]
    if rounds := rounds_drawn(tournament):
        said.append(gettext("If nobody else enters:"))
        said.append(of_rounds(rounds))
        said += against_a_wish((pair for pairs in rounds for pair in pairs), tournament.game_name)
    return said

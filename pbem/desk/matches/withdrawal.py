"""A player leaves a tournament: one form for all of their matches, one reason, one letter to each whom it concerns."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget

from pbem.contests.tournaments import Leaving, leaving, withdraw
from pbem.desk.base.verbs import Button, Pressed
from pbem.matches.models import Tournament
from pbem.matches.tournaments.sheet import Sheet, sheet_of
from pbem.players.models import Player


class LeaveForm(forms.Form):
    player = forms.TypedChoiceField(label=_("Player"), widget=UnfoldAdminSelectWidget)

    def __init__(self, players: Sequence[Player], sent: Any) -> None:
        super().__init__(sent)
        field = self.fields["player"]
        assert isinstance(field, forms.TypedChoiceField)
        named = {str(player.pk): player for player in players}
        field.coerce = named.__getitem__
        field.choices = [("", "---------"), *((pk, player.name) for pk, player in named.items())]


def button(tournament: Tournament, sheet: Sheet) -> Button | None:
    """None where nobody is left in it."""
    players = [entry.player for entry in sheet.entries if entry.withdrawn_at is None]
    if not players:
        return None
    return Button(
        verb="withdraw",
        label=_("Withdraw a player"),
        done=_("The player has withdrawn; they and their opponents get a letter each."),
        press=lambda pressed: _left(tournament, pressed),
        asks=partial(LeaveForm, sorted(players, key=lambda player: player.name.casefold())),
        tells=_(
            "From all of their matches here. The letters give your reason. To have somebody else play on, replace the "
            "player in their matches."
        ),
        shows=partial(_shown, tournament),
        reason=True,
        grave=True,
    )


def _left(tournament: Tournament, pressed: Pressed) -> None:
    withdraw(tournament, pressed.answers["player"], reason=pressed.reason, now=pressed.now)


def _shown(tournament: Tournament, answers: Mapping[str, Any]) -> list[str]:
    what = leaving(tournament, answers["player"])
    return [*_results(tournament, what), _letters(what)]


def _results(tournament: Tournament, what: Leaving) -> list[str]:
    if tournament.takes_entries:
        return [gettext("The tournament has not begun: they are taken off the list.")]
    numbers = {"list": ", ".join(map(str, what.open))}
    said = []
    if what.erased:
        said.append(
            gettext(
                "Fewer than half of their matches are over: all their results leave the table. What was rated stays so."
            )
        )
    elif what.over:
        said.append(gettext("Their results stay in the table."))
        if not what.erased and len(sheet_of(tournament).rounds()) > tournament.begun:
            said.append(gettext("In the rounds to come, the player who would have met them has the point."))
    if what.open and what.erased:
        said.append(
            ngettext(
                "Match %(list)s ends without a result.",
                "Matches %(list)s end without a result.",
                len(what.open),
            )
            % numbers
        )
    elif what.open:
        said.append(
            ngettext(
                "They lose match %(list)s; it is not rated.",
                "They lose matches %(list)s; these are not rated.",
                len(what.open),
            )
            % numbers
        )
    return said


def _letters(what: Leaving) -> str:
    letters = what.opponents + 1
    return ngettext("%(n)s letter is sent.", "%(n)s letters are sent.", letters) % {"n": letters}

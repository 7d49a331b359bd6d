"""Forms of contests: how one is played, with a forecast, who enters, who withdraws."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from math import ceil
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminSingleDateWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from pbem.admin.base.forms import GameForm, refusal
from pbem.admin.matches.terms import TermsForm
from pbem.competitions.models import Contest, Entrant
from pbem.competitions.pairings import players_listed
from pbem.competitions.systems.round_robin import LEAST, proposed, sizes
from pbem.competitions.systems.settings import NotWithin, Settings, Unfinished
from pbem.competitions.systems.swiss import Swiss
from pbem.competitions.systems.table import SYSTEMS
from pbem.competitions.systems.values import Entrant as Participant
from pbem.competitions.systems.values import StandingsInput
from pbem.matches.offers import Mistaken

# Forecast: rounds, matches and months of a contest that is not created yet

USUAL_ROUND = 90  # days, when the contest sets none; matches by email last so long
MONTH = 30.4  # days


@dataclass(frozen=True)
class Forecast:
    """A forecast: at least `rounds`, 0 when there are none; `at_once` is a player's number of matches in the
    first; `groups` are sizes of quicker groups, if any; `groups_months` is how long those and a final take.
    """

    rounds: int
    days: int
    matches: int
    at_once: int
    groups: tuple[int, ...] = ()

    @property
    def months(self) -> int:
        return ceil(self.rounds * self.days / MONTH)

    @property
    def groups_months(self) -> int:
        return ceil(2 * self.days / MONTH)


def forecast(chosen: Settings, players: int) -> Forecast:
    """Raises ValueError for a number of players that cannot play it."""
    rounds = chosen.rounds(players)
    days = chosen.days or USUAL_ROUND
    draw = chosen.draw(StandingsInput(tuple(Participant(number) for number in range(1, players + 1))))
    pairs = draw.pairs if draw else ()
    each = [sum(number in (p.first, p.second) for p in pairs) for number in range(1, players + 1)]
    slow = isinstance(chosen, Swiss) and rounds > 2 and players >= 2 * LEAST
    groups = sizes(players, proposed(players)) if slow else ()
    return Forecast(rounds, days, len(pairs), max(each), groups)


UNFINISHED = (
    (Unfinished.CLOCK, _("They go on under their clocks, and the next round waits")),
    (Unfinished.ORGANISER, _("The organiser decides, and the next round waits")),
    (Unfinished.HALF, _("Half a point each")),
    (Unfinished.TIME, _("Who has used less time wins")),
)
TIES = (
    ("", _("as is usual")),
    ("direct", _("direct encounter")),
    ("sonneborn_berger", "Sonneborn-Berger"),
    ("wins", _("most wins")),
    ("koya", "Koya"),
    ("buchholz_cut", _("Buchholz without the lowest")),
    ("buchholz", "Buchholz"),
)
TIED = ("tie_1", "tie_2", "tie_3", "tie_4")
UNTIED = (Contest.System.KNOCKOUT, Contest.System.LADDER, Contest.System.HILL)  # without a table by points
_CHOSEN = ("days", "unfinished", "size", "advance", "moving", "length", "double", "at_once")


def number(label: Any, help_text: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, help_text=help_text, required=False, min_value=0, widget=UnfoldAdminIntegerFieldWidget
    )


def _tie(label: Any, help_text: Any = "") -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, help_text=help_text, choices=TIES, required=False, widget=UnfoldAdminSelectWidget
    )


class ContestForm(GameForm, TermsForm):
    """A new contest. It is sent twice: the second time `seen` says that the forecast was shown."""

    field_order: Sequence[str] = (
        *("name", "system", "players", "begins", "days", "unfinished", "size", "advance", "moving", "length"),
        *TIED,
        *("double", "by_rounds", "game", "switches"),
    )

    name = forms.CharField(label=_("Name"), max_length=60, widget=UnfoldAdminTextInputWidget)
    system = forms.ChoiceField(
        label=_("Kind of contest"), choices=Contest.System.choices, widget=UnfoldAdminSelectWidget
    )
    players = number(_("Players expected"), _("To say what will happen. It limits nobody."))
    begins = forms.DateField(
        label=_("First day"),
        required=False,
        widget=UnfoldAdminSingleDateWidget,
        help_text=_("Empty: you begin it yourself. A series begins when enough are in."),
    )
    days = number(_("Days of a round"), _("Or of a season. Empty or 0: until the last match is over."))
    unfinished = forms.ChoiceField(
        label=_("Matches that go on then"), choices=UNFINISHED, required=False, widget=UnfoldAdminSelectWidget
    )
    size = number(
        _("Size"), _("Of groups (4 to 8), of divisions (9 to 11), or how many begin a series (3 to 11).")
    )
    advance = number(_("Advance"), _("How many of each group play the final."))
    moving = number(_("Up and down"), _("How many of each division of a league, from 1 to 3."))
    length = number(_("Rounds"), _("Of a Swiss tournament, up to 9."))
    tie_1 = _tie(
        _("First tie-break"), _("Of those who have equal points. All empty: as is usual for the kind.")
    )
    tie_2 = _tie(_("Second tie-break"))
    tie_3 = _tie(_("Third tie-break"))
    tie_4 = _tie(_("Fourth tie-break"))
    double = forms.BooleanField(
        label=_("Twice, with the sides changed"), required=False, widget=UnfoldBooleanWidget
    )
    by_rounds = forms.BooleanField(
        label=_("Round by round"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_("A round robin; else all matches begin at once."),
    )
    seen = forms.CharField(required=False, widget=forms.HiddenInput)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if Contest.objects.filter(name=name).exists():
            raise ValidationError(gettext("There is a contest of this name. Choose another name."))
        return name

    def clean(self) -> dict[str, Any]:
        answers = super().clean()
        if "game" in answers:
            answers["game_name"] = self.canonical_name()
        ties = [answers[name] for name in TIED if answers.get(name)]
        if len(ties) > len(set(ties)):
            raise ValidationError(gettext("Choose each tie-break once."))
        if ties and answers.get("system") in UNTIED:
            raise ValidationError(gettext("This kind of contest has no tie-breaks."))
        if "system" in answers:
            try:
                answers["chosen"] = self._chosen(answers)
                if answers.get("players"):
                    answers["forecast"] = forecast(answers["chosen"], answers["players"])
            except NotWithin as wrong:
                facts = {"number": wrong.number, "least": wrong.least, "most": wrong.most}
                raise ValidationError(
                    gettext("This cannot be played: %(number)s is not from %(least)s to %(most)s.") % facts
                ) from None
        return answers

    def _chosen(self, answers: dict[str, Any]) -> Settings:
        """Returns the settings of the chosen system; empty fields keep its defaults."""
        system = SYSTEMS[answers["system"]]
        known = {field.name for field in fields(system)}
        said = answers | {"at_once": False if answers.get("by_rounds") else None}
        given = {name: said[name] for name in _CHOSEN if name in known and said.get(name) not in (None, "")}
        if ties := tuple(answers[name] for name in TIED if answers.get(name)):
            given["ties"] = ties
        if not answers.get("double"):
            given.pop("double", None)
        return system(**given)

    def what_was_answered(self) -> str:
        """Returns the answers in a form to compare with those of the preview."""
        left_out = {"seen", "csrfmiddlewaretoken"}
        return repr(sorted((name, str(value)) for name, value in self.data.items() if name not in left_out))


def in_words(told: Forecast | None, *, begins: bool) -> str:
    """Returns a forecast as sentences."""
    said = []
    if told is None:
        said.append(gettext("Say how many players you expect, to read how long it takes."))
    elif told.rounds:
        said.append(
            ngettext(
                "Rounds: %(rounds)s, of %(days)s days each; together about %(months)s month.",
                "Rounds: %(rounds)s, of %(days)s days each; together about %(months)s months.",
                told.months,
            )
            % {"rounds": told.rounds, "days": told.days, "months": told.months}
        )
        said.append(
            gettext(
                "In the first %(matches)s matches begin, up to %(each)s of a player, and each player gets one letter."
            )
            % {"matches": told.matches, "each": told.at_once}
        )
    else:
        said.append(gettext("It has no rounds, and goes on until you close it."))
    if told and told.groups:
        said.append(
            gettext("Quicker: groups of %(sizes)s and a final take about %(months)s months.")
            % {"sizes": ", ".join(map(str, sorted(set(told.groups)))), "months": told.groups_months}
        )
    if not begins:
        said.append(gettext("It begins when you press the button for it, or when enough are in."))
    return " ".join(said)


class PlayersForm(forms.Form):
    """Asks for players by name or address, which `clean` looks up as `listed`."""

    players = forms.CharField(
        label=_("Players"),
        max_length=20_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=_("Names or addresses, one on each line or separated by commas."),
    )

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        try:
            answers["listed"] = players_listed(answers.get("players", ""))
        except Mistaken as mistaken:
            for mistake in mistaken.mistakes:
                self.add_error("players", f"{mistake.text} – {refusal(mistake.refused)}")
        return answers


class WithdrawForm(forms.Form):
    entrant = forms.ModelChoiceField(
        Entrant.objects.none(), label=_("Player"), widget=UnfoldAdminSelectWidget
    )

    def __init__(self, playing: QuerySet[Entrant], sent: Any) -> None:
        super().__init__(sent)
        field: Any = self.fields["entrant"]
        field.queryset = playing
        field.label_from_instance = lambda entrant: entrant.player.name


class FirstDayForm(forms.Form):
    begins = forms.DateField(
        label=_("First day"), required=False, widget=UnfoldAdminSingleDateWidget, help_text=_("Empty: none.")
    )

"""The forms of new competitions: of each kind what it needs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from math import ceil
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from games.protocol import UnknownName
from games.registry import canonical, find
from pbem.admin.base.forms import check_lines, pasted
from pbem.admin.competitions.forms import (
    AT_ONCE,
    day_field,
    number_field,
    pairings_field,
    players_field,
)
from pbem.admin.matches.terms import TermsForm
from pbem.competitions.models import Competition
from pbem.competitions.pairings import pairings, players_listed
from pbem.competitions.systems.round_robin import LEAST, proposed, sizes
from pbem.competitions.systems.settings import NotWithin, Settings, Unfinished
from pbem.competitions.systems.swiss import Swiss
from pbem.competitions.systems.table import SYSTEMS
from pbem.competitions.systems.values import Entrant, StandingsInput
from pbem.competitions.tournaments import is_taken
from pbem.refusals import Code, sentence

System = Competition.System
Answers = Mapping[str, Any]


class NewForm(TermsForm):
    """The second step: what all kinds ask for, with a box for each switch of the rules of the game."""

    name = forms.CharField(label=_("Name"), max_length=60, widget=UnfoldAdminTextInputWidget)
    game = forms.CharField(widget=forms.HiddenInput)

    asks: Sequence[str] = ()  # the fields of the kind, in order

    def __init__(self, kind: str, game: str, *sent: Any) -> None:
        super().__init__(*sent)
        self.kind = kind
        self.fields["game"].initial = game
        self.switches = dict(self._switches(game))
        for part, said in self.switches.items():
            self.fields[part] = forms.BooleanField(
                label=said[:1].upper() + said[1:], required=False, widget=UnfoldBooleanWidget
            )
        self.order_fields(["name", *self.asks, *self.switches])

    @staticmethod
    def _switches(game: str) -> list[tuple[str, str]]:
        """Returns the values that are not the default, `stuck=loss`, in words."""
        found, _rules = find(game)
        said = found.phrases(get_language() or "en").get("switches", {})
        return [
            (f"{name}={value}", said.get(name, {}).get(value, f"{name}: {value}"))
            for name, switch in found.switches.items()
            for value in switch.values[1:]
        ]

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if is_taken(name):
            raise ValidationError(sentence(Code.TOURNAMENT_EXISTS))
        return name

    def clean(self) -> dict[str, Any]:
        answers = super().clean()
        chosen = [part for part in self.switches if answers.get(part)]
        game, _colon, preset = str(answers.get("game", "")).partition(":")
        try:
            answers["game_name"] = canonical(*find(f"{game}:{','.join(filter(None, [preset, *chosen]))}"))
        except UnknownName as unknown:
            raise ValidationError(str(unknown)) from None
        return answers

    def as_read(self) -> Mapping[str, Any]:
        """Returns what was sent, to send the form again."""
        return self.data


# Kinds in which an organiser begins each round


class ListForm(NewForm):
    """A list of pairings, pasted or in a file."""

    asks = ("pairings", "sheet")

    pairings = pairings_field(required=False)
    sheet = forms.FileField(
        label=_("Or a file"),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,text/*"}),
        help_text=_("CSV or text, with the same lines."),
    )

    def clean(self) -> dict[str, Any]:
        answers = super().clean()
        answers["text"] = pasted(self, "pairings", "sheet")
        check_lines(self, "pairings", lambda: pairings(answers["text"], game=answers["game_name"]))
        return answers

    def as_read(self) -> Mapping[str, Any]:
        """Adds the lines of the file, which the browser does not send again."""
        return {**dict(self.data.items()), "pairings": self.cleaned_data["text"]}


def _meetings(*more: tuple[str, Any]) -> forms.ChoiceField:
    once = (System.SINGLE, _("everybody meets everybody once"))
    twice = (System.DOUBLE, _("twice, with sides swapped"))
    return forms.ChoiceField(
        label=_("Meetings"), choices=[once, twice, *more], widget=UnfoldAdminSelectWidget
    )


class RoundRobinForm(NewForm):
    asks = ("players", "system", "begin")

    players = players_field()
    system = _meetings()
    begin = forms.ChoiceField(
        label=_("Begin"),
        choices=[(AT_ONCE, _("all matches at once")), ("first", _("round by round"))],
        widget=UnfoldAdminSelectWidget,
    )

    def clean(self) -> dict[str, Any]:
        answers = super().clean()
        listed = check_lines(self, "players", lambda: players_listed(answers.get("players", "")))
        if listed is not None and len(listed) < 2:
            self.add_error("players", sentence(Code.TOO_FEW_PLAYERS))
        return answers | {"listed": listed}


class OpenForm(NewForm):
    asks = ("system",)

    system = _meetings((System.PAIRINGS, _("list of pairings")))


# Forecast: rounds, matches and months of a competition that is not created yet

USUAL_ROUND = 90  # days, when the competition sets none; matches by email last so long
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
    draw = chosen.draw(StandingsInput(tuple(Entrant(number) for number in range(1, players + 1))))
    pairs = draw.pairs if draw else ()
    each = [sum(number in (p.first, p.second) for p in pairs) for number in range(1, players + 1)]
    slow = isinstance(chosen, Swiss) and rounds > 2 and players >= 2 * LEAST
    groups = sizes(players, proposed(players)) if slow else ()
    return Forecast(rounds, days, len(pairs), max(each), groups)


# Kinds that run by themselves

UNFINISHED = (
    (Unfinished.CLOCK, _("They go on under their clocks, and the next round waits")),
    (Unfinished.ORGANISER, _("The organiser decides, and the next round waits")),
    (Unfinished.HALF, _("Half a point each")),
    (Unfinished.TIME, _("Less time used wins")),
)
TIES = (
    ("", _("default")),
    ("direct", _("direct encounter")),
    ("sonneborn_berger", "Sonneborn-Berger"),
    ("wins", _("most wins")),
    ("koya", "Koya"),
    ("buchholz_cut", _("Buchholz without the lowest")),
    ("buchholz", "Buchholz"),
)
TIED = ("tie_1", "tie_2", "tie_3", "tie_4")
UNTIED = (System.KNOCKOUT, System.LADDER, System.HILL)  # without a table by points
SIZES: Mapping[str, tuple[Any, Any]] = {
    System.GROUPS: (_("Players per group"), _("From 4 to 8.")),
    System.LEAGUE: (_("Players per division"), _("From 9 to 11.")),
    System.SELF_STARTING: (_("Players who begin it"), _("From 3 to 11.")),
}
_ROUNDS = ("days", "unfinished")


def _tie(label: Any, help_text: Any = "") -> forms.ChoiceField:
    return forms.ChoiceField(
        label=label, help_text=help_text, choices=TIES, required=False, widget=UnfoldAdminSelectWidget
    )


class AutomaticForm(NewForm):
    """Asks what the settings of the kind have; `clean` adds them as `chosen`."""

    players = number_field(_("Players expected"), _("For the preview only."))
    begins = day_field(_("Empty: you begin it yourself. A series begins when enough enter."))
    days = number_field(_("Days per round"), _("Or of a season. Empty or 0: until the last match is over."))
    unfinished = forms.ChoiceField(
        label=_("Matches unfinished after a round"),
        choices=UNFINISHED,
        required=False,
        widget=UnfoldAdminSelectWidget,
    )
    size = number_field("", "")
    advance = number_field(_("Qualify from each group"), _("How many of each group play the final."))
    moving = number_field(_("Promoted and relegated"), _("How many of each division, from 1 to 3."))
    length = number_field(_("Rounds"), _("Up to 9."))
    tie_1 = _tie(_("1st tie-break"), _("For players with equal points. All empty: the kind's default."))
    tie_2 = _tie(_("2nd tie-break"))
    tie_3 = _tie(_("3rd tie-break"))
    tie_4 = _tie(_("4th tie-break"))
    double = forms.BooleanField(
        label=_("Twice, with sides swapped"), required=False, widget=UnfoldBooleanWidget
    )
    by_rounds = forms.BooleanField(
        label=_("Round by round"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_("Otherwise all matches begin at once."),
    )

    def __init__(self, kind: str, game: str, *sent: Any) -> None:
        known = {field.name for field in fields(SYSTEMS[kind])}
        without = {"ladder": _ROUNDS, "hill": _ROUNDS}.get(kind, ())
        self.asks = (
            *("players", "begins"),
            *(name for name in (*_ROUNDS, "size", "advance", "moving", "length") if name in known),
            *(TIED if kind not in UNTIED else ()),
            *(("double",) if "double" in known and kind != System.SELF_STARTING else ()),
            *(("by_rounds",) if kind == System.ROUND_ROBIN else ()),
        )
        self.asks = tuple(name for name in self.asks if name not in without)
        super().__init__(kind, game, *sent)
        for name in {*AutomaticForm.base_fields} - {*NewForm.base_fields, *self.asks}:
            del self.fields[name]
        if kind in SIZES:
            self.fields["size"].label, self.fields["size"].help_text = SIZES[kind]

    def clean(self) -> dict[str, Any]:
        answers = super().clean()
        ties = [answers[name] for name in TIED if answers.get(name)]
        if len(ties) > len(set(ties)):
            raise ValidationError(gettext("Choose each tie-break once."))
        try:
            answers["chosen"] = self._chosen(answers, ties)
            if answers.get("players"):
                answers["forecast"] = forecast(answers["chosen"], answers["players"])
        except NotWithin as wrong:
            facts = {"number": wrong.number, "least": wrong.least, "most": wrong.most}
            raise ValidationError(
                gettext("This cannot be played: %(number)s is not from %(least)s to %(most)s.") % facts
            ) from None
        return answers

    def _chosen(self, answers: Answers, ties: Sequence[str]) -> Settings:
        """Returns the settings of the kind; empty fields keep its defaults."""
        system = SYSTEMS[self.kind]
        given = {
            field.name: answers[field.name]
            for field in fields(system)
            if field.name in self.asks and answers.get(field.name) not in (None, "", False)
        }
        given |= {"ties": tuple(ties)} if ties else {}
        given |= {"at_once": False} if answers.get("by_rounds") else {}
        return system(**given)

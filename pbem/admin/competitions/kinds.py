"""The kinds of competitions: what is shown before one is created, and how it is created."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from random import SystemRandom
from typing import Any

from django import forms
from django.db.models import Model
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget

from pbem.admin.base.forms import human_names
from pbem.admin.competitions.forms import AT_ONCE, HOUR
from pbem.admin.competitions.new import (
    TIES,
    UNFINISHED,
    UNTIED,
    AutomaticForm,
    Forecast,
    ListForm,
    NewForm,
    OpenForm,
    RoundRobinForm,
)
from pbem.admin.matches.terms import against_a_wish, of_list, of_rounds, of_terms
from pbem.competitions.models import Competition
from pbem.competitions.pairings import pairings, rounds
from pbem.competitions.systems.settings import Settings
from pbem.competitions.tournaments import begin_list, begin_round_robin, by_lot, open_tournament
from pbem.matches.models import Tournament
from pbem.players.models import Player

System = Competition.System
Answers = Mapping[str, Any]

# Kinds in which an organiser begins each round


def _opened(answers: Answers) -> Tournament:
    return open_tournament(
        answers["name"],
        game=answers["game_name"],
        system=answers.get("system", System.PAIRINGS),
        terms=answers["terms"],
        now=timezone.now(),
    )


def _begun(matches: Sequence[Any]) -> str:
    return ngettext(
        "%(matches)s match has begun; its players get their letters.",
        "%(matches)s matches have begun; their players get their letters.",
        len(matches),
    ) % {"matches": len(matches)}


def _from_list(answers: Answers) -> tuple[Model, str]:
    made = _opened(answers)
    return made, _begun(begin_list(made, answers["text"], number=1, now=timezone.now(), rng=SystemRandom()))


def _shows_list(answers: Answers) -> list[str]:
    return of_list(pairings(answers["text"], game=answers["game_name"]), answers["game_name"])


def _by_players(answers: Answers) -> tuple[Model, str]:
    made, at_once = _opened(answers), answers["begin"] == AT_ONCE
    begun = begin_round_robin(made, _lots(answers), at_once=at_once, now=timezone.now(), rng=SystemRandom())
    return made, _begun(begun)


def _shows_round_robin(answers: Answers) -> list[str]:
    planned = rounds(_lots(answers), double=answers["system"] == System.DOUBLE)
    against = against_a_wish((pair for pairs in planned for pair in pairs), answers["game_name"])
    return [of_rounds(planned), *against]


def _lots(answers: Answers) -> list[Player]:
    """Returns the players in the drawn order, which is the same for the same players and name."""
    return by_lot(answers["listed"], answers["name"])


def _open(answers: Answers) -> tuple[Model, str]:
    return _opened(answers), gettext("It is open: invite players, or wait for entries.")


# Kinds that run by themselves


def settings_in_words(competition_kind: str, chosen: Settings) -> str:
    """Returns the settings of a kind with their labels."""
    form = AutomaticForm(competition_kind, "loa")
    kept, ways, ties = chosen.kept(), {str(value): str(label) for value, label in UNFINISHED}, dict(TIES)
    said = [
        f"{form.fields[name].label}: {ways.get(value, value)}"
        for name, value in kept.items()
        if name in form.fields
        and value
        and not isinstance(value, bool)
        and (name != "unfinished" or kept["days"])
    ]
    if competition_kind not in UNTIED:
        named = ", ".join(str(ties[tie]) for tie in chosen.ties)
        said.append(gettext("Tie-breaks: %(list)s") % {"list": named})
    return "; ".join(said)


def _shows_forecast(answers: Answers) -> list[str]:
    told: Forecast | None = answers.get("forecast")
    said = [settings_in_words(answers["kind"], answers["chosen"])]
    if told is None:
        said.append(gettext("Say how many players you expect, to see how long it takes."))
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
                "In the first, %(matches)s matches begin, up to %(each)s per player, and each player gets one letter."
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
    if not answers["begins"]:
        said.append(gettext("It begins when you press its button, or when enough have entered."))
    return said


def _automatic(answers: Answers) -> tuple[Model, str]:
    made = Competition.objects.create(
        name=answers["name"],
        system=answers["kind"],
        game_name=answers["game_name"],
        terms=answers["terms"].kept(),
        settings=answers["chosen"].kept(),
        begins_at=morning(answers["begins"]),
    )
    return made, gettext("The competition is open: players enter by email.")


def morning(day: Any) -> datetime | None:
    return timezone.make_aware(datetime.combine(day, time(HOUR))) if day else None


# The kinds, as they are chosen from


@dataclass(frozen=True)
class Kind:
    """A kind: `about` it in a sentence; `shows` makes paragraphs of a preview, None: nothing follows yet."""

    title: Any
    about: Any
    form: type[NewForm]
    create: Callable[[Answers], tuple[Model, str]]
    send: Any
    shows: Callable[[Answers], Sequence[str]] | None = None

    def preview(self, answers: Answers) -> list[str]:
        if self.shows is None:
            return []
        terms = of_terms(answers["name"], answers["game_name"], answers["terms"])
        return [terms, *filter(None, self.shows(answers))]


def _by_itself(system: Competition.System, about: Any) -> Kind:
    return Kind(system.label, about, AutomaticForm, _automatic, _("Create the competition"), _shows_forecast)


START = _("Start the matches")
BY_HAND: Mapping[str, Kind] = {
    "pairings": Kind(
        System.PAIRINGS.label,
        _("you paste who meets whom, round by round"),
        ListForm,
        _from_list,
        START,
        _shows_list,
    ),
    "single": Kind(
        _("round robin of listed players"),
        _("you paste the players; the order of play is drawn by lot"),
        RoundRobinForm,
        _by_players,
        START,
        _shows_round_robin,
    ),
    "open": Kind(
        _("open for entries"),
        _("you invite players by email, and begin when they are in, or on a day"),
        OpenForm,
        _open,
        _("Open it"),
    ),
}
BY_ITSELF: Mapping[str, Kind] = {
    System.ROUND_ROBIN: _by_itself(System.ROUND_ROBIN, _("everybody meets everybody, once or twice")),
    System.GROUPS: _by_itself(System.GROUPS, _("round robins in groups; the best of each play a final")),
    System.LEAGUE: _by_itself(
        System.LEAGUE, _("divisions, season after season, with promotion and relegation")
    ),
    System.SELF_STARTING: _by_itself(
        System.SELF_STARTING, _("a round robin begins whenever enough have entered")
    ),
    System.SWISS: _by_itself(System.SWISS, _("players with equal points meet, never the same two again")),
    System.KNOCKOUT: _by_itself(System.KNOCKOUT, _("two matches with sides swapped; the winner goes on")),
    System.LADDER: _by_itself(System.LADDER, _("players challenge those above them for their places")),
    System.HILL: _by_itself(System.HILL, _("one match at a time, for the crown")),
}
KINDS: Mapping[str, Kind] = {**BY_HAND, **BY_ITSELF}


CHOICE: Sequence[tuple[Any, Mapping[str, Kind]]] = (
    (_("You begin each round"), BY_HAND),
    (_("Rounds begin by themselves, and players enter by email"), BY_ITSELF),
)


class KindForm(forms.Form):
    """The first step: what is played, and how."""

    kind = forms.ChoiceField(choices=lambda: [(kind, kind) for kind in KINDS])
    game = forms.ChoiceField(
        label=_("Game"), choices=lambda: [("", "---------"), *human_names()], widget=UnfoldAdminSelectWidget
    )

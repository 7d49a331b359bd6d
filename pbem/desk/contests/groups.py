"""The groups of a contest before it begins: as the ratings deal them out, and as the organiser changes them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldBooleanWidget

from pbem.contests.models import Contest, Entrant
from pbem.contests.rounds import choose_groups, proposed_groups
from pbem.contests.systems.groups import MOST, Groups, sizes
from pbem.contests.systems.values import letters
from pbem.desk.base.verbs import Button, Pressed

PLAYER = "player_"  # before the key of a player


class GroupsForm(forms.Form):
    """A choice for each player, in the order of the groups; `groups` are those chosen, by player."""

    def __init__(self, groups: Sequence[Sequence[Entrant]], least: int, sent: Any) -> None:
        super().__init__(sent)
        self.least, self.names = least, letters(len(groups))
        for number, entrants in enumerate(groups, start=1):
            for entrant in entrants:
                self.fields[f"{PLAYER}{entrant.player_id}"] = forms.TypedChoiceField(
                    label=entrant.player.name,
                    choices=[(each, name) for each, name in enumerate(self.names, start=1)],
                    coerce=int,
                    initial=number,
                    widget=UnfoldAdminSelectWidget,
                )
        self.fields["by_rating"] = forms.BooleanField(
            label=_("All anew, by rating"), required=False, widget=UnfoldBooleanWidget
        )

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        chosen = {
            int(name.removeprefix(PLAYER)): group
            for name, group in answers.items()
            if name.startswith(PLAYER)
        }
        sizes = Counter(chosen.values())
        wrong = [
            name for number, name in enumerate(self.names, start=1) if not self.least <= sizes[number] <= MOST
        ]
        if wrong and not answers.get("by_rating"):
            facts = {"groups": ", ".join(wrong), "least": self.least, "most": MOST}
            raise ValidationError(
                gettext("A group has from %(least)s to %(most)s players; look at: %(groups)s.") % facts
            )
        answers["groups"] = {} if answers.get("by_rating") else chosen
        return answers


def buttons(contest: Contest, entered: int) -> Iterator[Button]:
    """None before so many have entered that there are two groups."""
    chosen = contest.chosen
    if not isinstance(chosen, Groups) or contest.last is not None or len(sizes(entered, chosen.size)) < 2:
        return

    def asks(sent: Any) -> GroupsForm:
        return GroupsForm(proposed_groups(contest, timezone.now()), chosen.advance + 1, sent)

    yield Button(
        verb="groups",
        label=_("Change the groups"),
        done=_("The groups were changed."),
        press=partial(_chosen, contest),
        asks=asks,
        tells=_(
            "As the ratings deal them out, or as you changed them. Anyone who enters later is in the smallest group."
        ),
        shows=partial(_shown, contest),
    )


def _chosen(contest: Contest, pressed: Pressed) -> None:
    choose_groups(contest, pressed.answers["groups"])


def _shown(contest: Contest, answers: Mapping[str, Any]) -> list[str]:
    chosen: Mapping[int, int] = answers["groups"]
    if not chosen:
        return [gettext("The ratings deal the groups out anew.")]
    named = dict(contest.entrants.filter(player__in=chosen).values_list("player", "player__name"))
    return [
        f"{letter}: {', '.join(named[player] for player, group in chosen.items() if group == number)}"
        for number, letter in enumerate(letters(max(chosen.values())), start=1)
    ]

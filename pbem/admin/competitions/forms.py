"""Forms of the buttons of competitions: who enters, who withdraws, groups, first days, letters to all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from datetime import datetime, time
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminIntegerFieldWidget,
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from pbem.admin.base.forms import check_lines, large_field
from pbem.admin.matches.timeline import language_name
from pbem.competitions.models import Entrant
from pbem.competitions.pairings import pairings, players_listed
from pbem.competitions.systems.round_robin import MOST
from pbem.competitions.systems.values import letters
from pbem.competitions.tournaments import drawn
from pbem.matches.models import Announcement, Tournament
from pbem.players.models import Player

AT_ONCE = "all"
HOUR = 9  # of a first day, in the service's time zone
PLAYER = "player_"  # followed by the key of a player
SUBJECT = "subject_"  # followed by the code of a language
To = Announcement.To


def number_field(label: Any, help_text: Any) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, help_text=help_text, required=False, min_value=0, widget=UnfoldAdminIntegerFieldWidget
    )


def pairings_field(*, required: bool) -> forms.CharField:
    return large_field(
        _("Pairings"),
        _(
            "One per line: first player, second player and, if different, the game. Names or addresses, "
            "separated by commas, semicolons or tabs, as pasted from a spreadsheet."
        ),
        required=required,
    )


class PairingsForm(forms.Form):
    """One more round of a tournament without a system."""

    pairings = pairings_field(required=True)

    def __init__(self, tournament: Tournament, sent: Any) -> None:
        super().__init__(sent)
        self.tournament = tournament

    def clean_pairings(self) -> str:
        text: str = self.cleaned_data["pairings"]
        check_lines(self, "pairings", lambda: pairings(text, game=self.tournament.game_name))
        return text


def players_field() -> forms.CharField:
    return large_field(_("Players"), _("Names or addresses, one per line or separated by commas."))


class PlayersForm(forms.Form):
    """Asks for players, who are looked up as `listed`."""

    players = players_field()

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        return answers | {
            "listed": check_lines(self, "players", lambda: players_listed(answers.get("players", "")))
        }


def day_field(help_text: Any = "", *, required: bool = False) -> forms.DateField:
    # The browser's own: Django's script warns of the hour of another zone, and this asks for none.
    widget = UnfoldAdminTextInputWidget(attrs={"type": "date"})
    return forms.DateField(label=_("First day"), required=required, widget=widget, help_text=help_text)


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
    begins = day_field(_("Empty: none."))


class GroupsForm(forms.Form):
    """Asks for the group of each player; `groups` become the chosen groups by player."""

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
            label=_("All again, by rating"), required=False, widget=UnfoldBooleanWidget
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


class StartDateForm(forms.Form):
    day = day_field(required=True)
    begin = forms.ChoiceField(
        label=_("Begin"),
        choices=[(AT_ONCE, _("all matches at once")), ("first", _("round by round"))],
        widget=UnfoldAdminSelectWidget,
    )

    def clean(self) -> dict[str, Any]:
        """Adds the moment as `begins_at`."""
        answers = super().clean() or {}
        if day := answers.get("day"):
            answers["begins_at"] = timezone.make_aware(datetime.combine(day, time(HOUR)))
            if answers["begins_at"] <= timezone.now():
                self.add_error("day", ValidationError(gettext("That time has passed.")))
        return answers


class BeginForm(forms.Form):
    """Begins a tournament. `lots` are the players in the order of the preview; another order is refused."""

    begin = forms.ChoiceField(
        label=_("Begin"),
        choices=[("first", _("round by round")), (AT_ONCE, _("all matches at once"))],
        widget=UnfoldAdminSelectWidget,
    )
    lots = forms.CharField(widget=forms.HiddenInput)

    def __init__(self, tournament: Tournament, sent: Any) -> None:
        super().__init__(sent)
        self.fields["lots"].initial = ",".join(str(player.pk) for player in drawn(tournament))

    def clean_lots(self) -> list[int]:
        try:
            return [int(pk) for pk in self.cleaned_data["lots"].split(",")]
        except ValueError:
            raise ValidationError(gettext("Look at the pairings again.")) from None


class LeaveForm(forms.Form):
    player = forms.TypedChoiceField(label=_("Player"), widget=UnfoldAdminSelectWidget)

    def __init__(self, players: Sequence[Player], sent: Any) -> None:
        super().__init__(sent)
        field = self.fields["player"]
        assert isinstance(field, forms.TypedChoiceField)
        named = {str(player.pk): player for player in players}
        field.coerce = named.__getitem__
        field.choices = [("", "---------"), *((pk, player.name) for pk, player in named.items())]


class AnnounceForm(forms.Form):
    """Asks for a subject and a text in each language, and for the table."""

    to = forms.ChoiceField(
        label=_("To"), choices=To.choices, initial=To.ALL, required=False, widget=UnfoldAdminSelectWidget
    )
    standings = forms.BooleanField(
        label=_("With the cross-table"), required=False, widget=UnfoldBooleanWidget
    )
    copy = forms.BooleanField(label=_("A copy to me"), required=False, widget=UnfoldBooleanWidget)

    def __init__(self, sent: Any) -> None:
        super().__init__(sent)
        for code, _name in settings.LANGUAGES:
            language = {"language": language_name(code)}
            self.fields[SUBJECT + code] = forms.CharField(
                label=gettext("Subject (%(language)s)") % language,
                required=False,
                max_length=120,
                widget=UnfoldAdminTextInputWidget(attrs={"lang": code}),
            )
            self.fields[code] = forms.CharField(
                label=gettext("Your own words (%(language)s)") % language,
                required=False,
                max_length=20_000,
                widget=UnfoldAdminTextareaWidget(attrs={"rows": 8, "lang": code}),
            )
        each = [name for code, _name in settings.LANGUAGES for name in (SUBJECT + code, code)]
        self.order_fields(["to", *each, "standings", "copy"])
        self.fields[settings.LANGUAGES[-1][0]].help_text = gettext(
            "Each player gets the text in their own language, or failing that the other."
        )

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        words = {code: answers.get(code, "") for code, _name in settings.LANGUAGES}
        subjects = {code: answers.get(SUBJECT + code, "") for code, _name in settings.LANGUAGES}
        if not any(map(str.strip, words.values())) and not answers.get("standings"):
            raise ValidationError(gettext("Write something, or send the table."))
        return answers | {"words": words, "subjects": subjects, "to": answers.get("to") or To.ALL}

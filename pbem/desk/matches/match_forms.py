"""What the verbs of a match ask before they act."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from games.move_numbers import numbered
from games.protocol import Side
from pbem.desk.base.forms import player_field
from pbem.desk.matches.moves import desk_notation, language_name, written
from pbem.matches.models import Match, Seat
from pbem.outbox.rendering.board import board_at

BOTH = "both"
DRAWN = "drawn"


class SeatForm(forms.Form):
    """Which of the two players."""

    seat = forms.ChoiceField(label=_("Player"), widget=UnfoldAdminSelectWidget)

    def __init__(self, match: Match, sent: Any) -> None:
        super().__init__(sent)
        self.match = match
        choice = self.fields["seat"]
        assert isinstance(choice, forms.ChoiceField)
        choice.choices = [(str(seat.side), seat.player.name) for seat in match.seated]
        choice.initial = str(match.to_move or 0)

    def clean_seat(self) -> Seat:
        return self.match.seated[int(self.cleaned_data["seat"])]


class EnterForm(forms.Form):
    """A move of the player whose turn it is."""

    move = forms.CharField(label=_("Move"), max_length=200, widget=UnfoldAdminTextInputWidget)
    made_at = forms.DateTimeField(
        label=_("Made on"),
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"type": "datetime-local"}),
        help_text=_("Their clock is charged as if their email had come then; empty: now."),
    )

    def __init__(self, match: Match, sent: Any) -> None:
        super().__init__(sent)
        if match.moving is None:
            return
        self.fields["move"].label = gettext("Move of %(name)s") % {"name": match.moving.player.name}
        notation = desk_notation()
        board = board_at(match, match.ply, notation)
        self.fields["move"].help_text = gettext("In %(language)s notation, for instance %(moves)s.") % {
            "language": language_name(notation.language),
            "moves": ", ".join(board.examples()[:3]),
        }

    def clean_made_at(self) -> Any:
        made_at = self.cleaned_data["made_at"]
        if made_at and made_at > timezone.now():
            raise ValidationError(gettext("This moment is still to come."))
        return made_at


class ExtendForm(SeatForm):
    days = forms.IntegerField(
        label=_("Days"), min_value=0, max_value=365, initial=1, widget=UnfoldAdminTextInputWidget
    )
    hours = forms.IntegerField(
        label=_("Hours"), min_value=0, max_value=23, initial=0, widget=UnfoldAdminTextInputWidget
    )

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        answers["lasting"] = timedelta(days=answers.get("days") or 0, hours=answers.get("hours") or 0)
        if not self.errors and not answers["lasting"]:
            raise ValidationError(gettext("Give an hour at least."))
        return answers


class VerdictForm(forms.Form):
    """How the match ends."""

    result = forms.ChoiceField(label=_("Result"), widget=UnfoldAdminSelectWidget)

    def __init__(self, match: Match, sent: Any) -> None:
        super().__init__(sent)
        choice = self.fields["result"]
        assert isinstance(choice, forms.ChoiceField)
        wins = [
            (str(seat.side), gettext("%(name)s wins") % {"name": seat.player.name}) for seat in match.seated
        ]
        choice.choices = [("", "---------"), *wins, (DRAWN, gettext("A draw"))]

    def clean_result(self) -> Side | None:
        said = self.cleaned_data["result"]
        return None if said == DRAWN else Side(int(said))


class RollBackForm(forms.Form):
    """To which turn; the newest are offered first, since that is what is mostly wanted."""

    ply = forms.TypedChoiceField(label=_("Go on after"), coerce=int, widget=UnfoldAdminSelectWidget)

    def __init__(self, match: Match, sent: Any) -> None:
        super().__init__(sent)
        choice = self.fields["ply"]
        assert isinstance(choice, forms.ChoiceField)
        live = list(match.live_turns())
        moves = written(match, live)
        turns = [(turn.ply + 1, numbered(turn.ply, moves[turn.pk])) for turn in live]
        stands = [(0, gettext("the start")), *turns]
        if match.status == Match.Status.PLAYING:
            stands.pop()  # it stands there now
        choice.choices = list(reversed(stands))
        choice.help_text = ngettext(
            "%(number)s half-move has been played.", "%(number)s half-moves have been played.", match.ply
        ) % {"number": match.ply}


class ReplaceForm(SeatForm):
    player = player_field(_("New player"))

    def __init__(self, match: Match, sent: Any) -> None:
        super().__init__(match, sent)
        self.fields["seat"].label = gettext("Who leaves")


class WriteForm(forms.Form):
    """To one of the players, or to each of them."""

    to = forms.ChoiceField(label=_("To"), widget=UnfoldAdminSelectWidget)
    text = forms.CharField(
        label=_("Your own words"),
        max_length=10_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8}),
        help_text=_("They appear in the letter as you write them."),
    )

    def __init__(self, match: Match, sent: Any) -> None:
        super().__init__(sent)
        self.match = match
        choice = self.fields["to"]
        assert isinstance(choice, forms.ChoiceField)
        each = [(str(seat.side), seat.player.name) for seat in match.seated]
        choice.choices = [(BOTH, gettext("both players")), *each]

    def clean_to(self) -> tuple[Seat, ...]:
        to = self.cleaned_data["to"]
        return self.match.seated if to == BOTH else (self.match.seated[int(to)],)

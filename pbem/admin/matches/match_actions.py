"""The organiser's actions on a match: the buttons of its page and their forms."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import timedelta
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from games.export import to_json, to_text
from games.move_numbers import numbered
from games.protocol import Side
from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.forms import player_field
from pbem.admin.matches.timeline import desk_notation, language_name, written
from pbem.matches.arbitration import adjudicate, enter_move, replace, void
from pbem.matches.clock.stops import extend, is_stopped, resume, stop
from pbem.matches.models import Match, Seat
from pbem.matches.offers import roll_back
from pbem.outbox.notifications import announcements
from pbem.outbox.notifications.direct_messages import renew
from pbem.outbox.rendering.board import board_at
from pbem.outbox.sending import resend

# Forms

BOTH = "both"
DRAWN = "drawn"


class SeatForm(forms.Form):
    """Asks for one of the two players."""

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
    """Asks for a move of the player to move."""

    move = forms.CharField(label=_("Move"), max_length=200, widget=UnfoldAdminTextInputWidget)
    made_at = forms.DateTimeField(
        label=_("Made on"),
        required=False,
        widget=UnfoldAdminTextInputWidget(attrs={"type": "datetime-local"}),
        help_text=_("Their clock is charged as if the email had come then; empty: now."),
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
            raise ValidationError(gettext("Give at least an hour."))
        return answers


class VerdictForm(forms.Form):
    """Asks for the result."""

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
    """Asks for the turn to go back to; the newest come first."""

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
            stands.pop()  # the match stands there now
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
    """Writes to one of the players, or to both."""

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


Status = Match.Status
VIEW = "matches.view_match"


def buttons(match: Match) -> Iterator[AdminAction]:
    """Yields the buttons that fit the state of the match, the most used first."""
    if match.status == Status.PLAYING:
        yield from _while_played(match)
    if match.status == Status.OVER or (match.status == Status.PLAYING and match.ply):
        yield _roll_back(match)
    if match.status == Status.PLAYING:
        yield _adjudicate(match)
    if match.status in (Status.PLAYING, Status.OVER):
        yield _void(match)
    yield _write(match)
    yield _resend(match)
    for seat in match.seated:
        yield _renew(seat)
    yield _download(
        match, "txt", _("Record as text"), "text/plain", lambda: to_text(match.record(), desk_notation())
    )
    yield _download(match, "json", _("Record as JSON"), "application/json", lambda: to_json(match.record()))


def _while_played(match: Match) -> Iterator[AdminAction]:
    yield AdminAction(
        verb="enter",
        label=_("Enter a move"),
        done=_("The move is played; both players get a letter."),
        press=lambda pressed: enter_move(
            match,
            pressed.answers["move"],
            notation=desk_notation(),
            made_at=pressed.answers["made_at"],
            reason=pressed.reason,
            now=pressed.now,
        ),
        asks=partial(EnterForm, match),
        help_text=_("The record and the letters say that you entered it, and why."),
        reason=True,
    )
    if is_stopped(match):
        yield AdminAction(
            verb="go-on",
            label=_("Restart the clocks"),
            done=_("The clocks go on; both players get a letter."),
            press=lambda pressed: resume(match, reason=pressed.reason, now=pressed.now),
            help_text=_("They go on from where they stood. Both players read your reason."),
            reason=True,
        )
    elif match.agreed.control is not None:
        yield AdminAction(
            verb="stop",
            label=_("Stop the clocks"),
            done=_("The clocks are stopped; both players get a letter."),
            press=lambda pressed: stop(match, reason=pressed.reason, now=pressed.now),
            help_text=_("Players may still move. Both players read your reason."),
            reason=True,
        )
    if match.agreed.control is not None:
        yield AdminAction(
            verb="extend",
            label=_("Give time"),
            done=_("The time is given; both players get a letter."),
            press=lambda pressed: extend(
                pressed.answers["seat"], pressed.answers["lasting"], reason=pressed.reason, now=pressed.now
            ),
            asks=partial(ExtendForm, match),
            help_text=_("Both players read your reason."),
            reason=True,
        )
    yield AdminAction(
        verb="replace",
        label=_("Replace a player"),
        done=_("The place has changed hands; all three get a letter."),
        press=lambda pressed: replace(
            pressed.answers["seat"], pressed.answers["player"], reason=pressed.reason, now=pressed.now
        ),
        asks=partial(ReplaceForm, match),
        help_text=_(
            "The new player goes on from the board and the clock as they stand. No older reply "
            "address of this match is valid any longer. The player who leaves, the one who comes and the "
            "opponent read your reason."
        ),
        reason=True,
        destructive=True,
    )


def _roll_back(match: Match) -> AdminAction:
    over = match.status == Status.OVER
    return AdminAction(
        verb="roll-back",
        label=_("Open it again") if over else _("Take moves back"),
        done=_("The match goes on from there; both players get a letter."),
        press=lambda pressed: roll_back(
            match, pressed.answers["ply"], side=None, reason=pressed.reason, now=pressed.now
        ),
        asks=partial(RollBackForm, match),
        help_text=_(
            "Nothing is deleted: the moves stay in the history. No older reply address of this "
            "match is valid any longer. Both players read your reason."
        ),
        reason=True,
        destructive=True,
    )


def _adjudicate(match: Match) -> AdminAction:
    return AdminAction(
        verb="adjudicate",
        label=_("Decide the match"),
        done=_("The match is over; both players get a letter."),
        press=lambda pressed: adjudicate(
            match, pressed.answers["result"], reason=pressed.reason, now=pressed.now
        ),
        asks=partial(VerdictForm, match),
        help_text=_("Both players read your reason. If it was a mistake, the match can be opened again."),
        reason=True,
        destructive=True,
    )


def _void(match: Match) -> AdminAction:
    return AdminAction(
        verb="void",
        label=_("Void the match"),
        done=_("The match is void; both players get a letter."),
        press=lambda pressed: void(match, reason=pressed.reason, now=pressed.now),
        help_text=_("It counts for nothing: no result, no points. Both players read your reason."),
        reason=True,
        destructive=True,
    )


def _write(match: Match) -> AdminAction:
    def press(pressed: ActionInput) -> None:
        for seat in pressed.answers["to"]:
            announcements.write(seat.player, pressed.answers["text"], match=match, now=pressed.now)

    done = _("The letter has been sent.")
    return AdminAction("write", _("Write to the players"), done, press, asks=partial(WriteForm, match))


def _resend(match: Match) -> AdminAction:
    asks: Callable[[object], forms.Form] = partial(SeatForm, match)
    return AdminAction(
        verb="resend",
        label=_("Send the last letter again"),
        done=_("A copy of the last letter has been sent."),
        press=lambda pressed: resend(pressed.answers["seat"], now=pressed.now),
        asks=asks,
        help_text=_("To where their letters go now."),
    )


def _renew(seat: Seat) -> AdminAction:
    name = {"name": seat.player.name}
    return AdminAction(
        verb=f"new-addresses-{seat.side}",
        label=gettext("New reply addresses for %(name)s") % name,
        done=gettext("%(name)s's old reply addresses no longer work; a letter brings a new one.") % name,
        press=lambda pressed: renew(seat, now=pressed.now),
        asks=forms.Form,
        help_text=_("Anyone who has an older letter about this match can no longer answer it."),
    )


def _download(
    match: Match, form: str, label: object, media_type: str, written: Callable[[], str]
) -> AdminAction:
    def press(pressed: ActionInput) -> HttpResponse:
        name = f"{match.game.key}-{match.pk}.{form}"
        return attachment(name, written(), media_type)

    return AdminAction(f"record-{form}", str(label), "", press, permission=VIEW)


def attachment(name: str, content: str | bytes, media_type: str) -> HttpResponse:
    """Returns a file as a download."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    kind = f"{media_type}; charset=utf-8" if isinstance(content, str) else media_type
    return HttpResponse(content, content_type=kind, headers=headers)

"""What the organiser can do with a match: the buttons of its page, each with the service that it calls."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from django import forms
from django.http import HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.export import to_json, to_text
from pbem.desk.base.verbs import Button, Pressed
from pbem.desk.matches.match_forms import (
    EnterForm,
    ExtendForm,
    ReplaceForm,
    RollBackForm,
    SeatForm,
    VerdictForm,
    WriteForm,
)
from pbem.desk.matches.moves import desk_notation
from pbem.matches.arbitration.adjudication import adjudicate, void
from pbem.matches.arbitration.entered_moves import enter
from pbem.matches.arbitration.substitutes import replace
from pbem.matches.clock.added_by_organiser import extend
from pbem.matches.clock.stops import go_on, is_stopped, stop
from pbem.matches.models import Match, Seat
from pbem.matches.rollback import roll_back
from pbem.outbox.notifications import announcements
from pbem.outbox.notifications.reply_addresses import renew
from pbem.outbox.resend import resend

Status = Match.Status
VIEW = "matches.view_match"


def buttons(match: Match) -> Iterator[Button]:
    """Those that make sense as the match stands, what is wanted most first."""
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


def _while_played(match: Match) -> Iterator[Button]:
    yield Button(
        verb="enter",
        label=_("Enter a move"),
        done=_("The move is played; both players get a letter."),
        press=lambda pressed: enter(
            match,
            pressed.answers["move"],
            notation=desk_notation(),
            made_at=pressed.answers["made_at"],
            reason=pressed.reason,
            now=pressed.now,
        ),
        asks=partial(EnterForm, match),
        tells=_("The record and the letters say that you entered it, and why."),
        reason=True,
    )
    if is_stopped(match):
        yield Button(
            verb="go-on",
            label=_("Let the clocks go on"),
            done=_("The clocks go on; both players get a letter."),
            press=lambda pressed: go_on(match, reason=pressed.reason, now=pressed.now),
            tells=_("They go on from where they stood. Both players read your reason."),
            reason=True,
        )
    elif match.agreed.control is not None:
        yield Button(
            verb="stop",
            label=_("Stop the clocks"),
            done=_("The clocks are stopped; both players get a letter."),
            press=lambda pressed: stop(match, reason=pressed.reason, now=pressed.now),
            tells=_("Players may move all the same. Both players read your reason."),
            reason=True,
        )
    if match.agreed.control is not None:
        yield Button(
            verb="extend",
            label=_("Give time"),
            done=_("The time is given; both players get a letter."),
            press=lambda pressed: extend(
                pressed.answers["seat"], pressed.answers["lasting"], reason=pressed.reason, now=pressed.now
            ),
            asks=partial(ExtendForm, match),
            tells=_("Both players read your reason."),
            reason=True,
        )
    yield Button(
        verb="replace",
        label=_("Replace a player"),
        done=_("The place has changed hands; all three get a letter."),
        press=lambda pressed: replace(
            pressed.answers["seat"], pressed.answers["player"], reason=pressed.reason, now=pressed.now
        ),
        asks=partial(ReplaceForm, match),
        tells=_(
            "The new player goes on from the board and the clock as they stand. No older reply "
            "address of this match is valid any longer. The player who leaves, the one who comes and the "
            "opponent read your reason."
        ),
        reason=True,
        grave=True,
    )


def _roll_back(match: Match) -> Button:
    over = match.status == Status.OVER
    return Button(
        verb="roll-back",
        label=_("Open it again") if over else _("Take moves back"),
        done=_("The match goes on from there; both players get a letter."),
        press=lambda pressed: roll_back(
            match, pressed.answers["ply"], side=None, reason=pressed.reason, now=pressed.now
        ),
        asks=partial(RollBackForm, match),
        tells=_(
            "Nothing is deleted: the moves stay in the history. No older reply address of this "
            "match is valid any longer. Both players read your reason."
        ),
        reason=True,
        grave=True,
    )


def _adjudicate(match: Match) -> Button:
    return Button(
        verb="adjudicate",
        label=_("Decide the match"),
        done=_("The match is over; both players get a letter."),
        press=lambda pressed: adjudicate(
            match, pressed.answers["result"], reason=pressed.reason, now=pressed.now
        ),
        asks=partial(VerdictForm, match),
        tells=_("Both players read your reason. If it was a mistake, the match can be opened again."),
        reason=True,
        grave=True,
    )


def _void(match: Match) -> Button:
    return Button(
        verb="void",
        label=_("Void the match"),
        done=_("The match is void; both players get a letter."),
        press=lambda pressed: void(match, reason=pressed.reason, now=pressed.now),
        tells=_("It counts for nothing: no result, no points. Both players read your reason."),
        reason=True,
        grave=True,
    )


def _write(match: Match) -> Button:
    def press(pressed: Pressed) -> None:
        for seat in pressed.answers["to"]:
            announcements.write(seat.player, pressed.answers["text"], match=match, now=pressed.now)

    done = _("The letter has been sent.")
    return Button("write", _("Write to the players"), done, press, asks=partial(WriteForm, match))


def _resend(match: Match) -> Button:
    asks: Callable[[object], forms.Form] = partial(SeatForm, match)
    return Button(
        verb="resend",
        label=_("Send the last letter again"),
        done=_("A copy of the last letter has been sent."),
        press=lambda pressed: resend(pressed.answers["seat"], now=pressed.now),
        asks=asks,
        tells=_("To where their letters go now."),
    )


def _renew(seat: Seat) -> Button:
    name = {"name": seat.player.name}
    return Button(
        verb=f"new-addresses-{seat.side}",
        label=gettext("New reply addresses for %(name)s") % name,
        done=gettext("The old reply addresses of %(name)s no longer work; a letter brings a new one.") % name,
        press=lambda pressed: renew(seat, now=pressed.now),
        asks=forms.Form,
        tells=_("Anyone who has an older letter about this match can no longer answer it."),
    )


def _download(match: Match, form: str, label: object, media_type: str, written: Callable[[], str]) -> Button:
    def press(pressed: Pressed) -> HttpResponse:
        name = f"{match.game.key}-{match.pk}.{form}"
        return attachment(name, written(), media_type)

    return Button(f"record-{form}", str(label), "", press, permission=VIEW)


def attachment(name: str, content: str | bytes, media_type: str) -> HttpResponse:
    """A file that the browser keeps."""
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    kind = f"{media_type}; charset=utf-8" if isinstance(content, str) else media_type
    return HttpResponse(content, content_type=kind, headers=headers)

"""Clocks at the desk: the time control, the time left, filters by deadline, and holidays."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, gettext_lazy, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminDateWidget, UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from pbem.admin.base import audit_log
from pbem.admin.base.actions import REASON, ActionInput, AdminAction
from pbem.admin.base.audited_admin import who
from pbem.admin.base.lists import number, when
from pbem.admin.base.pages import SURE, ReadOnlyAdmin, link, previewed
from pbem.admin.letters.shunted import number as called
from pbem.inbox.models import InboundMail
from pbem.matches.clock.absences import add_holiday, take_back
from pbem.matches.clock.reminders import remind_now
from pbem.matches.clock.service import remaining
from pbem.matches.clock.stops import extend
from pbem.matches.models import ExemptInterval, Match, MatchQuerySet
from pbem.outbox.delivery.clock_start import standing_still
from pbem.outbox.rendering.durations import in_words, unlabelled
from pbem.players.models import Holiday, Player
from pbem.refusals import Refused, told

SHOWN = 20  # rows


def clock_of(match: Match, now: datetime) -> str:
    """Returns the time control and each player's time left; "-" without a clock."""
    if match.agreed.control is None:
        return "-"
    lines = [unlabelled(match.agreed)]
    if match.status == Match.Status.PLAYING:
        lines += [
            f"{seat.player.name}: {in_words(left)}" for seat in match.seated if (left := remaining(seat, now))
        ]
    if match.stopped:
        lines.append(gettext("The clock is stopped."))
    lines += [
        format_html("{} {}", gettext("Until this email is decided on:"), link(row, called(row)))
        for row in (*match.held_by_inboundmail.defer("raw"), *match.held_by_outboundmail.all())
    ]
    lines += _ledger(match)
    return format_html_join("", "<div>{}</div>", ((line,) for line in lines))


def _ledger(match: Match) -> list[str]:
    """Returns the stoppages of the match that count against no player, the newest first."""
    if match.started_at is None:
        return []
    rows = ExemptInterval.objects.after(match.started_at).filter(Q(match=match) | Q(match=None))
    if match.ended_at:
        rows = rows.filter(since__lt=match.ended_at)
    newest = list(rows.select_related("seat__player").order_by("-since", "-pk")[:SHOWN])
    return [gettext("Not counted:"), *map(_written, newest)] if newest else []


def _written(row: ExemptInterval) -> str:
    until = when(row.until) if row.until else gettext("to this day")
    of = filter(None, (row.get_component_display(), row.seat and row.seat.player.name, row.note))
    return " \N{MIDDLE DOT} ".join(map(str, (f"{when(row.since)} - {until}", row.get_why_display(), *of)))


# Filters by clock: over, overdue, soon overdue, or long without a move

SOON = timedelta(days=1)
LONG_WAITS = (7, 14, 30)  # days


class Clock(admin.SimpleListFilter):
    title = _("clock")
    parameter_name = "clock"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [
            ("flagged", gettext("over, to be decided")),
            ("overdue", gettext("overdue")),
            ("soon", gettext("overdue within a day")),
            ("held", gettext("stopped for an email that was set aside")),
        ]

    def queryset(self, request: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        now = timezone.now()
        match self.value():
            case "flagged":
                return matches.filter(flagged_at__isnull=False)
            case "overdue":
                return matches.filter(status=Match.Status.PLAYING, deadline__lt=now)
            case "soon":
                playing = matches.filter(status=Match.Status.PLAYING)
                return playing.filter(deadline__gte=now, deadline__lt=now + SOON)
            case "held":
                return standing_still(cast(MatchQuerySet, matches), InboundMail)
        return matches


# Filters with a moment on every match sort by it.
ORDER = {"flagged": ("flagged_at", "pk"), "overdue": ("deadline", "pk"), "soon": ("deadline", "pk")}


class Awaited(admin.SimpleListFilter):
    title = _("a move is awaited")
    parameter_name = "awaited"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(str(days), gettext("for more than %(days)s days") % {"days": days}) for days in LONG_WAITS]

    def queryset(self, request: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        days = next((days for days in LONG_WAITS if str(days) == self.value()), None)
        if days is None:
            return matches
        return matches.filter(
            status=Match.Status.PLAYING, to_move_since__lt=timezone.now() - timedelta(days=days)
        )


class ToMove(admin.SimpleListFilter):
    """Filters by the key of the player to move; it offers no choices, the desk's first page links to it."""

    title = _("to move")
    parameter_name = "mover"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        player = self._player(request.GET.get(self.parameter_name))
        return [(str(player.pk), player.name)] if player else []

    def queryset(self, request: HttpRequest, matches: QuerySet[Match]) -> QuerySet[Match]:
        player = self._player(self.value())
        return matches.filter(pk__in=Match.objects.waiting_for(player).values("pk")) if player else matches

    @staticmethod
    def _player(asked: str | None) -> Player | None:
        asked_for = number(asked or "")
        return None if asked_for is None else Player.objects.filter(pk=asked_for).first()


def order(request: HttpRequest) -> tuple[str, ...]:
    """Returns the order of a filtered list: the first deadline, or the longest wait, or the newest match."""
    if request.GET.get(Awaited.parameter_name) in {str(days) for days in LONG_WAITS}:
        return ("to_move_since", "pk")
    return ORDER.get(request.GET.get(Clock.parameter_name, ""), ("-pk",))


# Holidays


class HolidayForm(forms.Form):
    day = forms.DateField(
        label=gettext_lazy("day"),
        widget=UnfoldAdminDateWidget(),
        help_text=gettext_lazy("All clocks are stopped from midnight to midnight, player's local time."),
    )


class HolidayAdmin(ReadOnlyAdmin):
    list_display = ("day",)
    fields = ("day",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super(ReadOnlyAdmin, self).has_add_permission(request)

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        """Announces a holiday by a service, since it moves deadlines."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = HolidayForm(request.POST or None)
        if form.is_valid():
            try:
                return self._kept(request, form)
            except Refused as refused:
                form.add_error("day", told(refused))
        return self.form_page(request, form, gettext("Announce a holiday"), gettext("Announce it"))

    def buttons(self, holiday: Holiday) -> Sequence[AdminAction]:
        return [
            AdminAction(
                verb="take-back",
                label=gettext("Take it back"),
                done=gettext("It is a day like any other again; the deadlines have moved."),
                press=partial(_take_back, holiday),
            )
        ]

    @transaction.atomic
    def _kept(self, request: HttpRequest, form: HolidayForm) -> HttpResponse:
        holiday = add_holiday(form.cleaned_data["day"], now=timezone.now())
        self.made(request, holiday, "keep", gettext("Announce a holiday"))
        self.message_user(request, gettext("The holiday is announced; the deadlines have moved."))
        return redirect("admin:players_holiday_changelist")


def _take_back(holiday: Holiday, pressed: ActionInput) -> None:
    take_back(holiday, now=pressed.now)


# Many matches at once: reminded, given time

MOST = 200  # matches at a time
Done = Callable[[Match, Mapping[str, Any], datetime], bool]


class RemindForm(forms.Form):
    """Asks nothing."""


class GiveTimeForm(forms.Form):
    days = forms.IntegerField(
        label=_("Days"), min_value=1, max_value=365, initial=3, widget=UnfoldAdminTextInputWidget
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text=_("Both players read your reason."),
    )


@dataclass(frozen=True)
class Bulk:
    """An action on many matches: `meant` says whether it concerns one, `do` whether it was performed."""

    verb: str
    label: Any
    form: type[forms.Form]
    meant: Callable[[Match], bool]
    do: Done
    done: Callable[[int], str]


def _remind(match: Match, answers: Mapping[str, Any], now: datetime) -> bool:
    return remind_now(match.pk, now=now)


def _give(match: Match, answers: Mapping[str, Any], now: datetime) -> bool:
    if match.moving is None:
        return False
    try:
        extend(match.moving, timedelta(days=answers["days"]), reason=answers[REASON], now=now)
    except Refused:
        return False
    return True


def _awaited(match: Match) -> bool:
    return match.status == Match.Status.PLAYING and match.to_move is not None and not match.stopped


REMIND = Bulk(
    "remind",
    _("Remind the player who is to move"),
    RemindForm,
    _awaited,
    _remind,
    lambda n: ngettext("%(n)s player was reminded.", "%(n)s players were reminded.", n) % {"n": n},
)
GIVE = Bulk(
    "give-time",
    _("Give time to the player who is to move"),
    GiveTimeForm,
    lambda match: _awaited(match) and match.agreed.control is not None,
    _give,
    lambda n: ngettext("%(n)s match got time.", "%(n)s matches got time.", n) % {"n": n},
)


@admin.action(description=REMIND.label, permissions=["press"])
def remind(desk: Any, request: HttpRequest, matches: QuerySet[Match]) -> HttpResponse | None:
    return _asked(desk, request, matches, REMIND, "remind")


@admin.action(description=GIVE.label, permissions=["press"])
def give_time(desk: Any, request: HttpRequest, matches: QuerySet[Match]) -> HttpResponse | None:
    return _asked(desk, request, matches, GIVE, "give_time")


def _asked(
    desk: Any, request: HttpRequest, matches: QuerySet[Match], bulk: Bulk, action: str
) -> HttpResponse | None:
    """Returns the page with the form and the preview. None when the action is done."""
    chosen = list(matches.order_by("pk")[:MOST])
    meant = [match for match in chosen if bulk.meant(match)]
    sent = request.POST if "sent" in request.POST or not bulk.form.base_fields else None
    form = bulk.form(sent)
    shown: Mapping[str, Any] = {}
    if form.is_valid():
        shown = previewed(preview(chosen, meant))
        if request.POST.get(SURE) == shown["sure"]:
            number = _done(request, meant, bulk, form.cleaned_data)
            desk.message_user(request, bulk.done(number), messages.SUCCESS)
            return None
    hidden = [("action", action), ("sent", "1"), *((ACTION_CHECKBOX_NAME, str(each.pk)) for each in chosen)]
    send = str(bulk.label) if shown else gettext("Preview")
    response: HttpResponse = desk.form_page(
        request, form, str(bulk.label), send, hidden=hidden, back=request.get_full_path(), **shown
    )
    return response


def preview(chosen: Sequence[Match], meant: Sequence[Match]) -> list[str]:
    """Returns the players and matches concerned, and how many matches are left out."""
    lines = [
        gettext("[%(number)s] %(name)s, against %(opponent)s")
        % {
            "number": match.pk,
            "name": match.moving.player.name,
            "opponent": match.seated[1 - match.moving.side].player.name,
        }
        for match in meant
        if match.moving
    ]
    left = len(chosen) - len(meant)
    said = ngettext("A letter about %(n)s match:", "Letters about %(n)s matches:", len(meant))
    shown = ["\n".join([said % {"n": len(meant)}, *lines])]
    if left:
        out = ngettext(
            "%(n)s is left out: nothing happens there.", "%(n)s are left out: nothing happens there.", left
        )
        shown.append(out % {"n": left})
    return shown


@transaction.atomic
def _done(request: HttpRequest, meant: Sequence[Match], bulk: Bulk, answers: Mapping[str, Any]) -> int:
    now, number = timezone.now(), 0
    for match in meant:
        if bulk.do(match, answers, now):
            number += 1
            after = {name: str(answer) for name, answer in answers.items() if name != REASON}
            audit_log.note(
                match,
                who=who(request),
                verb=bulk.verb,
                said=str(bulk.label),
                before={},
                after=after,
                now=now,
                reason=str(answers.get(REASON, "")),
            )
    return number

"""Clocks at the desk: the time control, the time left, filters by deadline, and holidays."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, cast

from django import forms
from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminDateWidget

from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.forms import refusal
from pbem.admin.base.lists import when
from pbem.admin.base.pages import ReadOnlyAdmin, link
from pbem.admin.base.search import number
from pbem.admin.letters.shunted import number as called
from pbem.inbox.models import InboundMail
from pbem.matches.clock.absences import add_holiday, take_back
from pbem.matches.clock.service import remaining
from pbem.matches.models import ExemptInterval, Match, MatchQuerySet
from pbem.outbox.delivery.clock_start import standing_still
from pbem.outbox.rendering.durations import in_words, unlabelled
from pbem.players.models import Holiday, Player
from pbem.refusals import Refused

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
        lines.append(gettext("The clock stands still."))
    lines += [
        format_html("{} {}", gettext("Until somebody has decided about this email:"), link(row, called(row)))
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
        help_text=gettext_lazy("All clocks stand still, from midnight to midnight where each player lives."),
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
                form.add_error("day", refusal(refused))
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

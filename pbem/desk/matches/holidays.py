"""Holidays at the desk: announced, listed, taken back."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy
from unfold.widgets import UnfoldAdminDateWidget

from pbem.desk.base.forms import refusal
from pbem.desk.base.pages import ReadOnlyAdmin
from pbem.desk.base.verbs import Button, Pressed
from pbem.matches.clock.holidays import keep, take_back
from pbem.players.models import Holiday
from pbem.refusals import Refused


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
        """A holiday moves deadlines, so that a service announces it."""
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = HolidayForm(request.POST or None)
        if form.is_valid():
            try:
                return self._kept(request, form)
            except Refused as refused:
                form.add_error("day", refusal(refused))
        return self.form_page(request, form, gettext("Announce a holiday"), gettext("Announce it"))

    def buttons(self, holiday: Holiday) -> Sequence[Button]:
        return [
            Button(
                verb="take-back",
                label=gettext("Take it back"),
                done=gettext("It is a day like any other again; the deadlines have moved."),
                press=partial(_take_back, holiday),
            )
        ]

    @transaction.atomic
    def _kept(self, request: HttpRequest, form: HolidayForm) -> HttpResponse:
        holiday = keep(form.cleaned_data["day"], now=timezone.now())
        self.made(request, holiday, "keep", gettext("Announce a holiday"))
        self.message_user(request, gettext("The holiday is announced; the deadlines have moved."))
        return redirect("admin:players_holiday_changelist")


def _take_back(holiday: Holiday, pressed: Pressed) -> None:
    take_back(holiday, now=pressed.now)

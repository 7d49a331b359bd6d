"""Circuits at the desk: several contests, and events elsewhere, with one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from pbem.contests.models import Circuit
from pbem.desk.base.pages import ReadOnlyAdmin, link, page_of
from pbem.desk.base.verbs import Button, Pressed
from pbem.desk.contests.forms import CircuitForm, StageForm


class CircuitAdmin(ReadOnlyAdmin):
    change_form_template = "admin/contests/circuit/change_form.html"
    list_display = ("number", "name", "best")
    list_display_links = ("number", "name")
    fields = ("name", "said_points", "best")

    def has_add_permission(self, request: HttpRequest) -> bool:
        return super(ReadOnlyAdmin, self).has_add_permission(request)

    def add_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not self.has_add_permission(request):
            raise PermissionDenied
        form = CircuitForm(request.POST or None)
        heading = gettext("New circuit")
        if not form.is_valid():
            return self.form_page(request, form, heading, gettext("Create the circuit"))
        answers = form.cleaned_data
        with transaction.atomic():
            circuit = Circuit.objects.create(
                name=answers["name"], points=answers["points"], best=answers["best"] or 0
            )
            self.log_addition(request, circuit, heading)
        self.message_user(request, gettext("Now add its events."), messages.SUCCESS)
        return redirect(page_of(circuit))

    def buttons(self, circuit: Circuit) -> Sequence[Button]:
        return [
            Button(
                verb="add-event",
                label=_("Add an event"),
                done=_("The event is part of the circuit."),
                press=partial(_add, circuit),
                asks=StageForm,
            )
        ]

    def page(self, request: HttpRequest, circuit: Circuit) -> Mapping[str, Any]:
        stages = circuit.stages.select_related("contest").order_by("pk")
        events = [link(stage.contest) if stage.contest else str(stage) for stage in stages]
        return {"standing": circuit.standing(), "events": events}

    @admin.display(description=_("points by place"))
    def said_points(self, circuit: Circuit) -> str:
        return ", ".join(map(str, circuit.points))


def _add(circuit: Circuit, pressed: Pressed) -> None:
    answers = pressed.answers
    circuit.stages.create(
        contest=answers["contest"],
        name=answers["event"],
        imported=answers["results"] if answers["event"] else "",
    )

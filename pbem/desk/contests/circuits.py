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

from pbem.contests.models import Circuit, Stage
from pbem.desk.base import audit_log
from pbem.desk.base.pages import ReadOnlyAdmin, link, page_of
from pbem.desk.base.verbs import Button, Pressed
from pbem.desk.contests.circuit_forms import CircuitForm, CorrectEventForm, StageForm

EVENT = "event-"  # before the number of an event, in the verb that corrects it


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

    def seen(self, row: Any) -> audit_log.Seen:
        """With its events, and what was imported of them."""
        stages = row.stages.select_related("contest").order_by("pk")
        return {**super().seen(row), **{f"event {each.pk}": f"{each}\n{each.imported}" for each in stages}}

    def buttons(self, circuit: Circuit) -> Sequence[Button]:
        return [
            Button(
                verb="add-event",
                label=_("Add an event"),
                done=_("The event is part of the circuit."),
                press=partial(_add, circuit),
                asks=StageForm,
            ),
            Button(
                verb="correct",
                label=_("Correct the circuit"),
                done=_("The circuit was corrected."),
                press=partial(_correct, circuit),
                asks=partial(CircuitForm, circuit=circuit),
                reason=True,
            ),
            *(_correction(stage) for stage in circuit.stages.select_related("contest").order_by("pk")),
        ]

    def page(self, request: HttpRequest, circuit: Circuit) -> Mapping[str, Any]:
        """The corrections of events stand beside them."""
        stages = list(circuit.stages.select_related("contest").order_by("pk"))
        mine = [each for each in self.buttons(circuit) if self.may_press(request, each)]
        beside = {each.verb: each for each in mine if each.verb.startswith(EVENT)}
        events = [
            (link(stage.contest) if stage.contest else str(stage), beside.get(f"{EVENT}{stage.pk}"))
            for stage in stages
        ]
        return {
            "standing": circuit.standing(),
            "events": events,
            "buttons": [each for each in mine if each.verb not in beside],
        }

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


def _correct(circuit: Circuit, pressed: Pressed) -> None:
    answers = pressed.answers
    circuit.name, circuit.points, circuit.best = answers["name"], answers["points"], answers["best"] or 0
    circuit.save(update_fields=["name", "points", "best"])


def _correction(stage: Stage) -> Button:
    return Button(
        verb=f"{EVENT}{stage.pk}",
        label=gettext("Correct: %(event)s") % {"event": stage},
        done=_("The event was corrected."),
        press=partial(_put_right, stage),
        asks=partial(CorrectEventForm, stage),
        reason=True,
        tells=_("The table is counted anew. What stood there before is kept in the log, with your reason."),
    )


def _put_right(stage: Stage, pressed: Pressed) -> None:
    answers = pressed.answers
    if answers["out"]:
        stage.delete()
        return
    stage.name, stage.imported = answers["event"], answers["results"]
    stage.save(update_fields=["name", "imported"])

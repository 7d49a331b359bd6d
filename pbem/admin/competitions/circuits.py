"""Circuits at the desk: several contests, and events elsewhere, with one table."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied, ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from pbem.admin.base import audit_log
from pbem.admin.base.actions import ActionInput, AdminAction
from pbem.admin.base.pages import ReadOnlyAdmin, link, page_of
from pbem.admin.competitions.forms import number
from pbem.competitions.models import Circuit, Contest, Stage
from pbem.competitions.systems.tie_breaks import BadLine, read_results

# Forms


def _results(*, required: bool) -> forms.CharField:
    return forms.CharField(
        label=_("Its results"),
        required=required,
        max_length=100_000,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 8, "spellcheck": "false"}),
        help_text=format_lazy(
            "{} 1;Alice",
            _("CSV: in each line the place and the name. Names that players have here are theirs."),
        ),
    )


class CircuitForm(forms.Form):
    """A circuit, new or to correct."""

    name = forms.CharField(label=_("Name"), max_length=60, widget=UnfoldAdminTextInputWidget)
    points = forms.CharField(
        label=_("Points by place"),
        initial="25, 18, 15, 12, 10, 8, 6, 4, 2, 1",
        widget=UnfoldAdminTextInputWidget,
        help_text=_("From the first place on. Who shares a place shares the points."),
    )
    best = number(_("Results that count"), _("The best of each player; empty or 0: all."))

    def __init__(self, sent: Any, circuit: Circuit | None = None) -> None:
        said = (
            {"name": circuit.name, "points": ", ".join(map(str, circuit.points)), "best": circuit.best}
            if circuit
            else None
        )
        super().__init__(sent, initial=said)
        self.circuit = circuit

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        others = Circuit.objects.exclude(pk=self.circuit.pk) if self.circuit else Circuit.objects.all()
        if others.filter(name=name).exists():
            raise ValidationError(gettext("There is a circuit of this name. Choose another name."))
        return name

    def clean_points(self) -> list[int]:
        said = self.cleaned_data["points"].replace(";", ",").split(",")
        try:
            return [int(each) for each in said if each.strip()]
        except ValueError:
            raise ValidationError(gettext("Write whole numbers with commas between.")) from None


def _said_of(circuit: Circuit) -> Mapping[str, Any]:
    points = ", ".join(map(str, circuit.points))
    return {"name": circuit.name, "points": points, "best": circuit.best}


class StageForm(forms.Form):
    """A contest of ours, or an event elsewhere with its results."""

    contest = forms.ModelChoiceField(
        Contest.objects.order_by("-pk"), label=_("Contest"), required=False, widget=UnfoldAdminSelectWidget
    )
    event = forms.CharField(
        label=_("Or an event elsewhere"), max_length=80, required=False, widget=UnfoldAdminTextInputWidget
    )
    results = _results(required=False)

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        if bool(answers.get("contest")) == bool(answers.get("event")):
            raise ValidationError(gettext("Choose a contest, or name an event elsewhere."))
        if answers.get("event"):
            _check_results(self, answers)
        return answers


class CorrectEventForm(forms.Form):
    """Corrects an event: imported results may change, and any event may be taken out."""

    event = forms.CharField(label=_("Event"), max_length=80, widget=UnfoldAdminTextInputWidget)
    results = _results(required=True)
    out = forms.BooleanField(
        label=_("Take it out of the circuit"), required=False, widget=UnfoldBooleanWidget
    )

    def __init__(self, stage: Stage, sent: Any) -> None:
        super().__init__(sent, initial={"event": stage.name, "results": stage.imported})
        if stage.contest_id is not None:  # its places are its own
            del self.fields["event"], self.fields["results"]
            self.fields["out"].required = True

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        if "results" in self.fields and not answers.get("out"):
            _check_results(self, answers)
        return answers


def _check_results(form: forms.Form, answers: Mapping[str, Any]) -> None:
    try:
        if not read_results(answers.get("results", ""), ""):
            form.add_error("results", gettext("There is no result in it."))
    except BadLine as bad:
        said = gettext("Line %(number)s has no place and name: %(text)s")
        form.add_error("results", said % {"number": bad.number, "text": bad.text})


EVENT = "event-"  # followed by the number of an event: the verb that corrects it


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
        """Adds the events and their imported results."""
        stages = row.stages.select_related("contest").order_by("pk")
        return {**super().seen(row), **{f"event {each.pk}": f"{each}\n{each.imported}" for each in stages}}

    def buttons(self, circuit: Circuit) -> Sequence[AdminAction]:
        return [
            AdminAction(
                verb="add-event",
                label=_("Add an event"),
                done=_("The event is part of the circuit."),
                press=partial(_add, circuit),
                asks=StageForm,
            ),
            AdminAction(
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
        """Shows the corrections of events beside them."""
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


def _add(circuit: Circuit, pressed: ActionInput) -> None:
    answers = pressed.answers
    circuit.stages.create(
        contest=answers["contest"],
        name=answers["event"],
        imported=answers["results"] if answers["event"] else "",
    )


def _correct(circuit: Circuit, pressed: ActionInput) -> None:
    answers = pressed.answers
    circuit.name, circuit.points, circuit.best = answers["name"], answers["points"], answers["best"] or 0
    circuit.save(update_fields=["name", "points", "best"])


def _correction(stage: Stage) -> AdminAction:
    return AdminAction(
        verb=f"{EVENT}{stage.pk}",
        label=gettext("Correct: %(event)s") % {"event": stage},
        done=_("The event was corrected."),
        press=partial(_put_right, stage),
        asks=partial(CorrectEventForm, stage),
        reason=True,
        help_text=_(
            "The table is counted anew. What stood there before is kept in the log, with your reason."
        ),
    )


def _put_right(stage: Stage, pressed: ActionInput) -> None:
    answers = pressed.answers
    if answers["out"]:
        stage.delete()
        return
    stage.name, stage.imported = answers["event"], answers["results"]
    stage.save(update_fields=["name", "imported"])

"""What is asked for a circuit: its points, its events, and the results of those elsewhere."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils.text import format_lazy
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from pbem.contests.models import Circuit, Contest, Stage
from pbem.contests.systems.circuit import BadLine, read_results
from pbem.desk.contests.forms import number


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
    """Of a new circuit, or of one to correct."""

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
    """What was imported of an event elsewhere, to be put right; any event may be taken out."""

    event = forms.CharField(label=_("Event"), max_length=80, widget=UnfoldAdminTextInputWidget)
    results = _results(required=True)
    out = forms.BooleanField(
        label=_("Take it out of the circuit"), required=False, widget=UnfoldBooleanWidget
    )

    def __init__(self, stage: Stage, sent: Any) -> None:
        super().__init__(sent, initial={"event": stage.name, "results": stage.imported})
        if stage.contest_id is not None:  # whose places are its own
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

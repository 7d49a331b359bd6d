"""What is agreed on for the matches that the organiser starts: asked in a form, said in sentences."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.template import Context
from django.template.loader import get_template
from django.utils.translation import gettext, pgettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget, UnfoldBooleanWidget

from pbem.desk.base.forms import refusal
from pbem.matches.terms import Terms, read_terms
from pbem.outbox.rendering.durations import POLICIES
from pbem.refusals import Refused


class TermsForm(forms.Form):
    """`clean` puts the `Terms` beside the answers, as `terms`."""

    clock = forms.CharField(
        label=_("Clock"),
        required=False,
        initial=lambda: pgettext("a clock that challenges understand", "league"),
        widget=UnfoldAdminTextInputWidget,
        help_text=_(
            "league is 10d+36h<=10d: ten days at the start, 36 hours more with each move, never more than ten days. "
            "3d/move is three days for each move; no clock: nobody's time is limited. Empty: league."
        ),
    )
    policy = forms.ChoiceField(
        label=_("When somebody's time is over"),
        required=False,
        choices=lambda: [(name, str(said)) for name, said in POLICIES.items()],
        widget=UnfoldAdminSelectWidget,
    )
    rated = forms.BooleanField(
        label=_("Rated"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_("The results change the ratings of the players."),
    )
    absence = forms.BooleanField(
        label=_("Absences and pauses"),
        required=False,
        initial=True,
        widget=UnfoldBooleanWidget,
        help_text=_("Clocks stand still while a player is away, and matches may be paused."),
    )
    automatic = forms.BooleanField(
        label=_("Automatic absence"),
        required=False,
        initial=True,
        widget=UnfoldBooleanWidget,
        help_text=_("A day of absence is taken for a player who has nearly used up their time."),
    )
    forced = forms.BooleanField(
        label=_("Forced moves"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_("Where the rules leave one move only, the service plays it."),
    )

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        terms = replace(
            self._timed(answers.get("clock", "")),
            policy=answers.get("policy") or "loss",
            rated=bool(answers.get("rated")),
            absence=bool(answers.get("absence")),
            automatic=bool(answers.get("automatic")),
            forced=bool(answers.get("forced")),
        )
        return answers | {"terms": terms}

    def _timed(self, clock: str) -> Terms:
        """Blanks count for nothing: `10d + 36h`."""
        try:
            terms, rest = read_terms(clock.split())
        except Refused as refused:
            raise ValidationError({"clock": refusal(refused)}) from None
        if rest or (clock.strip() and not terms.clock):
            raise ValidationError({"clock": gettext("This is no clock.")})
        return terms.clocked


def in_sentences(terms: Terms, *, clock: bool = True) -> str:
    """As letters say them, not escaped; "" where nothing was agreed on."""
    template = "mail/parts/terms.txt" if clock else "mail/parts/terms_but_clock.txt"
    found = get_template(template).template  # type: ignore[attr-defined]  # of Django's own engine
    return str(found.render(Context({"terms": terms}, autoescape=False))).strip()

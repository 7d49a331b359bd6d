"""Forms of tournaments: how one begins, its pairings, imported records."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
)

from pbem.admin.base.forms import GameForm, refusal
from pbem.admin.matches.moves import notation_of, notations
from pbem.admin.matches.terms import TermsForm
from pbem.competitions.pairings import pairings, players_listed
from pbem.matches import arbitration
from pbem.matches.models import Tournament
from pbem.matches.offers import Mistake, Mistaken
from pbem.refusals import Code, sentence

SHOWN = 30  # mistakes at once
AT_ONCE = "all"


def _large(label: Any, help_text: Any, *, required: bool = True) -> forms.CharField:
    widget = UnfoldAdminTextareaWidget(attrs={"rows": 10, "spellcheck": "false"})
    return forms.CharField(
        label=label, help_text=help_text, widget=widget, max_length=2_000_000, required=required
    )


def _pairings(*, required: bool) -> forms.CharField:
    return _large(
        _("Pairings"),
        _(
            "One on each line: first player, second player and, where it is another, the game. "
            "Names or addresses, separated by commas, semicolons or tabs, as pasted from a "
            "spreadsheet."
        ),
        required=required,
    )


class NewTournamentForm(GameForm, TermsForm):
    field_order: Sequence[str] = ("name", "game", "switches")

    name = forms.CharField(label=_("Name"), max_length=80, widget=UnfoldAdminTextInputWidget)

    def clean_name(self) -> str:
        name: str = self.cleaned_data["name"].strip()
        if Tournament.objects.filter(name=name).exists():
            raise ValidationError(sentence(Code.TOURNAMENT_EXISTS))
        return name

    def clean(self) -> dict[str, Any]:
        answers = super().clean()
        if "game" in answers:
            answers["game_name"] = self.canonical_name()
        return answers

    def as_read(self) -> Mapping[str, Any]:
        """Returns what was sent, to send the form again."""
        return self.data


class ListForm(NewTournamentForm):
    """A tournament from a list of pairings, pasted or in a file."""

    field_order = ("name", "pairings", "sheet", "game", "switches")

    pairings = _pairings(required=False)
    sheet = forms.FileField(
        label=_("Or a file"),
        required=False,
        widget=forms.ClearableFileInput(attrs={"accept": ".csv,.tsv,.txt,text/*"}),
        help_text=_("CSV or text, with the same lines."),
    )

    def clean(self) -> dict[str, Any]:
        answers = super().clean()
        answers["text"] = _pasted(self, "pairings", "sheet")
        if "game_name" in answers:
            _check(self, "pairings", lambda: pairings(answers["text"], game=answers["game_name"]))
        return answers

    def as_read(self) -> Mapping[str, Any]:
        """Adds the lines of the file, which the browser does not send again."""
        return {**dict(self.data.items()), "pairings": self.cleaned_data["text"]}


class RoundRobinForm(NewTournamentForm):
    field_order = ("name", "players", "system", "begin", "game", "switches")

    players = _large(_("Players"), _("Names or addresses, one on each line or separated by commas."))
    system = forms.ChoiceField(
        label=_("Kind of tournament"),
        choices=[
            (Tournament.System.SINGLE, _("everybody meets everybody once")),
            (Tournament.System.DOUBLE, _("twice, with the sides changed")),
        ],
        widget=UnfoldAdminSelectWidget,
    )
    begin = forms.ChoiceField(
        label=_("Begin"),
        choices=[(AT_ONCE, _("all matches at once")), ("first", _("round by round"))],
        widget=UnfoldAdminSelectWidget,
    )

    def clean(self) -> dict[str, Any]:
        answers = super().clean()
        listed = _check(self, "players", lambda: players_listed(answers.get("players", "")))
        if listed is not None and len(listed) < 2:
            self.add_error("players", sentence(Code.TOO_FEW_PLAYERS))
        return answers | {"listed": listed}


class PairingsForm(forms.Form):
    """One more round of a tournament without a system."""

    pairings = _pairings(required=True)

    def __init__(self, tournament: Tournament, sent: Any) -> None:
        super().__init__(sent)
        self.tournament = tournament

    def clean_pairings(self) -> str:
        text: str = self.cleaned_data["pairings"]
        _check(self, "pairings", lambda: pairings(text, game=self.tournament.game_name))
        return text


class ImportForm(forms.Form):
    """Imports records, pasted or in a file."""

    records = _large(
        _("Records"),
        _("One or several, as JSON or as score sheets, as they are exported here."),
        required=False,
    )
    file = forms.FileField(label=_("Or a file"), required=False)
    notation = forms.ChoiceField(
        label=_("Notation of score sheets"),
        choices=lambda: [("", "---------"), *notations()],
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text=_("Of those without a tag [Notation ...] alone; the others say it themselves."),
    )
    tournament = forms.ModelChoiceField(
        Tournament.objects.order_by("-pk"),
        label=_("Tournament"),
        required=False,
        widget=UnfoldAdminSelectWidget,
        help_text=_("Of which these matches are a part; its terms hold for those that go on."),
    )

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        answers["text"] = _pasted(self, "records", "file")
        tournament = answers.get("tournament")
        now = timezone.now()
        notation = notation_of(answers.get("notation", ""))
        try:
            arbitration.check(answers["text"], notation=notation, tournament=tournament, now=now)
        except Mistaken as mistaken:
            if any(mistake.refused.code == Code.WHICH_NOTATION for mistake in mistaken.mistakes):
                self.add_error("notation", sentence(Code.WHICH_NOTATION))
            else:
                _show(self, "records", mistaken)
        return answers


def _pasted(form: forms.Form, pasted: str, sent: str) -> str:
    """Returns the pasted text and the file; adds an error to the form when both are empty."""
    text = str(form.cleaned_data.get(pasted) or "")
    if file := form.cleaned_data.get(sent):
        text = f"{text}\n{file.read().decode('utf-8-sig', 'replace')}".lstrip("\n")
    text = text.replace("\0", "\ufffd")  # databases refuse NUL, and a file may hold anything
    if not text.strip():
        form.add_error(pasted, gettext("Paste something, or choose a file."))
    return text


def _check(form: forms.Form, field: str, read: Callable[[], Any]) -> Any:
    """Returns what `read` returns. None when lines are wrong: they become numbered errors of the field."""
    try:
        return read()
    except Mistaken as mistaken:
        _show(form, field, mistaken)
        return None


def _show(form: forms.Form, field: str, mistaken: Mistaken) -> None:
    for mistake in mistaken.mistakes[:SHOWN]:
        form.add_error(field, _in_words(mistake))
    more = len(mistaken.mistakes) - SHOWN
    if more > 0:
        form.add_error(field, gettext("And %(number)s more.") % {"number": more})


def _in_words(mistake: Mistake) -> str:
    facts = {"line": mistake.line, "text": mistake.text, "why": refusal(mistake.refused)}
    return gettext("%(line)s: %(text)s – %(why)s") % facts

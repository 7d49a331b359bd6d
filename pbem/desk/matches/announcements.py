"""A letter of the organiser to players of a tournament: to whom, in which words, and a look at it before it leaves."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from pbem.desk.base.verbs import Button, Pressed
from pbem.desk.matches.moves import language_name
from pbem.matches.models import Announcement, Tournament
from pbem.outbox.notifications.announcements import announce, readers, unanswered

To = Announcement.To
SUBJECT = "subject_"  # before the code of a language
NAMED = 60  # names of a preview


class AnnounceForm(forms.Form):
    """Words and a subject for each language, and the table."""

    to = forms.ChoiceField(
        label=_("To"), choices=To.choices, initial=To.ALL, required=False, widget=UnfoldAdminSelectWidget
    )
    standings = forms.BooleanField(
        label=_("With the cross-table"), required=False, widget=UnfoldBooleanWidget
    )
    copy = forms.BooleanField(label=_("A copy to me"), required=False, widget=UnfoldBooleanWidget)

    def __init__(self, sent: Any) -> None:
        super().__init__(sent)
        for code, _name in settings.LANGUAGES:
            language = {"language": language_name(code)}
            self.fields[SUBJECT + code] = forms.CharField(
                label=gettext("Subject (%(language)s)") % language,
                required=False,
                max_length=120,
                widget=UnfoldAdminTextInputWidget(attrs={"lang": code}),
            )
            self.fields[code] = forms.CharField(
                label=gettext("Your own words (%(language)s)") % language,
                required=False,
                max_length=20_000,
                widget=UnfoldAdminTextareaWidget(attrs={"rows": 8, "lang": code}),
            )
        each = [name for code, _name in settings.LANGUAGES for name in (SUBJECT + code, code)]
        self.order_fields(["to", *each, "standings", "copy"])
        self.fields[settings.LANGUAGES[-1][0]].help_text = gettext(
            "Each player gets the words in their own language; if there are none, those in the other."
        )

    def clean(self) -> dict[str, Any]:
        answers = super().clean() or {}
        words = {code: answers.get(code, "") for code, _name in settings.LANGUAGES}
        subjects = {code: answers.get(SUBJECT + code, "") for code, _name in settings.LANGUAGES}
        if not any(map(str.strip, words.values())) and not answers.get("standings"):
            raise ValidationError(gettext("Write something, or send the table."))
        return answers | {"words": words, "subjects": subjects, "to": answers.get("to") or To.ALL}


def button(tournament: Tournament) -> Button:
    return Button(
        verb="announce",
        label=_("Write to the players"),
        done=_("The letters have been sent."),
        press=partial(_announced, tournament),
        asks=AnnounceForm,
        tells=_("Nobody sees the address of another."),
        shows=partial(preview, tournament),
    )


def preview(tournament: Tournament, answers: Mapping[str, Any]) -> list[str]:
    """To whom, how many, and the words of each language."""
    to = answers["to"]
    names = [player.name for player in readers(tournament, to)]
    names += [each.address for each in unanswered(tournament)] if to == To.MISSING else []
    said = ngettext("To %(number)s reader: %(names)s", "To %(number)s readers: %(names)s", len(names))
    more = " …" if len(names) > NAMED else ""
    shown = [said % {"number": len(names), "names": ", ".join(names[:NAMED]) + more}]
    for code, _name in settings.LANGUAGES:
        if answers["words"][code].strip():
            subject = answers["subjects"][code].strip() or tournament.name
            head = gettext("Subject (%(language)s)") % {"language": language_name(code)}
            shown.append(f"{head}: {subject}\n\n{answers['words'][code].strip()}")
    if answers["standings"]:
        shown.append(gettext("With the cross-table"))
    return shown


def _announced(tournament: Tournament, pressed: Pressed) -> None:
    """Raises ValidationError where nobody is meant, or a copy has nowhere to go."""
    answers = pressed.answers
    to = answers["to"]
    if not (unanswered(tournament) if to == To.MISSING else readers(tournament, to)):
        raise ValidationError(gettext("There is nobody to write to."))
    if answers["copy"] and not pressed.email:
        raise ValidationError(gettext("Your account has no address for a copy."))
    announce(
        tournament,
        answers["words"],
        subjects=answers["subjects"],
        to=to,
        standings=answers["standings"],
        copy_to=pressed.email if answers["copy"] else "",
        language=get_language() or "",
        now=pressed.now,
    )

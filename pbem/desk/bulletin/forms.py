"""What the buttons of a bulletin ask."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.core.exceptions import ValidationError
from django.utils.translation import get_language, gettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextareaWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from games.move_numbers import MoveNumber, mark
from pbem.matches.models import Commentary, Match

_POSITION = re.compile(r"(?P<number>\d+)\s*(?P<dots>\.*)\s*(?P<caption>.*)")
MOST = 24  # positions of one match


def _markdown(label: Any, help_text: Any = "", rows: int = 8) -> forms.CharField:
    widget = UnfoldAdminTextareaWidget(attrs={"rows": rows})
    return forms.CharField(label=label, help_text=help_text, required=False, max_length=50_000, widget=widget)


class BulletinForm(forms.Form):
    words = _markdown(
        _("Your own words"), _("Above the results. Markdown: *italic*, **bold**, # heading, - list.")
    )
    language = forms.ChoiceField(
        label=_("Language"), choices=settings.LANGUAGES, widget=UnfoldAdminSelectWidget
    )
    puzzle = forms.BooleanField(
        label=_("With a puzzle"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_(
            "The newest of this game that no number had, from any match that is over; its players are not named. "
            "The solution stands at the end."
        ),
    )
    publish = forms.BooleanField(
        label=_("This is the number that is published"),
        required=False,
        widget=UnfoldBooleanWidget,
        help_text=_("The next one begins where it ends. Without it: a draft, of which nothing is kept."),
    )

    def __init__(self, sent: Any) -> None:
        super().__init__(sent)
        self.fields["language"].initial = get_language() or settings.LANGUAGE_CODE


class CommentaryForm(forms.Form):
    """What bulletins say of a match. `positions` become captions by how many half-moves were played."""

    title = forms.CharField(
        label=_("Title"), required=False, max_length=200, widget=UnfoldAdminTextInputWidget
    )
    words = _markdown(_("Comments"), _("Markdown: *italic*, **bold**, # heading, - list."))
    positions = _markdown(
        _("Positions to show"),
        _(
            "One on each line, by the move behind which it stands, and what is written below it: "
            "“12. White threatens” or “12... And now?”; 0 is the start."
        ),
        rows=5,
    )

    def __init__(self, match: Match, sent: Any) -> None:
        super().__init__(sent)
        self.match = match
        said = Commentary.objects.filter(match=match).first()
        if said:
            self.fields["title"].initial, self.fields["words"].initial = said.title, said.words
            lines = (f"{_called(each.plies)} {each.caption}".strip() for each in said.positions.all())
            self.fields["positions"].initial = "\n".join(lines)

    def clean_positions(self) -> Mapping[int, str]:
        """Raises ValidationError for the first line that names no position."""
        found: dict[int, str] = {}
        for line in filter(None, map(str.strip, self.cleaned_data["positions"].splitlines())):
            plies, caption = self._read(line)
            if plies in found:
                raise ValidationError(gettext("%(line)s: this position stands there twice.") % {"line": line})
            found[plies] = caption
        if len(found) > MOST:
            raise ValidationError(gettext("At most %(most)s at a time.") % {"most": MOST})
        return found

    def _read(self, line: str) -> tuple[int, str]:
        written = _POSITION.fullmatch(line)
        number = MoveNumber.read(f"{written['number']}{written['dots'][:3]}") if written else None
        if written is None or number is None:
            raise ValidationError(gettext("%(line)s: write the number of a move first.") % {"line": line})
        plies = _plies(number, self.match.ply)
        if plies is None:
            why = gettext("%(line)s: there is no such move; the last one is %(last)s")
            raise ValidationError(why % {"line": line, "last": _called(self.match.ply)})
        if len(written["caption"]) > 300:
            raise ValidationError(gettext("%(line)s: at most 300 characters.") % {"line": line})
        return plies, written["caption"]


def _plies(number: MoveNumber, played: int) -> int | None:
    """How many half-moves stand before the board; a bare number is behind both moves."""
    if number.side is None or not number.number:
        return number.plies(played)
    plies = number.ply(number.side) + 1
    return plies if plies <= played else None


def _called(plies: int) -> str:
    """`12...`, the latest move; 0 the start."""
    return mark(plies - 1) if plies else "0"

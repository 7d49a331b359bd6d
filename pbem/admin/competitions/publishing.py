"""Shows a contest on the public pages, or takes it from there."""

from __future__ import annotations

from django import forms
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from pbem.admin.base.actions import AdminAction
from pbem.competitions.models import Contest
from pbem.published.competition_page import unnamed_in


def button(contest: Contest) -> AdminAction:
    """Returns the button, which says first how many players would not be named."""
    if contest.public:
        return AdminAction(
            verb="hide",
            label=_("Take it from the site"),
            done=_("The site shows it no more."),
            press=lambda _pressed: _show(contest, shown=False),
        )
    n = unnamed_in(contest, timezone.now())
    told = ngettext(
        "%(n)s player has not said that the site may name them, and is called by a number there.",
        "%(n)s players have not said that the site may name them, and are called by numbers there.",
        n,
    ) % {"n": n}
    return AdminAction(
        verb="show",
        label=_("Show it on the site"),
        done=_("The site shows it."),
        press=lambda _pressed: _show(contest, shown=True),
        asks=forms.Form,
        help_text=told,
    )


def _show(contest: Contest, *, shown: bool) -> None:
    contest.public = shown
    contest.save(update_fields=["public"])

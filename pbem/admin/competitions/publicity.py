"""The button that shows a competition on the site, or takes it from there."""

from __future__ import annotations

from functools import partial

from django import forms
from django.utils import timezone
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from pbem.admin.base.actions import AdminAction
from pbem.competitions.models import Competition
from pbem.published.competition_page import unnamed_in


def site_button(competition: Competition) -> AdminAction:
    """Returns the button, which says first how many players would not be named."""
    if competition.public:
        return AdminAction(
            verb="hide",
            label=_("Take it off the site"),
            done=_("The site no longer shows it."),
            press=lambda _pressed: _show(competition, shown=False),
        )
    return AdminAction(
        verb="show",
        label=_("Show it on the site"),
        done=_("The site shows it."),
        press=lambda _pressed: _show(competition, shown=True),
        asks=forms.Form,
        help_text=lazy(partial(_unnamed, competition), str)(),  # counted where the form is shown
    )


def _unnamed(competition: Competition) -> str:
    n = unnamed_in(competition, timezone.now())
    return ngettext(
        "%(n)s player has not allowed the site to name them, and appears there as a number.",
        "%(n)s players have not allowed the site to name them, and appear there as numbers.",
        n,
    ) % {"n": n}


def _show(competition: Competition, *, shown: bool) -> None:
    competition.public = shown
    competition.save(update_fields=["public"])

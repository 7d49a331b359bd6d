"""What can be done with a row at the desk: buttons, the questions they ask first, and the reason they want.

An admin lists the buttons of a row in `buttons(row)`; the rest happens by itself. It is shown to those who may press
it; what it asks is asked on a page of its own; `press` runs in one transaction with the entry of the audit, which has
the row's columns before and after. For example:

    Button("void", _("Void"), _("The match is void."), lambda pressed: void(match, pressed.reason, now=pressed.now),
           reason=True, grave=True)

`press` may raise `Refused` or `ValidationError`: nothing is done then, and the page says why. A service that raises
them from inside a form of several questions stands in `asks`, whose answers come as `pressed.answers["hours"]`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

REASON = "reason"


@dataclass(frozen=True)
class Pressed:
    """A button was pressed: by whom, when, why ("" where no reason is asked), and what its form was told. `email` is
    where the organiser who pressed it gets letters."""

    who: str
    now: datetime
    reason: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    email: str = ""


@dataclass(frozen=True)
class Button:
    """A verb. `verb` stands in its address and in the audit, `label` on it, `done` is said afterwards.

    `press` calls one service; a response that it returns is shown instead of the row's page. `asks` makes the form
    of what it must know, from what was sent or None. `tells` says above that form what will follow. `permission` is
    who may press: "" those who may change such rows. `grave` cannot be undone, and is red. What `forgets` leaves no
    columns in the audit: they would say what was to be forgotten. `shows` makes paragraphs of the answers, of what will
    follow: they are shown first, and only what was shown so is done.
    """

    verb: str
    label: StrPromise | str
    done: StrPromise | str
    press: Callable[[Pressed], object]
    reason: bool = False
    asks: Callable[[Any], forms.Form] | None = None
    tells: StrPromise | str = ""
    permission: str = ""
    grave: bool = False
    forgets: bool = False
    shows: Callable[[Mapping[str, Any]], Sequence[str]] | None = None

    @property
    def has_questions(self) -> bool:
        """Whether it leads to a form first."""
        return self.reason or self.asks is not None

    def form(self, sent: Any) -> forms.Form:
        """What it asks, with the reason as the last question; None for `sent` is an empty form."""
        form = self.asks(sent) if self.asks else forms.Form(sent)
        if self.reason:
            form.fields[REASON] = forms.CharField(
                label=_("Reason"),
                max_length=500,
                widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
                help_text=_("It is kept with what was done."),
            )
        return form

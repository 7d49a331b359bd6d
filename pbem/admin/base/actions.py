"""Admin actions: what can be done with a row, with the questions that are asked first, and reasons.

An admin lists the actions of a row, its buttons, in `buttons(row)`. A button is shown to users who may press it; its
questions are asked on a page of their own; `press` runs in one transaction with the audit entry, which has
the row's columns before and after. For example:

    AdminAction("void", _("Void"), _("The match is void."),
                lambda pressed: void(match, pressed.reason, now=pressed.now), reason=True, destructive=True)

`press` may raise `Refused` or `ValidationError`: nothing is done then, and the page says why. When a service
needs several answers, `asks` makes their form; they come as `pressed.answers["hours"]`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING, Any

from django import forms
from django.db import models
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget

from pbem.admin.signals import answers, row_actions

if TYPE_CHECKING:
    from django_stubs_ext import StrPromise

REASON = "reason"


@dataclass(frozen=True)
class ActionInput:
    """A pressed button: by which user, when, why ("" when no reason is asked), with the answers of its form,
    and the user's `email`."""

    who: str
    now: datetime
    reason: str = ""
    answers: Mapping[str, Any] = field(default_factory=dict)
    email: str = ""


@dataclass(frozen=True)
class AdminAction:
    """A verb. `verb` stands in its address and in the audit, `label` on it, `done` is shown afterwards.

    - `press` calls one service; a response that it returns is shown instead of the row's page.
    - `asks` makes the form of its questions, from what was sent or None; `help_text` is the text above that form.
    - `permission` is needed to press; "" is the permission to change such rows.
    - `destructive` cannot be undone, and is red.
    - `redact_audit`: the audit gets no columns, since they hold what is to be forgotten.
    - `preview` makes paragraphs about the consequences of the answers. They are shown first; the button acts
      only when they are still the same.
    """

    verb: str
    label: StrPromise | str
    done: StrPromise | str
    press: Callable[[ActionInput], object]
    reason: bool = False
    asks: Callable[[Any], forms.Form] | None = None
    help_text: StrPromise | str = ""
    permission: str = ""
    destructive: bool = False
    redact_audit: bool = False
    preview: Callable[[Mapping[str, Any]], Sequence[str]] | None = None

    @property
    def has_questions(self) -> bool:
        """Tells whether it leads to a form first."""
        return self.reason or self.asks is not None

    def form(self, sent: Any) -> forms.Form:
        """Returns the form, with the reason as the last question; it is empty when `sent` is None."""
        form = self.asks(sent) if self.asks else forms.Form(sent)
        if self.reason:
            form.fields[REASON] = forms.CharField(
                label=_("Reason"),
                max_length=500,
                widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
                help_text=_("Kept in the audit log."),
            )
        return form


def added_actions(row: models.Model) -> Iterator[AdminAction]:
    """Yields the buttons that other apps add to the page of a row."""
    for actions in answers(row_actions, type(row), row=row):
        yield from actions

"""Acts on many matches of a list at once: a form, a preview, then a result for each."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db import transaction
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from unfold.widgets import UnfoldAdminTextareaWidget, UnfoldAdminTextInputWidget

from pbem.admin.base import audit_log
from pbem.admin.base.actions import REASON
from pbem.admin.base.audited_admin import who
from pbem.admin.base.pages import SURE, previewed
from pbem.matches.clock.reminders import remind_now
from pbem.matches.clock.stops import extend
from pbem.matches.models import Match
from pbem.refusals import Refused

MOST = 200  # matches at a time
Done = Callable[[Match, Mapping[str, Any], datetime], bool]


class RemindForm(forms.Form):
    """Asks nothing."""


class GiveTimeForm(forms.Form):
    days = forms.IntegerField(
        label=_("Days"), min_value=1, max_value=365, initial=3, widget=UnfoldAdminTextInputWidget
    )
    reason = forms.CharField(
        label=_("Reason"),
        max_length=500,
        widget=UnfoldAdminTextareaWidget(attrs={"rows": 3}),
        help_text=_("Both players read your reason."),
    )


@dataclass(frozen=True)
class Bulk:
    """An action on many matches: `meant` says whether it concerns one, `do` whether it was performed."""

    verb: str
    label: Any
    form: type[forms.Form]
    meant: Callable[[Match], bool]
    do: Done
    done: Callable[[int], str]


def _remind(match: Match, answers: Mapping[str, Any], now: datetime) -> bool:
    return remind_now(match.pk, now=now)


def _give(match: Match, answers: Mapping[str, Any], now: datetime) -> bool:
    if match.moving is None:
        return False
    try:
        extend(match.moving, timedelta(days=answers["days"]), reason=answers[REASON], now=now)
    except Refused:
        return False
    return True


def _awaited(match: Match) -> bool:
    return match.status == Match.Status.PLAYING and match.to_move is not None and not match.stopped


REMIND = Bulk(
    "remind",
    _("Remind the player who is to move"),
    RemindForm,
    _awaited,
    _remind,
    lambda n: ngettext("%(n)s player was reminded.", "%(n)s players were reminded.", n) % {"n": n},
)
GIVE = Bulk(
    "give-time",
    _("Give time to the player who is to move"),
    GiveTimeForm,
    lambda match: _awaited(match) and match.agreed.control is not None,
    _give,
    lambda n: ngettext("%(n)s match got time.", "%(n)s matches got time.", n) % {"n": n},
)


@admin.action(description=REMIND.label, permissions=["press"])
def remind(desk: Any, request: HttpRequest, matches: QuerySet[Match]) -> HttpResponse | None:
    return _asked(desk, request, matches, REMIND, "remind")


@admin.action(description=GIVE.label, permissions=["press"])
def give_time(desk: Any, request: HttpRequest, matches: QuerySet[Match]) -> HttpResponse | None:
    return _asked(desk, request, matches, GIVE, "give_time")


def _asked(
    desk: Any, request: HttpRequest, matches: QuerySet[Match], bulk: Bulk, action: str
) -> HttpResponse | None:
    """Returns the page with the form and the preview. None when the action is done."""
    chosen = list(matches.order_by("pk")[:MOST])
    meant = [match for match in chosen if bulk.meant(match)]
    sent = request.POST if "sent" in request.POST or not bulk.form.base_fields else None
    form = bulk.form(sent)
    shown: Mapping[str, Any] = {}
    if form.is_valid():
        shown = previewed(preview(chosen, meant))
        if request.POST.get(SURE) == shown["sure"]:
            number = _done(request, meant, bulk, form.cleaned_data)
            desk.message_user(request, bulk.done(number), messages.SUCCESS)
            return None
    hidden = [("action", action), ("sent", "1"), *((ACTION_CHECKBOX_NAME, str(each.pk)) for each in chosen)]
    send = str(bulk.label) if shown else gettext("Preview")
    response: HttpResponse = desk.form_page(
        request, form, str(bulk.label), send, hidden=hidden, back=request.get_full_path(), **shown
    )
    return response


def preview(chosen: Sequence[Match], meant: Sequence[Match]) -> list[str]:
    """Returns the players and matches concerned, and how many matches are left out."""
    lines = [
        gettext("[%(number)s] %(name)s, against %(opponent)s")
        % {
            "number": match.pk,
            "name": match.moving.player.name,
            "opponent": match.seated[1 - match.moving.side].player.name,
        }
        for match in meant
        if match.moving
    ]
    left = len(chosen) - len(meant)
    said = ngettext("A letter about %(n)s match:", "Letters about %(n)s matches:", len(meant))
    shown = ["\n".join([said % {"n": len(meant)}, *lines])]
    if left:
        out = ngettext(
            "%(n)s is left out: nothing follows there.", "%(n)s are left out: nothing follows there.", left
        )
        shown.append(out % {"n": left})
    return shown


@transaction.atomic
def _done(request: HttpRequest, meant: Sequence[Match], bulk: Bulk, answers: Mapping[str, Any]) -> int:
    now, number = timezone.now(), 0
    for match in meant:
        if bulk.do(match, answers, now):
            number += 1
            after = {name: str(answer) for name, answer in answers.items() if name != REASON}
            audit_log.note(
                match,
                who=who(request),
                verb=bulk.verb,
                said=str(bulk.label),
                before={},
                after=after,
                now=now,
                reason=str(answers.get(REASON, "")),
            )
    return number

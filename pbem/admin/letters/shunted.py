"""Shunted letters, in and out: show them, try them again, or drop them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _

from pbem.admin.base.actions import AdminAction
from pbem.admin.base.pages import ReadOnlyAdmin
from pbem.inbox import shunt
from pbem.inbox.models import InboundMail
from pbem.inbox.services import open_again
from pbem.outbox import sending as outbox
from pbem.outbox.models import OutboundMail
from pbem.outbox.sending import send_again
from pbem.refusals import REFUSALS

Letter = InboundMail | OutboundMail
NUMBER = re.compile(r"(IN|OUT)-(\d{1,18})", re.IGNORECASE)


class NoSuchLetter(ValueError):
    """No shunted letter has this number; the message says why."""


def number(letter: Letter) -> str:
    """Returns the number of a letter: IN-12, OUT-7."""
    return f"{'IN' if isinstance(letter, InboundMail) else 'OUT'}-{letter.pk}"


def shunted() -> list[Letter]:
    """Returns the shunted letters, oldest first."""
    arrived = InboundMail.objects.shunted().defer("raw")
    leaving = OutboundMail.objects.shunted().defer("sections", "text")
    return sorted([*arrived, *leaving], key=_since)


def find(numbers: Iterable[str]) -> list[Letter]:
    """Returns the letters in the order asked. Raises NoSuchLetter unless each of them is shunted."""
    return [_find(written) for written in dict.fromkeys(number.upper() for number in numbers)]


def facts(letter: Letter) -> dict[str, object]:
    """Returns the facts of a letter for lists, for readers and for programs."""
    arrived = isinstance(letter, InboundMail)
    return {
        "number": number(letter),
        "since": _since(letter).isoformat(timespec="seconds"),
        "from": letter.sender or "<>" if isinstance(letter, InboundMail) else "",
        "to": letter.recipient if isinstance(letter, InboundMail) else letter.address,
        "match": letter.match_id,
        "stops": letter.holds_id,  # the clock of this match stands still
        "kind": letter.kind if isinstance(letter, OutboundMail) else "",
        "code": letter.verdict,
        "name": REFUSALS[letter.verdict].name,
        "attempts": letter.attempts if arrived else getattr(letter, "failures", 0),
        "trouble": letter.trouble,
    }


@transaction.atomic
def again(letters: Iterable[Letter], *, now: datetime) -> None:
    """Processes the letters as if for the first time."""
    for letter in letters:
        if isinstance(letter, InboundMail):
            open_again(letter)
        else:
            send_again(letter, now=now)


@transaction.atomic
def drop(letters: Iterable[Letter], *, why: str, who: str, now: datetime) -> None:
    """Drops the letters with a reason: they are kept, are shunted no longer, and their matches go on."""
    for letter in letters:
        if isinstance(letter, InboundMail):
            shunt.drop(letter, f"{why} ({who})", now)
        else:
            outbox.drop(letter, f"{why} ({who})", now)


def _find(written: str) -> Letter:
    read = NUMBER.fullmatch(written)
    if read is None:
        raise NoSuchLetter(f"{written!r} is no number of a letter; write for instance IN-12 or OUT-7")
    rows: type[Letter] = InboundMail if read[1] == "IN" else OutboundMail
    letter: Letter | None = rows._default_manager.filter(pk=int(read[2])).first()
    if letter is None:
        raise NoSuchLetter(f"there is no letter {written}")
    if not letter.is_shunted:
        what = (
            "was dropped before" if letter.dropped_at else f"has the verdict {letter.verdict or 'none yet'!r}"
        )
        raise NoSuchLetter(f"{written} is not shunted: it {what}")
    return letter


def _since(letter: Letter) -> datetime:
    return letter.received_at if isinstance(letter, InboundMail) else letter.created_at


# Admin pages of letters, with a button to drop shunted ones

DROPPED = ("trouble", "dropped_at", "dropped_why")  # fields that are empty in most letters


class ShuntableAdmin(ReadOnlyAdmin):
    """A letter at the desk, in or out."""

    def get_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        fields = super().get_fields(request, obj)
        return [field for field in fields if field not in DROPPED or getattr(obj, str(field), None)]

    def buttons(self, row: Any) -> Sequence[AdminAction]:
        if not row.is_shunted:
            return ()
        return [
            AdminAction(
                verb="drop",
                label=_("Drop"),
                done=_("Dropped, but a copy is kept."),
                press=lambda pressed: drop([row], why=pressed.reason, who=pressed.who, now=pressed.now),
                reason=True,
            )
        ]

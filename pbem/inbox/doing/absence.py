"""Being away, being here again, and time that players agree on."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

from django.db import transaction

from pbem.inbox.commands import Command
from pbem.inbox.commands.dates import Day
from pbem.inbox.commands.families.absence import Absences, Away, Back, Give, Pause
from pbem.inbox.doing.counting import count
from pbem.inbox.doing.work import Doer
from pbem.inbox.letters.relaying import relayed
from pbem.matches import offers
from pbem.matches.models import Offer
from pbem.matches.time import absences, giving, pausing
from pbem.outbox.absences import facts_of, section_for
from pbem.refusals import Refused

if TYPE_CHECKING:
    from pbem.inbox.doing.doing import Doing


def _list(doing: Doing, command: Absences) -> None:
    _tell(doing)


@transaction.atomic
def _away(doing: Doing, away: Away) -> None:
    count("absences", doing, refusal="K20")
    first = _day(doing, away.first)
    if away.last is not None:
        last = _day(doing, away.last, since=first)
    else:
        last = first + timedelta(days=(away.days or 1) - 1)
    absence = absences.go_away(
        doing.player,
        first,
        last,
        message=relayed(away.text),
        now=doing.now,
        arrived=doing.arrival,
        letter=doing.row.pk,
    )
    doing.locked.clear()  # their clocks have been set anew
    _tell(doing, done="announced", changed=facts_of(absence))


@transaction.atomic
def _back(doing: Doing, back: Back) -> None:
    count("absences", doing, refusal="K20")
    day = _day(doing, back.day) if back.day else None
    absence = absences.come_back(doing.player, day=day, now=doing.now, letter=doing.row.pk)
    doing.locked.clear()
    done = "ended" if absence.pk else "taken back"
    _tell(doing, done=done, changed=facts_of(absence))


@transaction.atomic
def _pause(doing: Doing, pause: Pause) -> None:
    seat = doing.seat(pause.match)
    count("asks", doing, seat=seat, refusal="K19")
    pausing.check(seat, pause.days)
    offers.make(
        seat,
        Offer.Kind.PAUSE,
        days=pause.days,
        now=doing.now,
        arrived=doing.arrival_in(seat),
        letter=doing.row.pk,
    )


@transaction.atomic
def _give(doing: Doing, give: Give) -> None:
    seat = doing.seat(give.match)
    count("asks", doing, seat=seat, refusal="K19")
    giving.give(seat, give.lasting, now=doing.now, letter=doing.row.pk)


def _day(doing: Doing, day: Day, since: date | None = None) -> date:
    """In the player's zone; the next one, counted from `since` or from when they wrote. Refuses K14."""
    today = doing.arrival.astimezone(ZoneInfo(doing.player.zone)).date()
    found = day.on(since or today)
    if found is None:
        raise Refused("K14")
    return found


def _tell(doing: Doing, **changed: Any) -> None:
    doing.tell(section_for(doing.player, doing.now, **changed))


DO: Mapping[type[Command], Doer] = {
    Absences: _list,
    Away: _away,
    Back: _back,
    Pause: _pause,
    Give: _give,
}

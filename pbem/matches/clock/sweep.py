"""What has to be done for matches when its time comes: days taken, pauses ended, players reminded."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Protocol

from pbem.matches.clock import auto_vacation, pauses, reminder_service, unclocked
from pbem.matches.clock.heartbeat import silent, wake
from pbem.matches.clock.recalculation import recount_more
from pbem.matches.models import Component

log = logging.getLogger(__name__)
RECOUNTED = 4  # times some hundreds of matches in a sweep, after an outage


class Deed(Protocol):
    """One match, in a transaction of its own. It looks again whether there is still something to do."""

    def __call__(self, pk: int, *, now: datetime) -> object: ...


def _save(pk: int, *, now: datetime) -> bool:
    """Not while we cannot hear them: that time is given back when the door is open again."""
    return not silent(now) and auto_vacation.save(pk, now=now)


# Whose time has come, and what is done; each list is a look into an index, however many matches there are.
DEEDS: tuple[tuple[Callable[[datetime], Iterable[int]], Deed], ...] = (
    (pauses.ended, pauses.go_on),
    (auto_vacation.near, _save),
    (reminder_service.due, reminder_service.remind),
    (unclocked.due, unclocked.remind),
)


def sweep(*, now: datetime) -> None:
    """Run it as often as you like. A match that fails keeps no other waiting."""
    for whose, deed in DEEDS:
        for pk in whose(now):
            try:
                wake(
                    Component.WORKER, now=now
                )  # an outage is credited first, and may leave nothing to be done
                deed(pk, now=now)
            except Exception:
                log.exception("match %s: %s", pk, deed)
    try:
        any(not recount_more() for _ in range(RECOUNTED))
    except Exception:
        log.exception("the deadlines after an outage")

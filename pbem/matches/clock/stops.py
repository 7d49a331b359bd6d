"""The organiser stops the clocks of a match, and lets them go on."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from pbem.matches.clock import service as clocks
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match
from pbem.matches.plies import check_playing
from pbem.refusals import Code, Refused

ORGANISER = "organiser"  # why a clock is stopped


def is_stopped(match: Match) -> bool:
    return ORGANISER in match.stopped


@transaction.atomic
def stop(match: Match, *, reason: str, now: datetime) -> Event:
    """Both clocks rest until `go_on`; anyone who likes may move all the same. Refuses D12 (they rest already)."""
    check_playing(match)
    if is_stopped(match):
        raise Refused(Code.STOPPED_ALREADY, match=match)
    clocks.stop(match, now, ORGANISER)
    return record_event(match, Event.Kind.STOPPED, now=now, reason=reason)


@transaction.atomic
def go_on(match: Match, *, reason: str, now: datetime) -> Event:
    """The clock of the player to move runs again, from where it stood. Refuses D13 (it was not stopped)."""
    check_playing(match)
    if not is_stopped(match):
        raise Refused(Code.NOT_STOPPED, match=match)
    clocks.go_on(match, now, ORGANISER)
    return record_event(match, Event.Kind.RESUMED, now=now, reason=reason)

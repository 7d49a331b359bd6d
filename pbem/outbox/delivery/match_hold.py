"""A message that was set aside holds its match: no clock runs from its arrival on, until somebody has decided.

Several may hold one match; it goes on with the last of them.
"""

from __future__ import annotations

from datetime import datetime

from pbem.matches.clock import service as clocks
from pbem.matches.models import Match, MatchQuerySet
from pbem.outbox.delivery.clock_start import of_round, turns_brought
from pbem.outbox.models import OutboundMail

SHUNTED = "shunted"  # why a clock is stopped


def hold(match: int | None, since: datetime) -> Match | None:
    """The match, whose clock has stood still `since` then; None if it is not being played."""
    if match is None:
        return None
    held = Match.objects.filter(pk=match, status=Match.Status.PLAYING).locked().first()
    if held is not None:
        clocks.stop(held, since, SHUNTED)
    return held


def let_go(match: int, now: datetime) -> None:
    """What held it has let go; the clock runs again if nobody else holds it."""
    free = Match.objects.filter(pk=match, status=Match.Status.PLAYING).locked().first()
    if free is not None and not (free.held_by_inboundmail.exists() or free.held_by_outboundmail.exists()):
        clocks.go_on(free, now, SHUNTED)


def hold_round(row: OutboundMail) -> None:
    """Of a letter about a round that was set aside: all matches in which its reader has the first turn."""
    for match in list(turns_brought(row).values_list("pk", flat=True)):
        hold(match, row.created_at)


def let_round_go(row: OutboundMail, now: datetime) -> None:
    """Those of its matches that stand still for it."""
    for match in of_round(row):
        if SHUNTED in match.stopped:
            let_go(match.pk, now)


def standing_still(matches: MatchQuerySet, inbound: type) -> MatchQuerySet:
    """Those that stand still for a message; `inbound` is the model of those that arrive."""
    arrived, leaving = (
        rows._default_manager.filter(holds__isnull=False).order_by().values("holds")  # type: ignore[attr-defined]
        for rows in (inbound, OutboundMail)
    )
    return matches.filter(pk__in=arrived.union(leaving))  # of two conditions one would be asked of each match

"""What the end of a deadline brings, and time that counts for nobody."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F

from games.protocol import Outcome, Side
from pbem.matches.ending import finish
from pbem.matches.models import MatchQuerySet

# What it costs to let one's time run out, by policy.
POLICIES: Mapping[str, Callable[[Side], Outcome]] = {
    "loss": lambda mover: Outcome(mover.other, "time"),
}
POLICY = "loss"  # of every match


@transaction.atomic
def flag(overdue: MatchQuerySet, pk: int, *, now: datetime) -> bool:
    """End the match on time if it is `overdue` still once it is locked: a move may have come in between."""
    match = overdue.filter(pk=pk).locked().first()
    if match is None or match.to_move is None:
        return False
    finish(match, POLICIES[POLICY](Side(match.to_move)), now=now, side=None)
    return True


def credit(matches: MatchQuerySet, lost: timedelta) -> int:
    """Move the deadlines of those that are being played on by `lost`, in one statement; how many moved."""
    return matches.timed().order_by().update(deadline=F("deadline") + lost)

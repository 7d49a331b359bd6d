"""How many letters an address may send back before it is paused: the points, the threshold, the forgetting."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta

from pbem.refusals import Code

# By the fate of the letter (pbem.outbox.delivery.status_codes).
POINTS: Mapping[str, int] = {
    Code.SOFT: 1,  # soft
    Code.HARD: 2,  # there is no such address
    Code.MAILBOX_FULL: 1,  # mailbox full
    Code.UNKNOWN_REPLY: 1,  # nobody knows why
}  # the others, policy above all, say nothing of the address: our fault, not the player's
THRESHOLD = 4
HALF_LIFE = timedelta(days=7)  # without a bounce


def points_for(fate: str) -> int:
    return POINTS.get(fate, 0)


def halved(points: int, since: datetime | None, now: datetime) -> int:
    """What is left of `points` after whole weeks without a bounce: 3, 1, 0."""
    weeks = max(now - since, timedelta(0)) // HALF_LIFE if since else 0
    return points >> min(weeks, 16)

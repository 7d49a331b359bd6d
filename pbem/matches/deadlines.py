"""Time that counts for nobody: moves the deadlines of matches on."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F

from pbem.matches.models import MatchQuerySet


def credit(matches: MatchQuerySet, lost: timedelta) -> int:
    """Move the deadlines of those that are being played on by `lost`, in one statement; how many moved."""
    return matches.timed().order_by().update(deadline=F("deadline") + lost)

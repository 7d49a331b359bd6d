"""What outages come to, found out minute by minute: the obvious way, for tests that ask whether the service agrees."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from pbem.matches.clock.outages import coming_back

Minutes = int


def pause(waited: Minutes) -> Minutes:
    """After so long in vain, another mail server tries again within that."""
    return coming_back(timedelta(minutes=waited)) // timedelta(minutes=1)


def lost(outages: Sequence[tuple[Minutes, Minutes]]) -> set[Minutes]:
    """The minutes in which somebody was away, or a letter that has found us away since may not have come back yet."""
    minutes: set[Minutes] = set()
    since, back = 0, 0
    for minute in range(max((until for _, until in outages), default=0) + pause(10**6)):
        if minute - 1 not in minutes:
            since = minute  # all that was outside is here
        for _, until in outages:
            if until == minute:
                back = max(back, minute + pause(minute - since))
        if minute < back or any(begin <= minute < until for begin, until in outages):
            minutes.add(minute)
    return minutes

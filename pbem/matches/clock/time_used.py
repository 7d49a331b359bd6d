"""Time used is the length of a turn minus the union of what counts for nobody. Pure; every moment is an argument."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from pbem.players.calendar import ALWAYS, Calendar, Interval, without

NOTHING = timedelta()
Labelled = tuple[datetime, datetime, str]


@dataclass(frozen=True)
class Reckoning:
    """By which the clock of a turn runs: a `calendar`, in force from `calendar_since` on (None: all the time), and
    `stops` that it knows nothing of. `stopped_since`: from then on the clock stands still, nobody knows until when.
    """

    calendar: Calendar = ALWAYS
    calendar_since: datetime | None = None
    stops: tuple[Labelled, ...] = ()
    stopped_since: datetime | None = None

    def elapsed(self, since: datetime, until: datetime) -> timedelta:
        """How much of the time from `since` to `until` counts; nothing if `until` is not later."""
        lasted = NOTHING
        for begin, end in self._running(since):
            if begin >= until:
                break
            lasted += min(end, until) - begin
        return lasted

    def after(self, since: datetime, lasting: timedelta) -> datetime | None:
        """The earliest moment until which `lasting` has counted; None: the clock is stopped before it comes."""
        if lasting <= NOTHING:
            return since
        for begin, end in self._running(since):
            if end - begin >= lasting:
                return begin + lasting
            lasting -= end - begin
        return None

    def left_out(self, since: datetime, until: datetime) -> list[Labelled]:
        """What does not count of a time, and why; the intervals may overlap."""
        known = list(self.stops)
        if self.stopped_since is not None:
            known.append((self.stopped_since, until, "paused"))
        begin = max(since, self.calendar_since or since)
        return [
            *((max(a, since), min(b, until), why) for a, b, why in known if max(a, since) < min(b, until)),
            *self.calendar.left_out(begin, until),
        ]

    def _running(self, since: datetime) -> Iterator[Interval]:
        gaps = union((begin, end) for begin, end, _ in self.stops)
        for begin, end in without(self._by_calendar(since), gaps):
            if self.stopped_since is None or end <= self.stopped_since:
                yield begin, end
                continue
            if begin < self.stopped_since:
                yield begin, self.stopped_since
            return

    def _by_calendar(self, since: datetime) -> Iterator[Interval]:
        changed = self.calendar_since
        if changed is None or changed <= since:
            yield from self.calendar.running(since)
            return
        yield since, changed
        yield from self.calendar.running(changed)


def union(intervals: Iterable[Interval]) -> list[Interval]:
    """The same moments in intervals that do not touch, the first first."""
    merged: list[Interval] = []
    for begin, end in sorted(intervals):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        elif begin < end:
            merged.append((begin, end))
    return merged


def by_reason(left_out: Iterable[Labelled]) -> dict[str, timedelta]:
    """How much was left out for each reason; a moment that has several counts for the first of them."""
    spent: dict[str, timedelta] = {}
    covered: list[Interval] = []
    for begin, end, why in left_out:
        more = sum((b - a for a, b in without(iter([(begin, end)]), covered)), NOTHING)
        if more:
            spent[why] = spent.get(why, NOTHING) + more
        covered = union([*covered, (begin, end)])
    return spent

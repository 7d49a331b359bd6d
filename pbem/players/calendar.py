"""Calendars: the times at which a player's clocks run, and the days of absence that are left."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

DAY = timedelta(days=1)
MOST_FREE_WEEKDAYS = 2
LONGEST_NIGHT = timedelta(hours=10)
NEVER = datetime.max.replace(tzinfo=UTC)
Interval = tuple[datetime, datetime]  # UTC, the end excluded


@dataclass(frozen=True)
class Night:
    """From `begins` to `ends` in the player's local time, over midnight when `ends` is earlier."""

    begins: time
    ends: time

    def __post_init__(self) -> None:
        if not timedelta() < self.length <= LONGEST_NIGHT:
            raise ValueError(
                f"a night from {self.begins:%H:%M} to {self.ends:%H:%M}; the longest is ten hours"
            )

    @property
    def length(self) -> timedelta:
        """The length in local time."""
        minutes = (self.ends.hour - self.begins.hour) * 60 + self.ends.minute - self.begins.minute
        return timedelta(minutes=minutes) % DAY


@dataclass(frozen=True)
class Calendar:
    """The hours at which clocks run. `free_weekdays` as in `date.weekday()`; `away` are intervals in UTC."""

    zone: str = "UTC"
    free_weekdays: frozenset[int] = frozenset()
    night: Night | None = None
    holidays: frozenset[date] = frozenset()
    away: tuple[Interval, ...] = ()

    def __post_init__(self) -> None:
        if len(self.free_weekdays) > MOST_FREE_WEEKDAYS:
            raise ValueError(f"{len(self.free_weekdays)} free weekdays; {MOST_FREE_WEEKDAYS} are allowed")

    def elapsed(self, since: datetime, until: datetime) -> timedelta:
        """Returns how much time counts from `since` to `until`. Zero when `until` is not later."""
        lasted = timedelta()
        for begin, end in self.running(since):
            if begin >= until:
                break
            lasted += min(end, until) - begin
        return lasted

    def after(self, since: datetime, lasting: timedelta) -> datetime:
        """Returns the earliest moment at which `lasting` has counted. Raises OverflowError without one."""
        if lasting <= timedelta():
            return since
        for begin, end in self.running(since):
            if end - begin >= lasting:
                return begin + lasting
            lasting -= end - begin
        raise OverflowError("time that never comes")

    def runs(self, now: datetime) -> bool:
        """Returns whether `now` counts."""
        begin, _ = next(self.running(now))
        return begin <= now

    def running(self, since: datetime) -> Iterator[Interval]:
        """Yields the intervals that count from `since` on, without end."""
        since = since.astimezone(UTC)
        free = self.free_weekdays or self.holidays or self.night
        return without(self._days(since) if free else iter([(since, NEVER)]), sorted(self.away))

    def left_out(self, since: datetime, until: datetime) -> Iterator[tuple[datetime, datetime, str]]:
        """Yields the intervals that do not count, with the reason. Absences may overlap the others."""
        since, until = since.astimezone(UTC), until.astimezone(UTC)
        begin = since
        if self.free_weekdays or self.holidays or self.night:
            for counts, stands in self._days(since):
                if counts >= until:
                    break
                yield from self._halts(begin, counts)
                begin = stands
            yield from self._halts(begin, until)
        for gone, back in self.away:
            if max(gone, since) < min(back, until):
                yield max(gone, since), min(back, until), "absence"

    def _halts(self, since: datetime, until: datetime) -> Iterator[tuple[datetime, datetime, str]]:
        """Splits an interval that does not count by reason."""
        zone = ZoneInfo(self.zone)
        while since < until:
            day = since.astimezone(zone).date()
            end = min(self._utc(day + DAY, time()), until)
            yield since, end, self._why(day)
            since = end

    def _why(self, day: date) -> str:
        if day in self.holidays:
            return "holiday"
        return "weekday" if day.weekday() in self.free_weekdays else "night"

    def _days(self, since: datetime) -> Iterator[Interval]:
        today = since.astimezone(ZoneInfo(self.zone)).date() - DAY
        while True:
            if today.weekday() not in self.free_weekdays and today not in self.holidays:
                for begin, end in self._awake(today):
                    if end > since:
                        yield max(begin, since), end
            today += DAY

    def _awake(self, day: date) -> Iterator[Interval]:
        """Yields the day without its nights."""
        # When clocks are set back, a night lasts until the second occurrence of its end.
        midnight, next_midnight = self._utc(day, time()), self._utc(day + DAY, time())
        if self.night is None:
            yield midnight, next_midnight
            return
        begins, ends = self._utc(day, self.night.begins), self._utc(day, self.night.ends, fold=1)
        over_midnight = self.night.ends < self.night.begins
        for begin, end in [(ends, begins)] if over_midnight else [(midnight, begins), (ends, next_midnight)]:
            if begin < end:
                yield begin, end

    def _utc(self, day: date, hour: time, fold: int = 0) -> datetime:
        return _moment(self.zone, day, hour, fold)


ALWAYS = Calendar()


@lru_cache(maxsize=10_000)  # few zones, and the same midnights in all matches
def _moment(name: str, day: date, hour: time, fold: int) -> datetime:
    """Returns when local clocks show `hour`; the moment of the change when they skip it."""
    zone = ZoneInfo(name)
    shown = datetime.combine(day, hour.replace(fold=fold), zone)
    moment = shown.astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) == shown.replace(tzinfo=None):
        return moment
    return _leap(shown.replace(fold=1).astimezone(UTC), shown.replace(fold=0).astimezone(UTC), zone)


def _leap(before: datetime, after: datetime, zone: ZoneInfo) -> datetime:
    """Returns the first moment with the offset of `after`, to the second."""
    while after - before > timedelta(seconds=1):
        middle = before + (after - before) // 2
        if middle.astimezone(zone).utcoffset() == after.astimezone(zone).utcoffset():
            after = middle
        else:
            before = middle
    return after.replace(microsecond=0)


def without(running: Iterator[Interval], gaps: Sequence[Interval]) -> Iterator[Interval]:
    """Yields `running` minus the sorted `gaps`."""
    for begin, end in running:
        for gone, back in gaps:
            if gone >= end:
                break
            if back > begin:
                if begin < gone:
                    yield begin, gone
                begin = back
        if begin < end:
            yield begin, end


# Days of absence per calendar year, in local time

NOTHING = timedelta()


def left(absences: Iterable[Interval], *, year: int, zone: str, days: int) -> timedelta:
    """Returns what is left of the `days` of a year. Negative when the absences exceed them."""
    # In local time a day has 24 hours even when clocks change.
    begin, end = datetime(year, 1, 1), datetime(year + 1, 1, 1)  # noqa: DTZ001 - on the wall
    walls = sorted((_wall(since, zone), _wall(until, zone)) for since, until in absences)
    taken, covered = NOTHING, begin
    for since, until in walls:
        since, until = max(since, covered), min(until, end)
        taken += max(until - since, NOTHING)
        covered = max(covered, until)
    return timedelta(days=days) - taken


def years(since: datetime, until: datetime, zone: str) -> range:
    """Returns the calendar years that an absence touches."""
    last = _wall(until, zone) - timedelta(microseconds=1)
    return range(_wall(since, zone).year, last.year + 1)


def _wall(moment: datetime, zone: str) -> datetime:
    return moment.astimezone(ZoneInfo(zone)).replace(tzinfo=None)

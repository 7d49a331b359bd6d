"""The ledger of time that does not count, and the reckoning of a turn from it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

from django.db.models import Q, QuerySet

from pbem.matches.models import ExemptInterval, Match, Seat
from pbem.players.calendar import ALWAYS, DAY, Calendar, Interval, without
from pbem.players.models import Absence, Holiday, Player
from pbem.queue.sql import compiled_query

# Reckoning: the length of a turn minus the union of all that does not count. Pure

NOTHING = timedelta()
Labelled = tuple[datetime, datetime, str]


@dataclass(frozen=True)
class TimeCalculation:
    """How the clock of a turn runs: a `calendar`, and `stops` besides it.

    `calendar_since` is when the calendar took effect, None always. `stopped_since`: the clock has been
    stopped since then, with an open end.
    """

    calendar: Calendar = ALWAYS
    calendar_since: datetime | None = None
    stops: tuple[Labelled, ...] = ()
    stopped_since: datetime | None = None

    def elapsed(self, since: datetime, until: datetime) -> timedelta:
        """Returns how much time counts from `since` to `until`. Zero when `until` is not later."""
        lasted = NOTHING
        for begin, end in self._running(since):
            if begin >= until:
                break
            lasted += min(end, until) - begin
        return lasted

    def after(self, since: datetime, lasting: timedelta) -> datetime | None:
        """Returns the earliest moment at which `lasting` has counted. None when the clock stops before."""
        if lasting <= NOTHING:
            return since
        for begin, end in self._running(since):
            if end - begin >= lasting:
                return begin + lasting
            lasting -= end - begin
        return None

    def left_out(self, since: datetime, until: datetime) -> list[Labelled]:
        """Returns the intervals that do not count, with reasons; they may overlap."""
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
    """Returns the intervals merged, in order."""
    merged: list[Interval] = []
    for begin, end in sorted(intervals):
        if merged and begin <= merged[-1][1]:
            merged[-1] = (merged[-1][0], max(merged[-1][1], end))
        elif begin < end:
            merged.append((begin, end))
    return merged


def by_reason(left_out: Iterable[Labelled]) -> dict[str, timedelta]:
    """Returns the excluded time by reason; time with several reasons counts for the first."""
    spent: dict[str, timedelta] = {}
    covered: list[Interval] = []
    for begin, end, why in left_out:
        more = sum((b - a for a, b in without(iter([(begin, end)]), covered)), NOTHING)
        if more:
            spent[why] = spent.get(why, NOTHING) + more
        covered = union([*covered, (begin, end)])
    return spent


@dataclass
class Book:
    """The data for reckoning some matches' clocks, for any moment from `since` on."""

    since: datetime
    stoppages: Mapping[int | None, Sequence[ExemptInterval]]  # by match; None: all matches
    holidays: frozenset[date]
    away: dict[int, tuple[Interval, ...]] = field(default_factory=dict)  # by player

    def reckoning(
        self, seat: Seat, since: datetime, *, free: Iterable[Sequence[str]] | None = None
    ) -> TimeCalculation:
        """Returns the reckoning of a turn that began at `since`.

        `free` is what the calendar excluded from a finished turn; None for the current turn.
        """
        rows = [*self.stoppages.get(None, ()), *self.stoppages.get(seat.match_id, ())]
        mine = [row for row in rows if row.seat_id in (None, seat.pk)]
        stops = [(row.since, row.until, row.why) for row in mine if row.until is not None]
        opened = [row.since for row in mine if row.until is None]
        settled = labelled(seat.free if free is None else free)
        return TimeCalculation(
            self.calendar(seat, since) if free is None else ALWAYS,
            seat.calendar_since if free is None else None,
            (*stops, *settled),
            min(opened, default=None),
        )

    def calendar(self, seat: Seat, since: datetime) -> Calendar:
        player = seat.player
        if seat.match.agreed.nonstop:
            return ALWAYS
        if seat.player_id not in self.away:
            self.away[seat.player_id] = _away(player, self.since)
        today = since.astimezone(ZoneInfo(player.zone)).date()
        return Calendar(
            zone=player.zone,
            free_weekdays=frozenset(map(int, player.free_weekdays)),
            night=player.night,
            holidays=frozenset(day for day in self.holidays if day >= today - DAY),
            away=self.away[seat.player_id] if seat.match.agreed.absence else (),
        )


def book_of(match: Match, since: datetime) -> Book:
    """Returns the book of one match, cached on the object."""
    known: Book | None = match.__dict__.get("_book")
    if known is None or known.since > since:
        known = match.__dict__["_book"] = Book(
            since, _by_match(_stoppages(match.pk or 0, since)), _holidays(since)
        )
    return known


def close(match: Match) -> None:
    """Drops the cached book after a change."""
    match.__dict__.pop("_book", None)


def book_of_all(matches: Collection[Match], players: Iterable[int], since: datetime) -> Book:
    """Returns the book of many matches. Three queries."""
    rows = ExemptInterval.objects.after(since).filter(Q(match__in=matches) | Q(match__isnull=True))
    away: dict[int, tuple[Interval, ...]] = dict.fromkeys(players, ())
    known = Absence.objects.filter(player__in=list(away)).ending_after(since)
    for player, begin, end in known.values_list("player", "since", "until"):
        away[player] = (*away[player], (begin, end))
    return Book(since, _by_match(rows), _holidays(since), away)


def labelled(free: Iterable[Sequence[str]]) -> tuple[Labelled, ...]:
    """Reads intervals from a row."""
    return tuple(
        (datetime.fromisoformat(begin), datetime.fromisoformat(end), why) for begin, end, why in free
    )


def kept(intervals: Iterable[Labelled]) -> list[list[str]]:
    """Returns intervals for a row."""
    return [[begin.isoformat(), end.isoformat(), why] for begin, end, why in intervals]


def _by_match(rows: Iterable[ExemptInterval]) -> dict[int | None, list[ExemptInterval]]:
    found: dict[int | None, list[ExemptInterval]] = {}
    for row in rows:
        found.setdefault(row.match_id, []).append(row)
    return found


@compiled_query
def _stoppages(match: int, since: datetime) -> QuerySet[ExemptInterval]:
    return ExemptInterval.objects.after(since).filter(Q(match=match) | Q(match__isnull=True))


def _holidays(since: datetime) -> frozenset[date]:
    return frozenset(_days_from((since.date() - 2 * DAY).isoformat()))


@compiled_query
def _days_from(day: str) -> QuerySet[Holiday, date]:
    return Holiday.objects.filter(day__gte=day).values_list("day", flat=True)


def _away(player: Player, since: datetime) -> tuple[Interval, ...]:
    return tuple(_absences(player.pk or 0, since))


@compiled_query
def _absences(player: int, since: datetime) -> QuerySet[Absence, Interval]:
    return Absence.objects.filter(player=player).ending_after(since).values_list("since", "until")

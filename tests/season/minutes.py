"""Every minute of a season, and whether it counts for a player: what is left out is left out once, however often."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import date, datetime, timedelta
from functools import cache
from zoneinfo import ZoneInfo

from pbem.matches.clock.outages import coming_back
from pbem.matches.models import Match
from tests.season.notes import Days, Hours, Notes
from tests.season.plan import DAY, MAILBOX, MINUTE, PARTS, Trouble

QUARTER = timedelta(minutes=15)  # no zone of the season has another offset, and no night another end
GAPS = {MAILBOX: 5 * MINUTE}  # some are looked into every few minutes, and know when a letter came
COUNTS, RESTS = b"\1", b"\0"


@dataclass
class Minutes:
    """From `begin` to `end`, and of every player who plays."""

    begin: datetime
    end: datetime
    notes: Notes
    outages: tuple[Days, ...]
    _masks: dict[int, bytes] = field(default_factory=dict)

    def counted(
        self, match: Match, player: int, since: datetime, until: datetime, more: Iterable[Days] = ()
    ) -> timedelta:
        """How much of this time the player is to be charged for; `more` are times that do not count either."""
        first, last = self._at(since), self._at(until)
        if last <= first:
            return timedelta()
        free = [*self.outages, *self.notes.left(player, self.end), *more]
        if match.agreed.nonstop:
            minutes = bytearray(COUNTS * (last - first))
        else:
            minutes = bytearray(self.mask(player)[first:last])
            if match.agreed.absence:
                free += [*self.notes.absences[player], *self.notes.taken[player]]
        for gone, back in free:
            left, right = max(self._at(gone), first), min(self._at(back), last)
            if left < right:
                minutes[left - first : right - first] = RESTS * (right - left)
        return minutes.count(1) * MINUTE

    def mask(self, player: int) -> bytes:
        """By the player's nights, weekends and holidays, as chosen in the course of the season."""
        if player not in self._masks:
            chosen = self.notes.hours[player]
            mask = bytearray()
            for hours, following in zip(chosen, [*chosen[1:], None], strict=True):
                until = following.since if following else self.end
                whole = _mask(
                    hours.zone, hours.free_weekdays, hours.night, self._holidays, self.begin, self.end
                )
                mask += whole[self._at(hours.since) : self._at(until)]
            self._masks[player] = bytes(mask)
        return self._masks[player]

    @property
    def _holidays(self) -> frozenset[date]:
        return frozenset(self.notes.holidays)

    def _at(self, moment: datetime) -> int:
        return max(0, (moment - self.begin) // MINUTE)


def outages(troubles: Iterable[Trouble], now: datetime) -> tuple[Days, ...]:
    """When letters may have been on their way to a service that was away: until the last of them had come. Where it was
    away again before that, they have waited since the first time. What has not ended yet nobody knows of."""
    known = [trouble for trouble in troubles if trouble.part in PARTS and trouble.lived <= now]
    dead = [trouble for trouble in known if trouble.lived - trouble.died > GAPS.get(trouble.part, MINUTE)]
    away: list[tuple[datetime, datetime]] = []
    for each in sorted(dead, key=lambda trouble: trouble.died):
        if away and each.died <= away[-1][1]:
            died, back = away.pop()
            away.append((died, max(back, each.lived + coming_back(each.lived - died))))
        else:
            away.append((each.died, each.lived + coming_back(each.lived - each.died)))
    return tuple(away)


@cache
def _mask(
    zone: str, weekdays: str, night: object, holidays: frozenset[date], begin: datetime, end: datetime
) -> bytes:
    """A byte for each minute; the beginning is a whole hour everywhere."""
    hours = Hours(begin, zone, weekdays, night)  # type: ignore[arg-type]
    quarters = range((end - begin) // QUARTER + 1)
    place = ZoneInfo(zone)
    return b"".join(
        (COUNTS if _counts(hours, (begin + n * QUARTER).astimezone(place), holidays) else RESTS) * 15
        for n in quarters
    )


def _counts(hours: Hours, local: datetime, holidays: frozenset[date]) -> bool:
    if str(local.weekday()) in hours.free_weekdays or local.date() in holidays:
        return False
    if hours.night is None:
        return True
    begins, ends = hours.night
    return ends <= local.time() < begins  # all nights of the season go over midnight


LONGEST_TRANSIT = DAY  # then a clock runs though nobody may have told its player

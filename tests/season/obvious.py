"""A clock kept by hand: every minute of the season is looked at, and counts for a player or does not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import accumulate
from zoneinfo import ZoneInfo

from pbem.matches.models import Match
from pbem.matches.time.clock import Control
from pbem.players.models import Player

MINUTE = timedelta(minutes=1)


@dataclass(frozen=True)
class Hours:
    """The minutes from `begin` to `end` of one player."""

    player: Player
    begin: datetime
    end: datetime

    @cached_property
    def all(self) -> list[int]:
        """How many minutes since the beginning have counted, for each minute."""
        return self._summed(away=())

    @cached_property
    def present(self) -> list[int]:
        """The same, his absences left out."""
        return self._summed(away=tuple(self.player.absences.values_list("since", "until")))

    def counted(self, since: datetime, until: datetime, *, absence: bool) -> timedelta:
        minutes = self.present if absence else self.all
        return (minutes[self._at(until)] - minutes[self._at(since)]) * MINUTE

    def _summed(self, away: tuple[tuple[datetime, datetime], ...]) -> list[int]:
        gone = {(max(a, self.begin), b) for a, b in away}
        minutes = (self.begin + n * MINUTE for n in range((self.end - self.begin) // MINUTE))
        return [0, *accumulate(self._counts(m) and not any(a <= m < b for a, b in gone) for m in minutes)]

    def _counts(self, minute: datetime) -> bool:
        local = minute.astimezone(self._zone)
        if str(local.weekday()) in self.player.free_weekdays:
            return False
        begins, ends = self.player.night_begins, self.player.night_ends
        if begins is None or ends is None:
            return True
        return ends <= local.time() < begins  # all nights of the season go over midnight

    @cached_property
    def _zone(self) -> ZoneInfo:
        return ZoneInfo(self.player.zone)

    def _at(self, moment: datetime) -> int:
        return (moment - self.begin) // MINUTE


@dataclass
class Used:
    """What a seat has in its bank by this clock, and what it has used; `since`: its turn began then."""

    left: timedelta
    used: timedelta = timedelta()
    over: timedelta | None = None  # the longest that it was still thinking after its time


def kept(match: Match, hours: dict[int, Hours], until: datetime) -> tuple[Used, Used]:
    """The banks of both seats at `until`, from nothing but when the turns were played."""
    control = match.agreed.control
    assert control is not None
    assert match.started_at is not None
    seats = match.seated
    banks = (Used(control.bank), Used(control.bank))
    since = match.started_at
    turns = list(match.live_turns())
    for turn in turns:
        _charge(match, control, banks[turn.side], hours[seats[turn.side].player_id], since, turn.played_at)
        bank = banks[turn.side]
        bank.left = max(bank.left, timedelta())
        bank.left = max(bank.left, min(bank.left + control.increment, control.cap))
        since = turn.played_at
    end = match.ended_at or until
    if match.to_move is not None or match.reason in ("time", "resigned", "agreed"):
        mover = len(turns) % 2 if not turns else 1 - turns[-1].side
        _charge(match, control, banks[mover], hours[seats[mover].player_id], since, end)
    return banks


def _charge(
    match: Match, control: Control, bank: Used, hours: Hours, since: datetime, until: datetime
) -> None:
    if match.agreed.nonstop:
        lasted = until.astimezone(UTC) - since.astimezone(UTC)
    else:
        lasted = hours.counted(since, until, absence=match.agreed.absence)
    bank.left -= lasted
    bank.used += lasted
    remaining = bank.left if control.ceiling is None else min(bank.left, control.ceiling - bank.used)
    if remaining < timedelta():
        bank.over = max(bank.over or timedelta(), -remaining)

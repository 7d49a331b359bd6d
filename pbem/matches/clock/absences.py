"""Absences (vacation days) of players, planned and automatic; holidays; and changes of hours."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef

from pbem.matches.clock import service as clocks
from pbem.matches.clock.recalculation import recount_all
from pbem.matches.clock.service import new_hours
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match, Seat
from pbem.players import calendar
from pbem.players.blocks import HOURS, prefer
from pbem.players.calendar import DAY, Interval
from pbem.players.models import Absence, Holiday, Player
from pbem.refusals import Code, Refused

MOST_PENDING = 3  # announced and not over, the present one included
FARTHEST = timedelta(days=366)
Kind = Absence.Kind


@transaction.atomic
def go_away(
    player: Player,
    first: date,
    last: date,
    *,
    message: str = "",
    now: datetime,
    arrived: datetime | None = None,
    letter: int | None = None,
) -> Absence:
    """Announces an absence from the `first` to the `last` day in the player's zone.

    An absence that begins today begins at `arrived` (None: now). Extends a planned absence that it touches.
    Refuses K14 (no such days), K15 (more than the year has left) and K16 (too many pending).
    """
    arrived = arrived or now
    since, until = max(_midnight(player, first), arrived), _midnight(player, last + DAY)
    if not since < until <= now + FARTHEST:
        raise Refused(Code.BAD_ABSENCE)
    pending = list(Absence.objects.filter(player=player).ending_after(now))
    touched = [a for a in pending if a.kind == Kind.PLANNED and a.since <= until and a.until >= since]
    since, until = min([since, *(a.since for a in touched)]), max([until, *(a.until for a in touched)])
    planned = sum(a.kind == Kind.PLANNED for a in pending) - len(touched)
    if planned >= MOST_PENDING:
        raise Refused(Code.TOO_MANY_ABSENCES, limit=MOST_PENDING)
    if lacking(player, (since, until)):
        raise Refused(Code.NO_DAYS_LEFT, number=days_left(player, now))
    message = message or next((a.message for a in reversed(touched) if a.message), "")
    Absence.objects.filter(pk__in=[a.pk for a in touched]).delete()
    absence = Absence.objects.create(player=player, since=since, until=until, message=message, created_at=now)
    _changed(player, absence, now)
    _tell(absence, Event.Kind.AWAY, now=now, letter=letter)
    return absence


@transaction.atomic
def come_back(
    player: Player, *, day: date | None = None, now: datetime, letter: int | None = None
) -> Absence:
    """Ends the current absence, or removes the one that covers `day`. Refuses K17 without one."""
    moment = now if day is None else max(_midnight(player, day), now)
    pending = Absence.objects.filter(player=player).ending_after(now)
    end_of_day = moment if day is None else _midnight(player, day + DAY) - timedelta(microseconds=1)
    absence = pending.filter(since__lte=end_of_day, until__gt=moment).first()
    if absence is None:
        raise Refused(Code.NOT_AWAY)
    if absence.since >= now:
        absence.delete()
    else:
        absence.until = now
        absence.save(update_fields=["until"])
    _changed(player, absence, now)
    _tell(absence, Event.Kind.BACK, now=now, letter=letter)
    return absence


@transaction.atomic
def take_a_day(player: Player, since: datetime, *, now: datetime) -> Absence | None:
    """Takes a day of absence from `since` on. None when the year has none left.

    `since` may be some moments ago.
    """
    until = since + DAY
    if lacking(player, (since, until)):
        return None
    absence = Absence.objects.create(
        player=player, since=since, until=until, kind=Kind.AUTOMATIC, created_at=now
    )
    _changed(player, absence, now)
    _tell(absence, Event.Kind.AWAY, now=now, letter=None)
    return absence


def pending(player: Player, now: datetime) -> Sequence[Absence]:
    """Returns the absences that are not over, in order."""
    return list(Absence.objects.filter(player=player).ending_after(now).order_by("since"))


def days_left(player: Player, now: datetime) -> int:
    """Returns the whole days left this year."""
    year = now.astimezone(ZoneInfo(player.zone)).year
    return max(_left(player, (), year) // DAY, 0)


def lacking(player: Player, more: Interval) -> bool:
    """Returns whether a year has too few days for this absence too."""
    years = calendar.years(*more, player.zone)
    return any(_left(player, [more], year) < timedelta() for year in years)


def unmoved(player: Player) -> Sequence[Match]:
    """Returns the matches in which the player's clock runs during absences."""
    playing = Match.objects.of(player).filter(status=Match.Status.PLAYING).order_by("pk")
    return [match for match in playing if match.agreed.control and not match.agreed.rests]


def _left(player: Player, more: Iterable[Interval], year: int) -> timedelta:
    begin = datetime(year, 1, 1, tzinfo=ZoneInfo(player.zone))
    known = Absence.objects.filter(player=player, until__gt=begin).values_list("since", "until")
    return calendar.left([*known, *more], year=year, zone=player.zone, days=settings.ABSENCE_DAYS)


def _midnight(player: Player, day: date) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(player.zone))


def _changed(player: Player, absence: Absence, now: datetime) -> None:
    """Adjusts the clocks, also of finished turns if the absence began in the past."""
    _keep_in_mind(player, now)
    if absence.pk and absence.since < now:
        clocks.backdate(player, absence.since, absence.until, now=now)
    clocks.recalculate(player)


def _keep_in_mind(player: Player, now: datetime) -> None:
    # See `Presence.away_until`.
    known = Absence.objects.filter(player=player).ending_after(now).values_list("since", "until")
    player.away = [[since.isoformat(), until.isoformat()] for since, until in known]
    player.save(update_fields=["away"])


def _tell(absence: Absence, kind: Event.Kind, *, now: datetime, letter: int | None) -> None:
    """Records an event in every running match; subscribers choose the letters."""
    left = days_left(absence.player, now)
    matches = Match.objects.of(absence.player).filter(status=Match.Status.PLAYING).order_by("pk")
    for match in matches:
        side = next(seat.side for seat in match.seated if seat.player_id == absence.player_id)
        record_event(
            match,
            kind,
            now=now,
            side=side,
            letter=letter,
            since=absence.since.isoformat(),
            until=absence.until.isoformat(),
            absence=absence.kind,
            message=absence.message,
            left=left,
        )


# Automatic absence: a day before the time is over

# Early enough that a move in the last minute is not answered as late.
NEAR = timedelta(minutes=15)
MOMENT = timedelta(seconds=1)
SWEPT = 500  # matches at a time


def near(now: datetime) -> Iterable[int]:
    """Returns the matches with a near deadline and a player to move who wants automatic absence."""
    moving = Seat.objects.filter(match=OuterRef("pk"), side=OuterRef("to_move"))
    wanted = Exists(moving.filter(player__automatic_absence=True))
    soon = Match.objects.overdue(now + NEAR).filter(wanted, deadline__gt=now)
    return list(soon.order_by("deadline").values_list("pk", flat=True)[:SWEPT])


@transaction.atomic
def take_automatic_absence(pk: int, *, now: datetime) -> bool:
    """Takes a day for the player to move, if they want it, have one left, and the match allows it."""
    match = Match.objects.overdue(now + NEAR).filter(pk=pk, deadline__gt=now).locked().first()
    if match is None or not _is_near(match, now):
        return False
    seat = match.moving
    if seat is None or not seat.player.automatic_absence or not _allowed(seat):
        return False
    return take_a_day(seat.player, now, now=now) is not None


def take_absence_at_deadline(seat: Seat, now: datetime) -> bool:
    """Takes a day from just before the deadline, as the policy says, for any player to move."""
    deadline = seat.match.deadline
    if deadline is None or not seat.match.agreed.rests:
        return False
    return take_a_day(seat.player, deadline - MOMENT, now=now) is not None


def _is_near(match: Match, now: datetime) -> bool:
    # The stored deadline may be too early.
    clocks.refresh(match)
    return match.deadline is not None and now < match.deadline < now + NEAR


def _allowed(seat: Seat) -> bool:
    agreed = seat.match.agreed
    return bool(agreed.control) and agreed.rests and agreed.automatic


# Holidays: changed only before they begin in any zone

EARLIEST = timedelta(hours=14)  # a day begins this long before midnight UTC on the Line Islands


@transaction.atomic
def add_holiday(day: date, *, now: datetime) -> Holiday:
    """Adds a holiday: clocks stand still unless agreed otherwise. Refuses K08 (it may have begun)."""
    _check_ahead(day, now)
    holiday, _ = Holiday.objects.get_or_create(day=day)
    _move_deadlines(day)
    return holiday


@transaction.atomic
def take_back(holiday: Holiday, *, now: datetime) -> None:
    """Removes a holiday. Refuses K08 (it may have begun)."""
    _check_ahead(holiday.day, now)
    Holiday.objects.filter(pk=holiday.pk).delete()
    _move_deadlines(holiday.day)


def _check_ahead(day: date, now: datetime) -> None:
    if now >= _begins(day):
        raise Refused(Code.HOLIDAY_TOO_NEAR)


def _move_deadlines(day: date) -> None:
    """Recomputes deadlines of clocks that may run until the holiday."""
    recount_all(Match.objects.filter(deadline__gte=_begins(day) - DAY), _begins(day) - DAY)


def _begins(day: date) -> datetime:
    """Returns when the day begins in its first zone."""
    return datetime.combine(day, time(), UTC) - EARLIEST


# Changes of hours


def choose(player: Player, wishes: Mapping[str, Any], *, now: datetime) -> None:
    """Writes `wishes` into the columns of `player`, whichever they are. Refuses K05."""
    if HOURS.isdisjoint(wishes):
        prefer(player, wishes, now=now)
        return
    with new_hours(player, now):
        prefer(player, wishes, now=now)

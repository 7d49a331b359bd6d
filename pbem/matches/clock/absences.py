"""A player goes away and comes back: their clocks rest meanwhile, and each of their opponents can be told."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import transaction

from pbem.matches.clock import service as clocks
from pbem.matches.events import record_event
from pbem.matches.models import Event, Match
from pbem.players import vacation_days
from pbem.players.calendar import DAY, Interval
from pbem.players.models import Absence, Player
from pbem.refusals import Code, Refused

MOST_PENDING = 3  # announced by them and not over, the present one included
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
    """From the beginning of the `first` day to the end of the `last`, in their zone; if it is today, from when the
    letter `arrived` (None: now), however late it was opened.

    What touches an absence announced before extends it. Refuses K14 (no such days), K15 (more than the year has
    left) and K16 (too many pending).
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
    """The player is here again, or will not be away on that `day`: the absence that covers it ends now, or is taken
    back if it has not begun. Refuses K17 if there is none."""
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
    """A day of absence for somebody whose time is nearly over; None if their year has none left.

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
    """Those that are not over, the first first."""
    return list(Absence.objects.filter(player=player).ending_after(now).order_by("since"))


def days_left(player: Player, now: datetime) -> int:
    """Whole days that they may still announce or have taken this year."""
    year = now.astimezone(ZoneInfo(player.zone)).year
    return max(_left(player, (), year) // DAY, 0)


def lacking(player: Player, more: Interval) -> bool:
    """Whether some year has not enough days for this too."""
    years = vacation_days.years(*more, player.zone)
    return any(_left(player, [more], year) < timedelta() for year in years)


def unmoved(player: Player) -> Sequence[Match]:
    """The matches in which their clock runs on while they are away, as was agreed."""
    playing = Match.objects.of(player).filter(status=Match.Status.PLAYING).order_by("pk")
    return [match for match in playing if match.agreed.control and not match.agreed.rests]


def _left(player: Player, more: Iterable[Interval], year: int) -> timedelta:
    begin = datetime(year, 1, 1, tzinfo=ZoneInfo(player.zone))
    known = Absence.objects.filter(player=player, until__gt=begin).values_list("since", "until")
    return vacation_days.left([*known, *more], year=year, zone=player.zone, days=settings.ABSENCE_DAYS)


def _midnight(player: Player, day: date) -> datetime:
    return datetime.combine(day, time(), ZoneInfo(player.zone))


def _changed(player: Player, absence: Absence, now: datetime) -> None:
    """The clocks follow, those of turns that are over included where it began before now."""
    _keep_in_mind(player, now)
    if absence.pk and absence.since < now:
        clocks.backdate(player, absence.since, absence.until, now=now)
    clocks.recalculate(player)


def _keep_in_mind(player: Player, now: datetime) -> None:
    """See `Presence.away_until`."""
    known = Absence.objects.filter(player=player).ending_after(now).values_list("since", "until")
    player.away = [[since.isoformat(), until.isoformat()] for since, until in known]
    player.save(update_fields=["away"])


def _tell(absence: Absence, kind: Event.Kind, *, now: datetime, letter: int | None) -> None:
    """An event in every match that is being played, for its history; who hears of it is for the apps above."""
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

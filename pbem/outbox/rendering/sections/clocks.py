"""Sections about reflection time: who has how much, and until when."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Any

from pbem.matches.clock.service import left_out, remaining
from pbem.matches.clock.time_used import by_reason
from pbem.matches.models import Match, Reason, Seat
from pbem.outbox.rendering.recipient import Reader
from pbem.outbox.rendering.sections.context import Builder, Context

MINUTE = timedelta(minutes=1)
DISCREET = frozenset((Reason.NIGHT, Reason.WEEKDAY, Reason.HOLIDAY))  # they would tell where somebody lives


def clock_of(match: Match, seat: Seat | None) -> Context | None:
    """What every letter about a match says of its clocks: what each bank held when the turn began.

    That is true whenever the letter is written. None where nobody's time is limited.
    """
    control = match.agreed.control
    if control is None or match.status != Match.Status.PLAYING:
        return None
    first, second = match.seated if seat is None else (seat, seat.opponent)
    lefts = [each.bank.limit(control) if each.bank else control.bank for each in (first, second)]
    return {
        "untouched": lefts == [control.bank, control.bank],
        "over": match.flagged_at is not None,
        "stopped": bool(match.stopped),
        "banks": not control.is_fixed or control.ceiling is not None,
        "first": first.player.name,
        "first_left": lefts[0],
        "second": second.player.name,
        "second_left": lefts[1],
    }


def _clock(section: Mapping[str, Any], reader: Reader) -> Context:
    """One match, as it stood when it was asked."""
    return _faces(reader.match(section["match"]), reader, datetime.fromisoformat(section["at"]))


def _clocks(section: Mapping[str, Any], reader: Reader) -> Context:
    """All matches of the reader whose time is limited, the most urgent first."""
    playing = Match.objects.filter(status=Match.Status.PLAYING).of(reader.player) if reader.player else ()
    timed = [match for match in playing if match.agreed.control is not None]
    at = datetime.fromisoformat(section["at"])
    faces = [_faces(match, reader, at) for match in timed]
    return {
        "faces": sorted(faces, key=lambda face: (not face["yours"], face["deadline"] or at, face["match"].pk))
    }


def _faces(match: Match, reader: Reader, at: datetime) -> Context:
    seat = reader.seat_in(match)
    seats = match.seated if seat is None else (seat, seat.opponent)
    playing = match.status == Match.Status.PLAYING
    return {
        "match": match,
        "title": match.game.phrases(reader.language)["name"],
        "terms": match.agreed,
        "opponent": seat.opponent.player.name if seat else "",
        "playing": playing,
        "yours": playing and seat is not None and seat.is_to_move,
        "mover": match.moving.player.name if match.moving else "",
        "deadline": match.deadline,
        "over": match.flagged_at is not None,
        "stopped": bool(match.stopped),
        "left": [(s.player.name, remaining(s, at)) for s in seats],
        "left_out": not_counted(match, seat, at) if playing else [],
        "by_reader": seat is not None,
    }


def not_counted(match: Match, seat: Seat | None, at: datetime) -> list[tuple[object, timedelta]]:
    """How much of the turn under way was charged to nobody, and why; the hours of a player are for that player."""
    intervals = left_out(match, at)
    if seat is None or not seat.is_to_move:
        intervals = [each for each in intervals if each[2] not in DISCREET]
    known = by_reason(intervals).items()
    return [(Reason(why).label, length) for why, length in known if length >= MINUTE]


BUILDERS: Mapping[str, Builder] = {
    "clock": _clock,
    "clocks": _clocks,
}

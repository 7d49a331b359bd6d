"""What becomes of the matches that go on when the days of a round are over."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from games.protocol import Outcome, Side
from pbem.contests.models import Edition
from pbem.contests.systems.settings import Unfinished
from pbem.matches.arbitration.adjudication import ADJUDICATED
from pbem.matches.clock import ledger
from pbem.matches.lifecycle import finish
from pbem.matches.models import Match, Seat


def conclude(edition: Edition, *, now: datetime) -> None:
    """As the contest says; where the clocks go on, or the organiser decides, nothing is done here. The letters about
    the results say why."""
    decide = _DECISIONS.get(edition.contest.chosen.unfinished)
    for match in edition.unfinished().locked() if decide else ():
        assert decide is not None
        winner = decide(match, now)
        why = edition.contest.chosen.unfinished
        finish(match, Outcome(winner, ADJUDICATED), now=now, side=None, unfinished=why)


def _half(match: Match, now: datetime) -> Side | None:
    return None


def _less_time(match: Match, now: datetime) -> Side | None:
    """Who has used less time wins; without a clock it is who is not to move."""
    first, second = (_used(seat, now) for seat in match.seated)
    if first is None or second is None:
        return None if match.to_move is None else Side(match.to_move).other
    if first == second:
        return None
    return Side.FIRST if first < second else Side.SECOND


def _used(seat: Seat, now: datetime) -> timedelta | None:
    """With the turn under way, as far as it counts."""
    if seat.bank is None:
        return None
    if seat.running_since is None:
        return seat.bank_used
    since = seat.running_since
    return seat.bank_used + ledger.book_of(seat.match, since).reckoning(seat, since).elapsed(since, now)


_DECISIONS: Mapping[str, Callable[[Match, datetime], Side | None]] = {
    Unfinished.HALF: _half,
    Unfinished.TIME: _less_time,
}

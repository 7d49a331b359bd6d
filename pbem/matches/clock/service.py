"""Operations on a match's clocks: start, charge, stop and resume. The caller has locked the match.

Time that does not count goes into the ledger (`ExemptInterval`), never into a bank or a deadline; those follow from
the beginning of the turn and the ledger, here and in `recalculation` only. A match without a clock costs no
query.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import datetime, timedelta

from django.db import transaction

from pbem.matches.clock import ledger
from pbem.matches.clock.control import DAY, NOTHING, Bank, Control
from pbem.matches.clock.ledger import Labelled, TimeCalculation
from pbem.matches.clock.recalculation import recount, reset_deadline
from pbem.matches.models import ClockTurn, ExemptInterval, Match, Reason, Seat
from pbem.players.models import Player
from pbem.queue.sql import insert

PAUSED = "paused"  # default reason of a stop
LEAST = timedelta(minutes=1)  # least time after taking back a move that the opponent has not seen


def begin(match: Match, now: datetime) -> None:
    """Begins a turn: the clock of the player to move runs unless stopped."""
    control = match.agreed.control
    if control is None or match.moving is None:
        return
    for seat in match.seated:
        bank = seat.bank or Bank.full(control)
        if seat.is_to_move:
            seat.put(bank.begin(now))
        elif seat.bank is None:
            seat.put(bank)
        elif bank.since is not None:
            _end_turn(seat, now)
    reset_deadline(match)


def restart_turn(match: Match, now: datetime) -> None:
    """Begins again after a takeback. The bank is topped up to at least one increment or one day."""
    control = match.agreed.control
    if control is None:
        return
    halt(match, now)
    for seat in match.seated:
        _fill_up(seat, min(control.bank, max(control.increment, DAY)))
    begin(match, now)


def undo_turn(seat: Seat, now: datetime) -> None:
    """Resumes the seat's turn after its move was taken back unseen, with at least one minute."""
    # The opponent's turn never began.
    match, seat = _seated(seat)
    control = match.agreed.control
    turn = ClockTurn.objects.filter(seat=seat).order_by("pk").last()
    if control is None or seat.bank is None or turn is None:
        begin(match, now)
        return
    other = seat.opponent
    if other.bank is not None:
        other.put(replace(other.bank, since=None))
    seat.put(Bank(turn.left + seat.bank.left - turn.after, turn.used, turn.since))
    seat.free, seat.calendar_since = turn.free, turn.until
    turn.delete()
    left = remaining(seat, now)
    seat.put(seat.bank.given(NOTHING if left is None else max(LEAST - left, NOTHING)))
    reset_deadline(match)


def charge(seat: Seat, now: datetime) -> None:
    """Ends a turn with a move: charges the elapsed time and adds the increment."""
    # A clock that does not run (an automatic move) is charged nothing, and gets the increment.
    match, seat = _seated(seat)
    if match.flagged_at is not None:
        match.flagged_at = None
        match.save(update_fields=["flagged_at"])
    if match.agreed.control is not None and seat.bank is not None:
        _end_turn(seat, now, moved=match.agreed.control)


def halt(match: Match, now: datetime) -> None:
    """Ends running turns without a move: the match is over, or another turn begins."""
    if match.agreed.control is not None:
        for seat in match.seated:
            if seat.bank is not None and seat.bank.since is not None:
                _end_turn(seat, now)


def stop(match: Match, at: datetime, why: str = PAUSED) -> None:
    """Stops both clocks from `at` on, which may be past, until `go_on` for every reason.

    A second stop for the same reason moves the beginning to the earlier time. Takes down a flag that fell
    after `at`.
    """
    if match.status != Match.Status.PLAYING:
        return
    if why not in match.stopped:
        match.stopped = [*match.stopped, why]
        match.save(update_fields=["stopped"])
    if match.agreed.control is None:
        return
    row, _ = ExemptInterval.objects.get_or_create(
        match=match, seat=None, why=why, until=None, defaults={"since": at, "created_at": at}
    )
    if at < row.since:
        row.since = at
        row.save(update_fields=["since"])
    recount(match, at)


def resume(match: Match, now: datetime, why: str = PAUSED) -> None:
    """Removes a reason to stand still."""
    if why not in match.stopped:
        return
    match.stopped = [reason for reason in match.stopped if reason != why]
    match.save(update_fields=["stopped"])
    if match.agreed.control is not None:
        for row in ExemptInterval.objects.filter(match=match, seat=None, why=why, until=None):
            row.until = max(row.since, now)
            row.save(update_fields=["until"])
        ledger.close(match)
        reset_deadline(match)


def exempt(seat: Seat, since: datetime, until: datetime, why: Reason, note: str = "") -> None:
    """Excludes a time from the seat's turns, present and past; a later `until` extends the row."""
    match, seat = _seated(seat)
    if match.agreed.control is None or not since < until:
        return
    row, is_new = ExemptInterval.objects.get_or_create(
        match=match,
        seat=seat,
        why=why,
        since=since,
        defaults={"until": until, "note": note, "created_at": until},
    )
    if not is_new and row.until is not None and row.until < until:
        row.until = until
        row.save(update_fields=["until"])
    recount(match, since)


def give(seat: Seat, lasting: timedelta, now: datetime) -> None:
    """Adds time, even above the cap. When no time was left, the player continues with just the added time."""
    match, seat = _seated(seat)
    if match.agreed.control is None or seat.bank is None:
        return
    bank = seat.bank
    if match.flagged_at is not None and seat.is_to_move:
        over = bank.rest(now, calendar_for(seat)).left
        bank = bank.given(max(-over, NOTHING))
        match.flagged_at = None
        match.save(update_fields=["flagged_at"])
    seat.put(bank.given(lasting))
    reset_deadline(match)


def refresh(match: Match) -> None:
    """Recomputes the deadline from turn, bank, calendar and ledger."""
    ledger.close(match)
    reset_deadline(match)


def recalculate(player: Player) -> None:
    """Recomputes deadlines after absences changed from now on; see `backdate` for the past."""
    for match in _thinking(player):
        refresh(match)


@contextmanager
def new_hours(player: Player, now: datetime) -> Iterator[None]:
    """Saves new hours of a player inside: until `now` their clocks ran by the old calendar."""
    with transaction.atomic():
        matches = settle(player, now)
        yield
        for match in matches:
            for seat in match.seated:
                seat.player.refresh_from_db()
            refresh(match)


def settle(player: Player, now: datetime) -> list[Match]:
    """Fixes what the old calendar excluded until `now`. Returns the matches in which the clock runs."""
    matches = _thinking(player)
    for match in matches:
        for seat in match.seated:
            if seat.player_id == player.pk:
                keep_calendar(seat, now)
    return matches


def keep_calendar(seat: Seat, now: datetime) -> None:
    """Fixes what the calendar excluded from the current turn until `now`, even if the player changes."""
    if seat.running_since is None or seat.running_since >= now:
        return
    begin = max(seat.running_since, seat.calendar_since or seat.running_since)
    if begin < now:
        more = calendar_for(seat).calendar.left_out(begin, now)
        seat.free, seat.calendar_since = [*seat.free, *ledger.kept(more)], now
        seat.save(update_fields=["free", "calendar_since"])


def backdate(player: Player, since: datetime, until: datetime, *, now: datetime) -> None:
    """Gives back an absence that began in the past, in finished turns and under earlier calendars."""
    for match in Match.objects.of(player).filter(status=Match.Status.PLAYING).locked():
        seat = next(seat for seat in match.seated if seat.player_id == player.pk)
        if match.agreed.control is not None and match.agreed.rests and _is_settled(seat, since):
            exempt(seat, since, min(until, now), Reason.ABSENCE)


def remaining(seat: Seat, now: datetime) -> timedelta | None:
    """Returns the time that the seat has left; negative when over. None without a limit."""
    match, seat = _seated(seat)
    control = match.agreed.control
    if control is None:
        return None
    if seat.bank is None:
        return Bank.full(control).limit(control)
    return seat.bank.remaining(control, now, calendar_for(seat))


def left_out(match: Match, now: datetime) -> list[Labelled]:
    """Returns the intervals of the current turn that do not count, with the reasons."""
    seat = match.moving
    if seat is None or seat.running_since is None:
        return []
    return calendar_for(seat).left_out(seat.running_since, now)


def calendar_for(seat: Seat) -> TimeCalculation:
    """Returns the reckoning of the seat's current turn."""
    match, seat = _seated(seat)
    if seat.running_since is None:
        return TimeCalculation()
    return ledger.book_of(match, seat.running_since).reckoning(seat, seat.running_since)


def _end_turn(seat: Seat, now: datetime, *, moved: Control | None = None) -> None:
    """Charges the turn, and records what a later recalculation needs."""
    bank, running = seat.bank, calendar_for(seat)
    assert bank is not None
    since = bank.since or now
    ended = bank.rest(now, running) if moved is None else bank.moved(moved, now, running)
    begin = max(since, seat.calendar_since or since)
    free = [*seat.free, *ledger.kept(running.calendar.left_out(begin, now))]
    used = {"left": bank.left, "used": bank.used, "lasted": ended.used - bank.used, "after": ended.left}
    insert([ClockTurn(seat=seat, since=since, until=now, moved=moved is not None, free=free, **used)])
    seat.put(ended)


def _fill_up(seat: Seat, least: timedelta) -> None:
    """Tops up the bank and records it with the last turn."""
    # If a recalculation makes that turn cheaper, the bank is topped up by less.
    turn = ClockTurn.objects.filter(seat=seat).order_by("pk").last()
    if seat.bank is None or seat.bank.left >= least:
        return
    if turn is not None:
        given = seat.bank.left - turn.after
        turn.least, turn.after = least - given, least - given
        turn.save(update_fields=["least", "after"])
    seat.put(seat.bank.filled_up(least))


def _thinking(player: Player) -> list[Match]:
    """Returns the running matches with the player's clock running."""
    running = Seat.objects.filter(player=player, running_since__isnull=False)
    pks = running.filter(match__status=Match.Status.PLAYING).values_list("match", flat=True)
    return list(Match.objects.filter(pk__in=list(pks)).locked())


def _is_settled(seat: Seat, since: datetime) -> bool:
    """Returns whether a turn after `since` is over, or ran by an earlier calendar."""
    if seat.calendar_since is not None and seat.calendar_since > since:
        return True
    return ClockTurn.objects.filter(seat=seat, until__gt=since).exists()


def _seated(seat: Seat) -> tuple[Match, Seat]:
    """Returns the match and its own object for the seat."""
    # Two objects for one row would not see each other's charges.
    return seat.match, seat.match.seated[seat.side]

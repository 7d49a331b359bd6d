"""Recomputes charges, banks, deadlines and reminders from the ledger, which may change after the fact."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime

from django.db import transaction
from django.db.models import Exists, OuterRef, Q

from pbem.matches.clock import ledger
from pbem.matches.clock.control import Bank, Control
from pbem.matches.clock.reminders import coming
from pbem.matches.models import ClockTurn, ExemptInterval, Match, MatchQuerySet, Seat
from pbem.queue.sql import save

AT_ONCE = 500  # matches
CACHED = ("deadline", "remind_at", "flagged_at")
BANK = ("bank_left", "bank_used")
RECKONED = ("left", "used", "lasted", "after")


@dataclass
class Changes:
    """The changed rows, to be saved; matches by changed columns."""

    matches: defaultdict[tuple[str, ...], list[Match]] = field(default_factory=lambda: defaultdict(list))
    seats: list[Seat] = field(default_factory=list)
    turns: list[ClockTurn] = field(default_factory=list)

    def save(self) -> None:
        for columns, matches in self.matches.items():
            Match.objects.bulk_update(matches, columns)
        Seat.objects.bulk_update(self.seats, BANK)
        ClockTurn.objects.bulk_update(self.turns, RECKONED)


def recount(match: Match, since: datetime) -> None:
    """Recomputes a match after its ledger changed back to `since`."""
    ledger.close(match)
    changes = Changes()
    first = min([since, *(s.running_since for s in match.seated if s.running_since)])
    for seat in match.seated:
        turns = list(ClockTurn.objects.filter(seat=seat, until__gt=since).order_by("pk"))
        begin = min([first, *(turn.since for turn in turns)])
        recharge(seat, turns, ledger.book_of(match, begin), changes)
    cache(match, ledger.book_of(match, first), changes)
    changes.save()


def recount_all(matches: MatchQuerySet, since: datetime) -> int:
    """Recomputes all running matches after a common change, in batches. Returns their number."""
    pks = list(matches.filter(status=Match.Status.PLAYING).order_by("pk").values_list("pk", flat=True))
    for start in range(0, len(pks), AT_ONCE):
        _recount_some(pks[start : start + AT_ONCE], since)
    return len(pks)


def recount_soon(row: ExemptInterval, near: datetime) -> int:
    """Recomputes urgent matches after a common row; `recount_more` does the others. Returns how many.

    Urgent: a deadline up to `near`, a flag, or a finished turn with a recorded bank.
    """
    # A deadline that is too early can wait: it is checked against the ledger before it is acted on.
    row.recounted_to = 0
    row.save(update_fields=["recounted_to"])
    over = ClockTurn.objects.filter(seat__match=OuterRef("pk"), until__gt=row.since)
    hasty = Q(deadline__lte=near) | Q(flagged_at__isnull=False) | Exists(over)
    return recount_all(Match.objects.filter(hasty), row.since)


def recount_more() -> bool:
    """Recomputes a batch of the matches that `recount_soon` left. Returns whether there was one."""
    # After a crash it repeats the batch.
    return ExemptInterval.objects.filter(recounted_to__isnull=False).exists() and _recount_next()


@transaction.atomic
def _recount_next() -> bool:
    rows = list(ExemptInterval.objects.filter(recounted_to__isnull=False).select_for_update())
    if not rows:
        return False
    done = min(row.recounted_to or 0 for row in rows)
    playing = Match.objects.filter(status=Match.Status.PLAYING, pk__gt=done).order_by("pk")
    pks = list(playing.values_list("pk", flat=True)[:AT_ONCE])
    _recount_some(pks, min(row.since for row in rows))
    to = pks[-1] if len(pks) == AT_ONCE else None
    for row in rows:
        if to is None or (row.recounted_to or 0) < to:
            row.recounted_to = to
            row.save(update_fields=["recounted_to"])
    return True


def recharge(seat: Seat, turns: Iterable[ClockTurn], book: ledger.Book, changes: Changes) -> None:
    """Recomputes finished turns from the first affected one: charges, and banks after them."""
    control, bank = seat.match.agreed.control, seat.bank
    if control is None or bank is None:
        return
    before: tuple[Bank, Bank] | None = None  # after the previous turn: as recorded, as recomputed
    for turn in turns:
        was = Bank(turn.after, turn.used + turn.lasted)
        began = _moved_on(Bank(turn.left, turn.used, turn.since), before)
        running = book.reckoning(seat, turn.since, free=turn.free)
        over = began.moved(control, turn.until, running) if turn.moved else began.rest(turn.until, running)
        over = over.filled_up(turn.least)
        before = was, over
        if (over.left, over.used, began.left) != (turn.after, turn.used + turn.lasted, turn.left):
            turn.left, turn.used, turn.after = began.left, began.used, over.left
            turn.lasted = over.used - began.used
            changes.turns.append(turn)
    now = _moved_on(bank, before)
    if now != bank:
        seat.hold(now)
        changes.seats.append(seat)


def cache(match: Match, book: ledger.Book, changes: Changes) -> None:
    """Recomputes the deadline and the next reminder; takes down a flag that should not have fallen."""
    control, seat = match.agreed.control, match.moving
    if control is None or seat is None or seat.bank is None or match.status != Match.Status.PLAYING:
        return
    before = tuple(getattr(match, column) for column in CACHED)
    _reckon(match, seat, seat.bank, control, book)
    pairs = zip(CACHED, before, strict=True)
    if columns := tuple(column for column, value in pairs if getattr(match, column) != value):
        changes.matches[columns].append(match)


def reset_deadline(match: Match) -> None:
    """Recomputes the deadline after a turn began or time changed."""
    control, seat = match.agreed.control, match.moving
    if control is None or seat is None or seat.bank is None or match.flagged_at is not None:
        return
    if seat.running_since is None:
        match.deadline = match.remind_at = None
    else:
        _reckon(match, seat, seat.bank, control, ledger.book_of(match, seat.running_since))
    save(match, ("deadline", "remind_at"))


def over_at(match: Match) -> datetime | None:
    """Returns when the time of the player to move is over, before a stop of the clock. None otherwise."""
    control, seat = match.agreed.control, match.moving
    if control is None or seat is None or seat.bank is None or seat.running_since is None:
        return None
    book = ledger.book_of(match, seat.running_since)
    return seat.bank.deadline(control, book.reckoning(seat, seat.running_since))


def _reckon(match: Match, seat: Seat, bank: Bank, control: Control, book: ledger.Book) -> None:
    running = book.reckoning(seat, bank.since) if bank.since else None
    over = bank.deadline(control, running) if running else None
    if match.flagged_at is not None:
        if over is not None and over <= match.flagged_at:
            return
        match.flagged_at = None
    match.deadline = None if match.stopped else over
    reminder = coming(match, running, bank.since) if running and bank.since else None
    match.remind_at = reminder.at if reminder else None


def _moved_on(bank: Bank, before: tuple[Bank, Bank] | None) -> Bank:
    """Returns the bank after a correction of the previous turn; later gifts are kept."""
    if before is None:
        return bank
    was, over = before
    return Bank(bank.left + over.left - was.left, bank.used + over.used - was.used, bank.since)


def _recount_some(pks: Sequence[int], since: datetime) -> None:
    found = Match.objects.filter(pk__in=pks).locked()
    matches = [match for match in found if match.agreed.control is not None]
    players = _gather(matches)
    seats = {seat.pk: seat for match in matches for seat in match.seated}
    turns: dict[int, list[ClockTurn]] = {}
    for turn in ClockTurn.objects.filter(seat__in=seats, until__gt=since).order_by("pk"):
        turns.setdefault(turn.seat_id, []).append(turn)
    running = (seat.running_since for seat in seats.values() if seat.running_since)
    first = min([since, *running, *(t[0].since for t in turns.values())])
    book, changes = ledger.book_of_all(matches, players, first), Changes()
    for pk, touched in turns.items():
        recharge(seats[pk], touched, book, changes)
    for match in matches:
        cache(match, book, changes)
    changes.save()


def _gather(matches: Sequence[Match]) -> Iterator[int]:
    """Loads the seats of all matches in one query. Returns the players with a running clock."""
    by_match: dict[int, list[Seat]] = {}
    for seat in Seat.objects.filter(match__in=matches).select_related("player").order_by("side"):
        by_match.setdefault(seat.match_id, []).append(seat)
    for match in matches:
        first, second = by_match[match.pk]
        first.match = second.match = match
        match.seated = (first, second)
    return (seat.player_id for seats in by_match.values() for seat in seats if seat.running_since)

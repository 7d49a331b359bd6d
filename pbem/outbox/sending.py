"""Sends letters: claims, composes, hands over and records the outcome."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import cache, partial

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Count, Exists, F, OuterRef, Q, QuerySet

from pbem.matches.models import Seat
from pbem.outbox.delivery.backends import Sender, default_sender
from pbem.outbox.delivery.bounces import count
from pbem.outbox.delivery.bounces import hold as hold_back
from pbem.outbox.delivery.clock_start import (
    Overtaken,
    begin_with,
    brings_the_turn,
    hold,
    hold_round,
    let_go,
    let_round_go,
    overtaken,
    tells_of_a_round,
)
from pbem.outbox.delivery.smtp import DeliveryError, ReplyLost
from pbem.outbox.delivery.status_codes import DISPOSITIONS, Disposition, slows
from pbem.outbox.models import (
    MOST_ATTEMPTS,
    MOST_COPIES,
    MOST_FAILURES,
    RELAY,
    SEND_MAIL,
    OutboundMail,
    OutboundMailQuerySet,
    SlowDomain,
    fell_silent,
    go_on,
    new_letter,
    pause_after,
    slow_down,
    slow_lately,
)
from pbem.outbox.rendering.compose import Composed, compose
from pbem.queue import faults
from pbem.queue.enqueue import DeferredWrites, enqueue_on_commit
from pbem.queue.failpoints import failpoint
from pbem.queue.faults import KILLED, error_summary, verdict_of
from pbem.queue.models import claim_in_order
from pbem.queue.sql import compiled_query
from pbem.queue.timer import Timer
from pbem.refusals import Code, Refused

# Order of sending


def newest(now: datetime) -> int | None:
    """Returns the sendable letter that answers the latest arrival. None when there is none."""
    return next(iter(_first_of_all(settings.LETTERS_AT_ONCE, newest=True)(now)), None)


def oldest(now: datetime) -> int | None:
    """Returns the letter due longest, preferably to a domain with none in transit. May be None."""
    found = (_first_of_all(most, newest=False)(now) for most in (1, settings.LETTERS_AT_ONCE))
    return next((pk for pks in found for pk in pks), None)


@cache
def _first_of_all(most: int, *, newest: bool) -> Callable[[datetime], list[int]]:
    order = ("-arrived_at", "-pk") if newest else ("next_try_at", "pk")

    @compiled_query
    def find(now: datetime) -> QuerySet[OutboundMail, int]:
        return _free_to_go(now, most).order_by(*order).values_list("pk", flat=True)[:1]

    return find


def _free_to_go(now: datetime, most: int) -> OutboundMailQuerySet:
    """Returns due letters to domains with fewer than `most` leases."""
    # Excludes letters with another one in transit to the same reader about the same match.
    on_their_way = OutboundMail.objects.leased(now)
    full = on_their_way.values("domain").annotate(in_flight=Count("pk")).filter(in_flight__gte=most)
    before = on_their_way.filter(match=OuterRef("match"), address=OuterRef("address"))
    tried = slow_lately() & Q(domain__in=on_their_way.values("domain"))
    return (
        OutboundMail.objects.due(now)
        .exclude(domain__in=full.values("domain"))
        .exclude(Exists(before) | tried)
    )


# Traffic to a domain


@dataclass(frozen=True)
class Traffic:
    """Current leases to a domain; whether it or the relay asks to wait now (`throttled`), or did lately."""

    in_flight: int
    throttled_lately: bool
    throttled: bool


def traffic_to(domain: str, now: datetime) -> Traffic:
    moment = connection.ops.adapt_datetimefield_value(now)
    with connection.cursor() as cursor:
        cursor.execute(_QUESTION, [domain, moment, domain, RELAY, domain, RELAY, moment])
        in_flight, asked, asks = cursor.fetchone()
    return Traffic(in_flight, asked > 0, asks > 0)


# Raw SQL: the ORM takes ten times as long to build it as the database to answer.
_SLOW = f"SELECT count(*) FROM {SlowDomain._meta.db_table} WHERE domain IN (%s, %s)"
_QUESTION = f"""
    SELECT (SELECT count(*) FROM {OutboundMail._meta.db_table} WHERE domain = %s AND leased_until > %s),
           ({_SLOW}),
           ({_SLOW} AND until > %s)
"""


# Letters taken by the relay


@dataclass(frozen=True)
class Accepted:
    """A letter that the relay took, with its reply and the time."""

    row: OutboundMail
    letter: Composed
    said: str
    at: datetime


def mark(taken: Sequence[Accepted]) -> None:
    """Marks letters as sent, in one statement, even if their leases have passed to other processes."""
    by_column = (
        [(each.row.pk, each.letter.verdict) for each in taken],
        [(each.row.pk, each.said) for each in taken],
        [(each.row.pk, each.letter.kept) for each in taken],
    )
    sent_at = connection.ops.adapt_datetimefield_value(max(each.at for each in taken))
    filled = [value for column in by_column for pair in column for value in pair]
    with connection.cursor() as cursor:
        cursor.execute(_statement(len(taken)), [sent_at, *filled, *(each.row.pk for each in taken)])


@cache
def _statement(count: int) -> str:
    # Raw SQL: the ORM would need a page of expressions.
    named = f"CASE id{' WHEN %s THEN %s' * count} END"
    return f"""
        UPDATE {OutboundMail._meta.db_table}
        SET status = '{OutboundMail.Status.SENT}', leased_until = NULL, faulty_since = NULL, overtaken_by_id = NULL,
            failures = 0, sent_at = %s, verdict = {named}, answer = {named}, text = {named}
        WHERE id IN ({", ".join(["%s"] * count)})
    """


# Attempts

log = logging.getLogger(__name__)
Status = OutboundMail.Status
LOOKED_AT = 100  # sent letters that are examined when a server is silent
DEFERRED = DeferredWrites()


def composed(row: OutboundMail, timer: Timer) -> Composed | None:
    """Composes the letter, as plain text at the last attempt. None when composing failed."""
    try:
        begin_with(row, timer.now)
        letter = compose(row, plain=row.failures >= MOST_FAILURES)
    except Exception as error:
        _failed(row, error, timer.now)
        return None
    if row.failures > 1:  # counts only crashes while composing, not those during SMTP
        OutboundMail.objects.filter(pk=row.pk).update(failures=0)
        row.failures = 1
    return letter


def handed_over(row: OutboundMail, letter: Composed, timer: Timer, sender: Sender) -> Accepted | None:
    """Hands the letter to the relay. None when it is not taken, which is recorded."""
    return handle_reply(row, letter, timer, lambda: sender.send(letter.sender, row.address, letter.raw))


def handle_reply(
    row: OutboundMail, letter: Composed, timer: Timer, answer: Callable[[], str]
) -> Accepted | None:
    """Evaluates the relay's reply, which may have been requested before."""
    try:
        said = answer()
    except DeliveryError as why:
        _not_taken(row, letter, why, timer.now)
    except Exception as error:
        _failed(row, error, timer.now)
    else:
        failpoint("handed-over")
        return Accepted(row, letter, said, timer.now)
    return None


def _not_taken(row: OutboundMail, letter: Composed, why: DeliveryError, now: datetime) -> None:
    fate = why.fate
    level = logging.ERROR if fate == Code.POLICY else logging.WARNING
    log.log(level, "%s: letter %s to %s was not taken: %s", fate, row.pk, row.address, why.reply)
    _slow_down(row, why, now)
    lost = row.replies_lost + isinstance(why, ReplyLost)
    fields: dict[str, object] = {"answer": why.reply, "failures": 0, "replies_lost": lost}
    if isinstance(why, ReplyLost) or DISPOSITIONS[fate] is Disposition.FAILS:
        fields["text"] = letter.kept  # the reader may have it and quote it
    ends = DISPOSITIONS[fate] is Disposition.FAILS
    if ends or row.attempts > MOST_ATTEMPTS:
        verdict = fate if ends or fate == Code.POLICY else Code.DELIVERY_EXPIRED
        if row.release(status=Status.FAILED, verdict=verdict, **fields):
            count(row, fate, now=now, reply=why.reply)
    elif isinstance(why, ReplyLost) and lost >= MOST_COPIES:
        shunt(row, why.reply, verdict=Code.REPLIES_LOST, **fields)
    else:
        # The last copy waits longer, so that a silent server can recover.
        then = Disposition.WAITS_LONG if lost == MOST_COPIES - 1 else DISPOSITIONS[fate]
        row.retry(now + pause_after(row.attempts, then), verdict=fate, **fields)


def _slow_down(row: OutboundMail, why: DeliveryError, now: datetime) -> None:
    if why.relay:
        slow_down(RELAY, why.reply, now)
    elif why.silent:
        sent = (
            OutboundMail.objects.filter(status=Status.SENT).order_by("-pk").values_list("sent_at", flat=True)
        )
        fell_silent(row.domain, why.reply, now, taken=max(filter(None, sent[:LOOKED_AT]), default=None))
    elif slows(why.reply):
        slow_down(row.domain, why.reply, now)


def _failed(row: OutboundMail, error: Exception, now: datetime) -> None:
    """Retries or shunts after an error of our own program. Re-raises environment faults."""
    if faults.is_fault(error):
        raise error
    log.exception("S01: letter %s cannot be written, attempt %s", row.pk, row.failures)
    if row.failures >= MOST_FAILURES:
        shunt(row, error_summary(error))
        return
    again = now + pause_after(row.failures, Disposition.WAITS)
    row.retry(again, verdict=Code.TRANSIENT, failures=row.failures, trouble=error_summary(error))


@contextmanager
def later_after_fault(row: OutboundMail, timer: Timer) -> Iterator[None]:
    """Reschedules the letter after an environment fault, without counting an attempt."""
    try:
        yield
    except Exception as error:
        if not faults.is_fault(error):
            raise
        _not_tried(row, error, timer.now)


def _not_tried(row: OutboundMail, error: Exception, now: datetime) -> None:
    since = row.faulty_since or now
    log.warning("S01: letter %s is sent later: %s", row.pk, error)
    facts: dict[str, object] = {
        "verdict": Code.TRANSIENT,
        "trouble": error_summary(error),
        "faulty_since": since,
    }
    counted = {"attempts": row.attempts - 1, "failures": row.failures - 1}
    again = now + faults.pause_after(now - since)
    DEFERRED.write(lambda: row.retry(again, **counted, **facts))


def shunt(row: OutboundMail, trouble: str, verdict: str = "", **fields: object) -> None:
    """Shunts a letter. Holds the match or round when it announces the reader's turn."""
    verdict = verdict or verdict_of(trouble)
    log.error("%s: letter %s was shunted: %s", verdict, row.pk, trouble)
    counted = {"attempts": row.attempts, "failures": row.failures} | fields
    with transaction.atomic():
        held = hold(row.match_id, row.created_at) if brings_the_turn(row) else None
        if tells_of_a_round(row):
            hold_round(row)
        row.shunt(verdict, trouble, status=Status.FAILED, holds=held, **counted)


def done_with(row: OutboundMail, now: datetime) -> None:
    """Releases the match or round that a finished letter held."""
    is_round = tells_of_a_round(row)
    if row.holds_id is None and not is_round:
        return
    with transaction.atomic():
        still = OutboundMail.objects.filter(pk=row.pk).select_for_update().get()
        if still.status == Status.WAITING or still.is_shunted:
            return
        if is_round:
            let_round_go(row, now)
        if still.holds_id is None:
            return
        OutboundMail.objects.filter(pk=row.pk).update(holds=None)
        let_go(still.holds_id, now)


SWEPT, SWEPT_OF_A_DOMAIN = 500, 50  # at a time


def due(*, now: datetime) -> Iterable[int]:
    """Returns due letters, oldest first, with a limit per domain."""
    return OutboundMail.objects.due(now).fairly(SWEPT_OF_A_DOMAIN).values_list("pk", flat=True)[:SWEPT]


def release_leases() -> None:
    """Clears all leases, for use when no process is sending. Retries the relay."""
    OutboundMail.objects.filter(status=Status.WAITING).update(leased_until=None)
    # The operator may have just fixed what the relay refused.
    go_on(RELAY)


def send_next(pk: int, *, now: datetime) -> None:
    """Sends the letter that is next in order, for the task enqueued for `pk`."""
    attempt = partial(send, now=now)
    claim_in_order(SEND_MAIL, pk, attempt=attempt, newest=partial(newest, now), oldest=partial(oldest, now))


def send(pk: int, *, now: datetime, sender: Sender | None = None) -> bool:
    """Makes one attempt. True when there was one. Sends the first due letter to the reader about the match."""
    # A process killed between hand-over and mark sends a second copy with the same Message-ID.
    timer = Timer(now)
    DEFERRED.flush()
    claim = _claim(pk, now)
    if claim is None:
        return False
    row = claim.row
    with later_after_fault(row, timer):
        failpoint("taken-up")
        if more := overtaken(row):
            _suppress(row, more)
        elif hold_back(row, now=now):
            pass
        elif letter := composed(row, timer):
            failpoint("composed")
            _hand_over(claim, letter, timer, sender or default_sender())
        done_with(row, timer.now)
    return True


def send_again(row: OutboundMail, *, now: datetime) -> None:
    """Requeues a letter for the organiser. The copy has the same Message-ID."""
    row.requeue(status=Status.WAITING, next_try_at=now, overtaken_by=None, failures=0, replies_lost=0)
    enqueue_on_commit(SEND_MAIL, row.pk)


@transaction.atomic
def drop(row: OutboundMail, why: str, now: datetime) -> None:
    """Drops a letter for the organiser."""
    row.drop(why, now)
    done_with(row, now)


def hurry(domain: str, *, now: datetime) -> None:
    """Ends the waiting of a domain and its letters, for the organiser."""
    go_on(domain)
    waiting = OutboundMail.objects.filter(status=Status.WAITING, next_try_at__gt=now)
    (waiting if domain == RELAY else waiting.filter(domain=domain)).update(next_try_at=now)


@dataclass(frozen=True)
class _Claim:
    """A letter leased to us. `slow`: its domain or the relay was slow lately."""

    row: OutboundMail
    slow: bool


def _claim(pk: int, now: datetime) -> _Claim | None:
    """Leases a letter. None when it is leased, not due or shunted, or its domain is backed off or busy."""
    # The lease and the attempt are written in one statement, so a crash counts as an attempt. Leases to the
    # domain are counted after that: of concurrent senders the last sees too many and steps back.
    pk = next(iter(_first(pk, now)), pk)
    if OutboundMail.objects.free(now).filter(pk=pk).claim(now, failures=F("failures") + 1) is None:
        return None
    (row,) = _row(pk)
    if row.failures > MOST_FAILURES or row.is_given_up(now):
        row.attempts, row.failures = row.attempts - 1, row.failures - 1  # not an attempt
        shunt(row, row.trouble or KILLED)
        return None
    traffic = traffic_to(row.domain, now)
    # A domain that was slow lately gets one letter at a time.
    most = 1 if traffic.throttled_lately else settings.LETTERS_AT_ONCE
    if traffic.in_flight > most or traffic.throttled:
        row.release(attempts=row.attempts - 1, failures=row.failures - 1)
        return None
    return _Claim(row, slow=traffic.throttled_lately)


@compiled_query
def _first(pk: int, now: datetime) -> QuerySet[OutboundMail, int]:
    """Returns the first due letter about the match of `pk` to the same reader, so that they leave in order."""
    this = OutboundMail.objects.filter(pk=pk, match__isnull=False)
    about = {"match": this.values("match")[:1], "address": this.values("address")[:1]}
    waiting = OutboundMail.objects.filter(status=Status.WAITING, next_try_at__lte=now, **about)
    return waiting.order_by("pk").values_list("pk", flat=True)[:1]


@compiled_query
def _row(pk: int) -> QuerySet[OutboundMail]:
    return OutboundMail.objects.select_related("match", "player").filter(pk=pk)


def _suppress(row: OutboundMail, more: Overtaken) -> None:
    """Suppresses an overtaken letter, even if a copy may have been delivered."""
    # A reply to it is answered with the current state of the match.
    row.release(status=Status.SUPPRESSED, verdict=Code.SUPPRESSED, overtaken_by=more.by, failures=0)


def _hand_over(claim: _Claim, letter: Composed, timer: Timer, sender: Sender) -> None:
    taken = handed_over(claim.row, letter, timer, sender)
    if taken is not None:
        DEFERRED.write(lambda: mark([taken]))
        if claim.slow:
            go_on(claim.row.domain)
            go_on(RELAY)


# Resending


@transaction.atomic
def resend(seat: Seat, *, now: datetime) -> OutboundMail:
    """Sends a copy of the newest letter about the match to the player's current address. Raises Refused D14."""
    written = OutboundMail.objects.filter(match=seat.match_id, player=seat.player_id)
    last = written.order_by("-pk").first()
    if last is None:
        raise Refused(Code.NO_LETTER, match=seat.match)
    player, address = seat.player, seat.player.email or last.address
    copy = new_letter(f"resent:{last.pk}", address, last.sections, player.language, now, player=player)
    copy.kind, copy.match, copy.ply = last.kind, seat.match, last.ply
    copy.save()
    enqueue_on_commit(SEND_MAIL, copy.pk)
    return copy

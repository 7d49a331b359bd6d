"""Opens letters: claims the oldest of a queue, interprets it outside any transaction, processes it in one."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from functools import partial

from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce

from pbem.budget import Overdue, Wording, exact_only, of_a_letter
from pbem.inbox import reading_process
from pbem.inbox.chain import process
from pbem.inbox.commands.match_commands import Move
from pbem.inbox.copies import TIMEOUT, is_to_come
from pbem.inbox.interpretation import InterpretedMessage, interpret
from pbem.inbox.models import MOST_ATTEMPTS, OPEN_MAIL, RELEASED, InboundMail, InboundMailQuerySet
from pbem.inbox.recipient import ConfirmRecipient
from pbem.inbox.shunt import shunt
from pbem.mail.authentication.policy import Decision
from pbem.matches.clock.outages import record_heartbeat
from pbem.matches.models import Component
from pbem.outbox.delivery.backends import Sender, default_sender
from pbem.outbox.inline_delivery import can_send, send_at_once
from pbem.outbox.notifications.notify import InlineBatch, leasing
from pbem.queue import faults
from pbem.queue.enqueue import DeferredWrites, enqueue_on_commit
from pbem.queue.failpoints import failpoint
from pbem.queue.faults import KILLED, error_summary
from pbem.queue.models import LEASE, claim_in_order
from pbem.queue.sql import compiled_query, returned
from pbem.queue.timer import Timer, answering

log = logging.getLogger(__name__)
RETRY = (timedelta(seconds=10), timedelta(minutes=1))  # the cause of the failure may take a while to go
SWEPT = 2000  # letters at a time
DEFERRED = DeferredWrites()


def waiting(*, now: datetime) -> Iterable[int]:
    """The letters that could be opened now, except those behind a leased letter of their queue."""
    return _in_no_hands(now).order_by("pk").values_list("pk", flat=True)[:SWEPT]


def release_leases() -> None:
    """Releases all leases, when no worker runs."""
    InboundMail.objects.unopened().update(leased_until=None)


def open_next(pk: int, *, now: datetime) -> None:
    """Opens the next letter in turn, for the task enqueued for `pk`."""
    attempt = partial(open_mail, now=now, sender=default_sender())
    claim_in_order(OPEN_MAIL, pk, attempt=attempt, newest=partial(newest, now), oldest=partial(oldest, now))


def newest(now: datetime) -> int | None:
    return next(iter(_newest(now)), None)


def oldest(now: datetime) -> int | None:
    return next(iter(_oldest_of_all(now)), None)


def open_mail(pk: int, *, now: datetime, sender: Sender | None = None) -> bool:
    """Opens the oldest letter in the queue of `pk`; returns whether there was one. May be called any number
    of times.

    With a `sender`, letters about a played move are sent at once; without one they are queued.
    """
    timer = Timer(now)
    DEFERRED.flush()
    record_heartbeat(Component.WORKER, now=now)  # credits an outage before a later letter is found late
    row = _claim(pk, now)
    if row is None:
        return False
    if not reading_process.is_used():
        _open(row, timer, sender)
        return True
    try:
        with exact_only():
            _open(row, timer, sender)
    except Wording:
        _open_elsewhere(row, timer)
    return True


def open_leased(pk: int, *, now: datetime) -> None:
    """Opens a letter in the child process and sends its answers about a move; the parent has the lease."""
    _open(InboundMail.objects.get(pk=pk), Timer(now), default_sender())


def _open(row: InboundMail, timer: Timer, sender: Sender | None) -> None:
    try:
        with of_a_letter():
            failpoint("claimed")
            reading = interpret(row)
            failpoint("read")
            if is_to_come(row, reading, timer.now):
                return _put_off(row)
            batch = _batch(row, reading, timer.now) if sender else None
            with transaction.atomic(), answering(row.received_at), leasing(batch):
                if _is_unopened(row):
                    process(row, reading, timer.now)
                    failpoint("carried-out")
    except Overdue as overdue:
        return _set_aside(row, error_summary(overdue), timer.now)
    except Exception as error:
        return _not_opened(row, error, timer.now)
    failpoint("opened")
    if batch and sender:
        send_at_once(batch, sender, now=timer.now)
    return None


def _open_elsewhere(row: InboundMail, timer: Timer) -> None:
    try:
        reading_process.open_there(row.pk)
    except reading_process.Silent as silent:
        _set_aside(row, error_summary(silent), timer.now)
    except reading_process.Ended as ended:
        _not_opened(row, ended, timer.now)


@transaction.atomic
def _set_aside(row: InboundMail, trouble: str, now: datetime) -> None:
    """Shunts the letter at its first attempt, as a timeout would repeat itself."""
    if _is_unopened(row):
        shunt(row, trouble, now)


def _batch(row: InboundMail, reading: InterpretedMessage, now: datetime) -> InlineBatch | None:
    """The batch for letters sent at once, when the letter only plays moves. None otherwise."""
    commands = reading.understood.commands
    plays = bool(commands) and all(isinstance(command, Move) for command in commands)
    also_agrees = isinstance(reading.recipient, ConfirmRecipient)
    if not plays or also_agrees or reading.decision is not Decision.APPLY or not can_send():
        return None
    is_first = row.attempts == 1 and RELEASED not in row.reading
    return InlineBatch(f"letter:{row.pk}", is_first, now)


def _in_no_hands(now: datetime) -> InboundMailQuerySet:
    """Unopened letters without a leased one in their queue."""
    unopened = InboundMail.objects.unopened()
    return unopened.exclude(queue_key__in=unopened.leased(now).values("queue_key"))


@compiled_query
def _newest(now: datetime) -> QuerySet[InboundMail, int]:
    return _in_no_hands(now).order_by("-received_at").values_list("pk", flat=True)[:1]


@compiled_query
def _oldest_of_all(now: datetime) -> QuerySet[InboundMail, int]:
    return _in_no_hands(now).order_by("received_at").values_list("pk", flat=True)[:1]


@compiled_query
def _oldest(pk: int) -> QuerySet[InboundMail]:
    """The oldest unopened letter in the queue of `pk`."""
    queue_key = InboundMail.objects.filter(pk=pk).values("queue_key")[:1]
    return InboundMail.objects.unopened().filter(queue_key=queue_key).order_by("pk").select_for_update()[:1]


def _is_unopened(row: InboundMail) -> bool:
    """Locks the letter, and others with its Message-ID, which may be copies."""
    found = _alike(row.pk, row.message_key) if row.message_key else _alone(row.pk)
    row.has_namesakes = len(found) > 1
    return (row.pk, "") in found


@compiled_query
def _alone(pk: int) -> QuerySet[InboundMail, tuple[int, str]]:
    return InboundMail.objects.filter(pk=pk).select_for_update().values_list("pk", "verdict")


@compiled_query
def _alike(pk: int, message_key: str) -> QuerySet[InboundMail, tuple[int, str]]:
    either = Q(pk=pk) | Q(message_key=message_key)
    return InboundMail.objects.filter(either).order_by("pk").select_for_update().values_list("pk", "verdict")


@transaction.atomic
def open_again(row: InboundMail) -> None:
    """Forgets the verdict, so that the letter is opened anew; for the organiser.

    It also releases spam. A match that the letter holds goes on when it is opened.
    """
    row.requeue(opened_at=None, reading={RELEASED: True})
    enqueue_on_commit(OPEN_MAIL, row.pk)


def _not_opened(row: InboundMail, error: Exception, now: datetime) -> None:
    """Schedules another attempt. A fault of the environment does not count as one."""
    if not faults.is_fault(error):
        log.exception("S01: letter %s, attempt %s", row.pk, row.attempts)
        pause = RETRY[min(row.attempts, len(RETRY)) - 1]
        row.retry(now + pause, trouble=error_summary(error))
        return
    since = row.faulty_since or now
    log.warning("S01: letter %s is opened later: %s", row.pk, error)
    at_once = faults.was_in_the_way(error)
    again = None if at_once else now + faults.pause_after(now - since)
    DEFERRED.write(lambda: _no_attempt(row, since, again, error_summary(error)))
    if at_once:
        enqueue_on_commit(OPEN_MAIL, row.pk)


def _no_attempt(row: InboundMail, since: datetime, again: datetime | None, trouble: str) -> None:
    """Takes back the attempt, even when another worker has claimed the letter since."""
    counted = InboundMail.objects.filter(pk=row.pk, attempts__gt=0)
    counted.update(attempts=F("attempts") - 1, faulty_since=Coalesce("faulty_since", since))
    row.retry(again, trouble=trouble)


def _put_off(row: InboundMail) -> None:
    """Waits for the copy at the sender's reply address, without counting the attempt."""
    row.retry(row.received_at + TIMEOUT, attempts=row.attempts - 1)


def _claim(pk: int, now: datetime) -> InboundMail | None:
    """Leases the queue's oldest unopened letter. None when there is none, or it is leased.

    A letter that keeps killing its readers is shunted.
    """
    return next(iter(_claimed(pk, now)), None) or _claim_with_care(pk, now)


def _claimed(pk: int, now: datetime) -> list[InboundMail]:
    """Claims a plain letter in one statement. A concurrent claim waits and finds it leased."""
    values = [now + LEASE, pk, now, MOST_ATTEMPTS, now - faults.GIVEN_UP]
    return returned(InboundMail, _CLAIM, values)


_CLAIM = f"""
    UPDATE {InboundMail._meta.db_table} SET leased_until = %s, attempts = attempts + 1
    WHERE id = (SELECT id FROM {InboundMail._meta.db_table}
                WHERE verdict = ''
                  AND queue_key = (SELECT queue_key FROM {InboundMail._meta.db_table} WHERE id = %s)
                ORDER BY id LIMIT 1)
      AND verdict = '' AND (leased_until IS NULL OR leased_until <= %s)
      AND attempts < %s AND (faulty_since IS NULL OR faulty_since > %s)
"""


@transaction.atomic
def _claim_with_care(pk: int, now: datetime) -> InboundMail | None:
    row = next(iter(_oldest(pk)), None)
    while row and row.is_free(now) and (row.attempts >= MOST_ATTEMPTS or row.is_given_up(now)):
        shunt(row, row.trouble or KILLED, now)
        row = next(iter(_oldest(pk)), None)
    if row is None or not row.is_free(now):
        return None
    row.attempts += 1
    row.leased_until = InboundMail.objects.filter(pk=row.pk).claim(now, attempts=row.attempts)
    return row

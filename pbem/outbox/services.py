"""Sending: claim a letter, compose it, hand it over, mark what came of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from pbem.outbox.attempt import OWED, composed, done_with, handed_over, not_tried, shunt
from pbem.outbox.delivery import throttling
from pbem.outbox.delivery.back_off import MOST_FAILURES
from pbem.outbox.delivery.concurrency import traffic_to
from pbem.outbox.delivery.fairness import newest, oldest
from pbem.outbox.delivery.sender import Sender, default_sender
from pbem.outbox.delivery.superseding import Overtaken, overtaken
from pbem.outbox.delivery.suppression import hold as hold_back
from pbem.outbox.models import SEND_MAIL, OutboundMail
from pbem.outbox.rendering.compose import Composed
from pbem.outbox.taken import mark
from pbem.queue import faults
from pbem.queue.compiled_query import compiled_query
from pbem.queue.enqueue import enqueue_on_commit
from pbem.queue.failpoints import failpoint
from pbem.queue.timer import Timer
from pbem.queue.trouble import KILLED
from pbem.queue.turns import take_turn
from pbem.refusals import Code

Status = OutboundMail.Status
SWEPT, SWEPT_OF_A_DOMAIN = 500, 50  # at a time


def due(*, now: datetime) -> Iterable[int]:
    """Oldest first, and a crowd of one domain never in front of all the others."""
    return OutboundMail.objects.due(now).fairly(SWEPT_OF_A_DOMAIN).values_list("pk", flat=True)[:SWEPT]


def release_leases() -> None:
    """For anyone who knows that nobody is sending now."""
    OutboundMail.objects.filter(status=Status.WAITING).update(leased_until=None)
    # Anyone who starts the service has perhaps just mended what the relay refused.
    throttling.go_on(throttling.RELAY)


def send_next(pk: int, *, now: datetime) -> None:
    """The task that was enqueued for `pk` sends the letter whose turn it is."""
    attempt = partial(send, now=now)
    take_turn(SEND_MAIL, pk, attempt=attempt, newest=partial(newest, now), oldest=partial(oldest, now))


def send(pk: int, *, now: datetime, sender: Sender | None = None) -> bool:
    """One attempt; whether there was one. Of several letters about a match to one reader the first one goes.

    A process that is killed between hand-over and mark sends a second copy with the same Message-ID.
    """
    timer = Timer(now)
    OWED.settle()
    claim = _claim(pk, now)
    if claim is None:
        return False
    row = claim.row
    try:
        failpoint("taken-up")
        if more := overtaken(row):
            _suppress(row, more)
        elif hold_back(row, now=now):
            pass
        elif letter := composed(row, timer):
            failpoint("composed")
            _hand_over(claim, letter, timer, sender or default_sender())
        done_with(row, timer.now)
    except Exception as error:
        if not faults.is_fault(error):
            raise
        not_tried(row, error, timer.now)
    return True


def send_again(row: OutboundMail, *, now: datetime) -> None:
    """The organiser's verb: put a letter back in the queue; its copy has the same Message-ID."""
    row.requeue(status=Status.WAITING, next_try_at=now, overtaken_by=None, failures=0, replies_lost=0)
    enqueue_on_commit(SEND_MAIL, row.pk)


@transaction.atomic
def drop(row: OutboundMail, why: str, now: datetime) -> None:
    """The organiser's verb: leave it as it is."""
    row.drop(why, now)
    done_with(row, now)


def hurry(domain: str, *, now: datetime) -> None:
    """The organiser's verb: do not wait for this domain any longer, nor its letters for their time."""
    throttling.go_on(domain)
    waiting = OutboundMail.objects.filter(status=Status.WAITING, next_try_at__gt=now)
    (waiting if domain == throttling.RELAY else waiting.filter(domain=domain)).update(next_try_at=now)


@dataclass(frozen=True)
class _Claim:
    """A letter leased to us. Its domain may have been `slow` lately."""

    row: OutboundMail
    slow: bool


def _claim(pk: int, now: datetime) -> _Claim | None:
    """None if somebody has it, it is not its time, its domain wants peace, or enough letters go there already.

    1. The lease is taken in one statement, with the attempt counted: whatever ends this process, it was one.
    2. Then the letters on their way to the domain are counted. Each lease is committed by now, so that of
       several senders the last to count sees too many, and steps back; no lock is held.
    """
    pk = next(iter(_first(pk, now)), pk)
    if OutboundMail.objects.free(now).filter(pk=pk).claim(now, failures=F("failures") + 1) is None:
        return None
    (row,) = _row(pk)
    if row.failures > MOST_FAILURES or row.is_given_up(now):
        row.attempts, row.failures = row.attempts - 1, row.failures - 1  # this was none
        shunt(row, row.trouble or KILLED)
        return None
    traffic = traffic_to(row.domain, now)
    # A server that was slow lately is tried with one letter: should it be silent still, nobody else waits for it.
    most = 1 if traffic.asked else settings.LETTERS_AT_ONCE
    if traffic.abreast > most or traffic.asks:
        row.release(attempts=row.attempts - 1, failures=row.failures - 1)
        return None
    return _Claim(row, slow=traffic.asked)


@compiled_query
def _first(pk: int, now: datetime) -> QuerySet[OutboundMail, int]:
    """Of those due about the match of the letter `pk` to its reader, the first: they leave in order."""
    this = OutboundMail.objects.filter(pk=pk, match__isnull=False)
    about = {"match": this.values("match")[:1], "address": this.values("address")[:1]}
    waiting = OutboundMail.objects.filter(status=Status.WAITING, next_try_at__lte=now, **about)
    return waiting.order_by("pk").values_list("pk", flat=True)[:1]


@compiled_query
def _row(pk: int) -> QuerySet[OutboundMail]:
    return OutboundMail.objects.select_related("match", "player").filter(pk=pk)


def _suppress(row: OutboundMail, more: Overtaken) -> None:
    """Even one that may have been delivered: anyone who answers it is told how the match stands now."""
    row.release(status=Status.SUPPRESSED, verdict=Code.SUPPRESSED, overtaken_by=more.by, failures=0)


def _hand_over(claim: _Claim, letter: Composed, timer: Timer, sender: Sender) -> None:
    taken = handed_over(claim.row, letter, timer, sender)
    if taken is not None:
        OWED.write(lambda: mark([taken]))
        if claim.slow:
            throttling.go_on(claim.row.domain)
            throttling.go_on(throttling.RELAY)

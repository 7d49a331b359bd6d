"""Sending: claim a letter, compose it, hand it over, mark what came of it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from django.conf import settings
from django.db import transaction
from django.db.models import F, QuerySet

from pbem.outbox.delivery import throttling
from pbem.outbox.delivery.back_off import MOST_ATTEMPTS, MOST_COPIES, MOST_FAILURES, pause_after
from pbem.outbox.delivery.bounces import count
from pbem.outbox.delivery.clock_start import begin_with, brings_the_turn
from pbem.outbox.delivery.concurrency import traffic_to
from pbem.outbox.delivery.failures import NotTaken, ReplyLost
from pbem.outbox.delivery.fairness import newest, oldest
from pbem.outbox.delivery.match_hold import hold, let_go
from pbem.outbox.delivery.sender import Sender, default_sender
from pbem.outbox.delivery.status_codes import THEN, Then, slows
from pbem.outbox.delivery.superseding import Overtaken, overtaken
from pbem.outbox.delivery.suppression import hold as hold_back
from pbem.outbox.models import SEND_MAIL, OutboundMail
from pbem.outbox.rendering.compose import Composed, compose
from pbem.queue import faults
from pbem.queue.compiled_query import compiled_query
from pbem.queue.enqueue import enqueue_on_commit
from pbem.queue.failpoints import failpoint
from pbem.queue.owed import Owed
from pbem.queue.timer import Timer
from pbem.queue.trouble import KILLED, describe, verdict_of
from pbem.queue.turns import take_turn
from pbem.refusals import Code

log = logging.getLogger(__name__)
Status = OutboundMail.Status
SWEPT, SWEPT_OF_A_DOMAIN = 500, 50  # at a time
LOOKED_AT = 100  # letters that were sent, when somebody is silent
OWED = Owed()


def due(*, now: datetime) -> Iterable[int]:
    """Oldest first, and a crowd of one domain never in front of all the others."""
    return OutboundMail.objects.due(now).fairly(SWEPT_OF_A_DOMAIN).values_list("pk", flat=True)[:SWEPT]


def release_leases() -> None:
    """For whoever knows that nobody is sending now."""
    OutboundMail.objects.filter(status=Status.WAITING).update(leased_until=None)
    throttling.go_on(throttling.RELAY)  # whoever starts the service has perhaps just mended what it refused


def send_next(pk: int, *, now: datetime) -> None:
    """The task that was enqueued for `pk` sends the letter whose turn it is."""
    attempt = partial(send, now=now)
    take_turn(SEND_MAIL, pk, attempt=attempt, newest=partial(newest, now), oldest=partial(oldest, now))


def send(pk: int, *, now: datetime, sender: Sender | None = None) -> bool:
    """One attempt; whether there was one. Of several letters about a match to one reader the first one goes.

    Whoever is killed between hand-over and mark sends a second copy with the same Message-ID.
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
        elif letter := _composed(row, timer):
            failpoint("composed")
            _hand_over(claim, letter, timer, sender or default_sender())
        _done_with(row, timer.now)
    except Exception as error:
        if not faults.is_fault(error):
            raise
        _not_tried(row, error, timer.now)
    return True


def send_again(row: OutboundMail, *, now: datetime) -> None:
    """The organiser's verb: put a letter back in the queue; its copy has the same Message-ID."""
    row.requeue(status=Status.WAITING, next_try_at=now, overtaken_by=None, failures=0, replies_lost=0)
    enqueue_on_commit(SEND_MAIL, row.pk)


@transaction.atomic
def drop(row: OutboundMail, why: str, now: datetime) -> None:
    """The organiser's verb: leave it as it is."""
    row.drop(why, now)
    _done_with(row, now)


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
        _shunt(row, row.trouble or KILLED)
        return None
    traffic = traffic_to(row.domain, now)
    # Whoever was slow lately is tried with one letter: should it be silent still, nobody else waits for it.
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
    """Even one that may have been delivered: whoever answers it is told how the match stands now."""
    row.release(status=Status.SUPPRESSED, verdict=Code.SUPPRESSED, overtaken_by=more.by, failures=0)


def _composed(row: OutboundMail, timer: Timer) -> Composed | None:
    """The letter; plain at the last attempt, if those before failed. None if it cannot be written."""
    try:
        begin_with(row, timer.now)
        letter = compose(row, plain=row.failures >= MOST_FAILURES)
    except Exception as error:
        _failed(row, error, timer.now)
        return None
    if row.failures > 1:  # so that only deaths in compose are counted, not those on the telephone
        OutboundMail.objects.filter(pk=row.pk).update(failures=0)
        row.failures = 1
    return letter


def _hand_over(claim: _Claim, letter: Composed, timer: Timer, sender: Sender) -> None:
    row = claim.row
    try:
        answer = sender.send(letter.sender, row.address, letter.raw)
    except NotTaken as why:
        _not_taken(row, letter, why, timer.now)
    except Exception as error:
        _failed(row, error, timer.now)
    else:
        failpoint("handed-over")
        sent_at = timer.now
        OWED.write(lambda: _sent(row, letter, answer, sent_at))
        if claim.slow:
            throttling.go_on(row.domain)
            throttling.go_on(throttling.RELAY)


def _sent(row: OutboundMail, letter: Composed, answer: str, now: datetime) -> None:
    said = {"verdict": letter.verdict, "answer": answer, "text": letter.text}
    row.complete(status=Status.SENT, sent_at=now, failures=0, overtaken_by=None, **said)


def _not_taken(row: OutboundMail, letter: Composed, why: NotTaken, now: datetime) -> None:
    fate = why.fate
    level = logging.ERROR if fate == Code.POLICY else logging.WARNING
    log.log(level, "%s: letter %s to %s was not taken: %s", fate, row.pk, row.address, why.reply)
    _slow_down(row, why, now)
    lost = row.replies_lost + isinstance(why, ReplyLost)
    fields: dict[str, object] = {"answer": why.reply, "failures": 0, "replies_lost": lost}
    if isinstance(why, ReplyLost) or THEN[fate] is Then.FAILS:
        fields["text"] = letter.text  # its reader may have it, and quote it in their answer
    ends = THEN[fate] is Then.FAILS
    if ends or row.attempts > MOST_ATTEMPTS:
        verdict = fate if ends or fate == Code.POLICY else Code.DELIVERY_EXPIRED
        if row.release(status=Status.FAILED, verdict=verdict, **fields):
            count(row, fate, now=now, reply=why.reply)
    elif isinstance(why, ReplyLost) and lost >= MOST_COPIES:
        _shunt(row, why.reply, verdict=Code.REPLIES_LOST, **fields)
    else:
        # The last copy goes when whoever was silent has had some hours to be mended.
        then = Then.WAITS_LONG if lost == MOST_COPIES - 1 else THEN[fate]
        row.retry(now + pause_after(row.attempts, then), verdict=fate, **fields)


def _slow_down(row: OutboundMail, why: NotTaken, now: datetime) -> None:
    if why.relay:
        throttling.slow_down(throttling.RELAY, why.reply, now)
    elif why.silent:
        sent = (
            OutboundMail.objects.filter(status=Status.SENT).order_by("-pk").values_list("sent_at", flat=True)
        )
        throttling.fell_silent(
            row.domain, why.reply, now, taken=max(filter(None, sent[:LOOKED_AT]), default=None)
        )
    elif slows(why.reply):
        throttling.slow_down(row.domain, why.reply, now)


def _failed(row: OutboundMail, error: Exception, now: datetime) -> None:
    """Our own program did. Raises it again if it did not."""
    if faults.is_fault(error):
        raise error
    log.exception("S01: letter %s cannot be written, attempt %s", row.pk, row.failures)
    if row.failures >= MOST_FAILURES:
        _shunt(row, describe(error))
        return
    again = now + pause_after(row.failures, Then.WAITS)
    row.retry(again, verdict=Code.TRANSIENT, failures=row.failures, trouble=describe(error))


def _not_tried(row: OutboundMail, error: Exception, now: datetime) -> None:
    """A fault of the environment is no attempt."""
    since = row.faulty_since or now
    log.warning("S01: letter %s is sent later: %s", row.pk, error)
    facts: dict[str, object] = {"verdict": Code.TRANSIENT, "trouble": describe(error), "faulty_since": since}
    counted = {"attempts": row.attempts - 1, "failures": row.failures - 1}
    again = now + faults.pause_after(now - since)
    OWED.write(lambda: row.retry(again, **counted, **facts))


def _shunt(row: OutboundMail, trouble: str, verdict: str = "", **fields: object) -> None:
    """What tells its reader that it is their turn holds the match: they wait for it, and do not know."""
    verdict = verdict or verdict_of(trouble)
    log.error("%s: letter %s was shunted: %s", verdict, row.pk, trouble)
    counted = {"attempts": row.attempts, "failures": row.failures} | fields
    with transaction.atomic():
        held = hold(row.match_id, row.created_at) if brings_the_turn(row) else None
        row.shunt(verdict, trouble, status=Status.FAILED, holds=held, **counted)


def _done_with(row: OutboundMail, now: datetime) -> None:
    """Sent, overtaken, dropped or refused: the match that it held goes on."""
    if row.holds_id is None:
        return
    with transaction.atomic():
        still = OutboundMail.objects.filter(pk=row.pk).select_for_update().get()
        if still.holds_id is None or still.status == Status.WAITING or still.is_shunted:
            return
        OutboundMail.objects.filter(pk=row.pk).update(holds=None)
        let_go(still.holds_id, now)

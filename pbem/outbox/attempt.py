"""One attempt at a letter that is leased to us: compose it, hand it over, and write down what came of it."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime

from django.db import transaction

from pbem.outbox.delivery import throttling
from pbem.outbox.delivery.back_off import MOST_ATTEMPTS, MOST_COPIES, MOST_FAILURES, pause_after
from pbem.outbox.delivery.bounces import count
from pbem.outbox.delivery.clock_start import begin_with, brings_the_turn, tells_of_a_round
from pbem.outbox.delivery.failures import NotTaken, ReplyLost
from pbem.outbox.delivery.match_hold import hold, hold_round, let_go, let_round_go
from pbem.outbox.delivery.sender import Sender
from pbem.outbox.delivery.status_codes import THEN, Then, slows
from pbem.outbox.models import OutboundMail
from pbem.outbox.rendering.compose import Composed, compose
from pbem.outbox.taken import Taken
from pbem.queue import faults
from pbem.queue.failpoints import failpoint
from pbem.queue.owed import Owed
from pbem.queue.timer import Timer
from pbem.queue.trouble import describe, verdict_of
from pbem.refusals import Code

log = logging.getLogger(__name__)
Status = OutboundMail.Status
LOOKED_AT = 100  # letters that were sent, when somebody is silent
OWED = Owed()


def composed(row: OutboundMail, timer: Timer) -> Composed | None:
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


def handed_over(row: OutboundMail, letter: Composed, timer: Timer, sender: Sender) -> Taken | None:
    """To the relay, which may not take it: then that is written down."""
    return heard(row, letter, timer, lambda: sender.send(letter.sender, row.address, letter.raw))


def heard(row: OutboundMail, letter: Composed, timer: Timer, answer: Callable[[], str]) -> Taken | None:
    """What the relay says, who may have been asked before."""
    try:
        said = answer()
    except NotTaken as why:
        _not_taken(row, letter, why, timer.now)
    except Exception as error:
        _failed(row, error, timer.now)
    else:
        failpoint("handed-over")
        return Taken(row, letter, said, timer.now)
    return None


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
        shunt(row, why.reply, verdict=Code.REPLIES_LOST, **fields)
    else:
        # The last copy goes when a server that was silent has had some hours to be mended.
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
        shunt(row, describe(error))
        return
    again = now + pause_after(row.failures, Then.WAITS)
    row.retry(again, verdict=Code.TRANSIENT, failures=row.failures, trouble=describe(error))


def not_tried(row: OutboundMail, error: Exception, now: datetime) -> None:
    """A fault of the environment is no attempt."""
    since = row.faulty_since or now
    log.warning("S01: letter %s is sent later: %s", row.pk, error)
    facts: dict[str, object] = {"verdict": Code.TRANSIENT, "trouble": describe(error), "faulty_since": since}
    counted = {"attempts": row.attempts - 1, "failures": row.failures - 1}
    again = now + faults.pause_after(now - since)
    OWED.write(lambda: row.retry(again, **counted, **facts))


def shunt(row: OutboundMail, trouble: str, verdict: str = "", **fields: object) -> None:
    """What tells its reader that it is their turn holds the match: they wait for it, and do not know."""
    verdict = verdict or verdict_of(trouble)
    log.error("%s: letter %s was shunted: %s", verdict, row.pk, trouble)
    counted = {"attempts": row.attempts, "failures": row.failures} | fields
    with transaction.atomic():
        held = hold(row.match_id, row.created_at) if brings_the_turn(row) else None
        if tells_of_a_round(row):
            hold_round(row)
        row.shunt(verdict, trouble, status=Status.FAILED, holds=held, **counted)


def done_with(row: OutboundMail, now: datetime) -> None:
    """Sent, overtaken, dropped or refused: the match that it held goes on, or those of its round do."""
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

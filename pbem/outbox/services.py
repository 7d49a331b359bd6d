"""Sending: claim a letter, compose it, hand it over, mark what came of it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import F, QuerySet

from pbem.bells import ring
from pbem.moments import reach
from pbem.outbox import tasks
from pbem.outbox.models import LEASE, OutboundMail
from pbem.outbox.returns.bounces import count
from pbem.outbox.returns.pausing import hold
from pbem.outbox.sending import pace
from pbem.outbox.sending.back_off import MOST_ATTEMPTS, MOST_FAILURES, pause_after
from pbem.outbox.sending.failures import NotTaken, ReplyLost
from pbem.outbox.sending.fate import THEN, Then, slows
from pbem.outbox.sending.overtaking import Overtaken, overtaken
from pbem.outbox.sending.sender import Sender, default_sender
from pbem.outbox.sending.shunting import KILLED, describe, verdict_of
from pbem.outbox.sending.traffic import Traffic, traffic_to
from pbem.outbox.sending.transit import begin_with
from pbem.outbox.writing.compose import Composed, compose
from pbem.prepared import prepared

log = logging.getLogger(__name__)
Status = OutboundMail.Status
SWEPT = 500  # at a time
SWEPT_OF_A_DOMAIN = 50


def due(*, now: datetime) -> Iterable[int]:
    """Oldest first, and a crowd of one domain never in front of all the others."""
    return OutboundMail.objects.due(now).fairly(SWEPT_OF_A_DOMAIN).values_list("pk", flat=True)[:SWEPT]


def release_leases() -> None:
    """For whoever knows that nobody is sending now."""
    OutboundMail.objects.filter(status=Status.WAITING).update(leased_until=None)
    pace.go_on(pace.RELAY)  # whoever starts the service has perhaps just mended what it refused


def send(pk: int, *, now: datetime, sender: Sender | None = None) -> None:
    """One attempt. Whoever is killed between hand-over and mark sends a second copy with the same Message-ID."""
    claim = _claim(pk, now)
    if claim is None:
        return
    row = claim.row
    reach("taken-up")
    if more := overtaken(row):
        _suppress(row, more)
    elif hold(row, now=now):
        pass
    elif letter := _composed(row, now):
        reach("composed")
        _hand_over(claim, letter, now, sender or default_sender())
    if claim.pulls:
        _ring_for_the_next(row.domain, now, claim.pulls)


def send_again(row: OutboundMail, *, now: datetime) -> None:
    """The organiser's verb: put a letter back in the queue; its copy has the same Message-ID."""
    fresh = {"attempts": 0, "failures": 0, "trouble": "", "dropped_at": None, "dropped_why": ""}
    OutboundMail.objects.filter(pk=row.pk).update(
        status=Status.WAITING, verdict="", next_try_at=now, overtaken_by=None, leased_until=None, **fresh
    )
    ring(tasks.send_mail, row.pk)


def hurry(domain: str, *, now: datetime) -> None:
    """The organiser's verb: do not wait for this domain any longer, nor its letters for their time."""
    pace.go_on(domain)
    waiting = OutboundMail.objects.filter(status=Status.WAITING, next_try_at__gt=now)
    (waiting if domain == pace.RELAY else waiting.filter(domain=domain)).update(next_try_at=now)


@dataclass(frozen=True)
class _Claim:
    """A letter leased to us. Its domain may have been `slow` lately; `pulls` letters to it are rung for afterwards."""

    row: OutboundMail
    slow: bool
    pulls: int


def _claim(pk: int, now: datetime) -> _Claim | None:
    """None if somebody has it, it is not its time, its domain wants peace, or enough letters go there already.

    1. The lease is taken in one statement, with the attempt counted: whatever ends this process, it was one.
    2. Then the letters on their way to the domain are counted. Each lease is committed by now, so that of
       several senders the last to count sees too many, and steps back; no lock is held.
    """
    free = OutboundMail.objects.free(now).filter(pk=pk)
    if not free.update(leased_until=now + LEASE, attempts=F("attempts") + 1, failures=F("failures") + 1):
        return None
    (row,) = _row(pk)
    if row.failures > MOST_FAILURES:
        row.attempts, row.failures = row.attempts - 1, row.failures - 1  # this was none
        _shunt(row, row.trouble or KILLED)
        return None
    traffic = traffic_to(row.domain, now)
    if traffic.abreast > settings.LETTERS_AT_ONCE or traffic.asks:
        _mark(row, attempts=row.attempts - 1, failures=row.failures - 1)
        return None
    return _Claim(row, slow=traffic.asked, pulls=_pulls(row, traffic, now))


def _pulls(row: OutboundMail, traffic: Traffic, now: datetime) -> int:
    """A full domain has turned others away. Whoever was due before the last sweep is one of many: a sweep rings
    for a few of each domain, and each of these for one more, so that the crowd leaves as fast as we can send."""
    if traffic.abreast == settings.LETTERS_AT_ONCE:
        return settings.LETTERS_AT_ONCE
    return int(now - row.next_try_at > timedelta(seconds=settings.SWEEP_SECONDS))


@prepared
def _row(pk: int) -> QuerySet[OutboundMail]:
    return OutboundMail.objects.select_related("match", "player").filter(pk=pk)


def _suppress(row: OutboundMail, more: Overtaken) -> None:
    """Even one that may have been delivered: whoever answers it is told how the match stands now."""
    _mark(row, status=Status.SUPPRESSED, verdict="O05", overtaken_by=more.by, failures=0)


def _composed(row: OutboundMail, now: datetime) -> Composed | None:
    """The letter; plain at the last attempt, if those before failed. None if it cannot be written."""
    try:
        begin_with(row, now)
        letter = compose(row, plain=row.failures >= MOST_FAILURES)
    except Exception as error:
        _failed(row, error, now)
        return None
    if row.failures > 1:  # so that only deaths in compose are counted, not those on the telephone
        OutboundMail.objects.filter(pk=row.pk).update(failures=0)
    return letter


def _hand_over(claim: _Claim, letter: Composed, now: datetime, sender: Sender) -> None:
    row = claim.row
    try:
        answer = sender.send(letter.sender, row.address, letter.raw)
    except NotTaken as why:
        _not_taken(row, letter, why, now)
    except Exception as error:
        _failed(row, error, now)
    else:
        reach("handed-over")
        _sent(row, letter, answer, now)
        if claim.slow:
            pace.go_on(row.domain)
            pace.go_on(pace.RELAY)


def _sent(row: OutboundMail, letter: Composed, answer: str, now: datetime) -> None:
    """Whoever has the lease by now: the letter is out."""
    fresh = {"failures": 0, "overtaken_by": None, "leased_until": None}
    OutboundMail.objects.filter(pk=row.pk).update(
        status=Status.SENT, verdict=letter.verdict, answer=answer, sent_at=now, text=letter.text, **fresh
    )


def _not_taken(row: OutboundMail, letter: Composed, why: NotTaken, now: datetime) -> None:
    fate = why.fate
    level = logging.ERROR if fate == "O03" else logging.WARNING
    log.log(level, "%s: letter %s to %s was not taken: %s", fate, row.pk, row.address, why.reply)
    if why.relay:
        pace.slow_down(pace.RELAY, why.reply, now)
    elif why.silent or slows(why.reply):
        pace.slow_down(row.domain, why.reply, now)
    fields: dict[str, object] = {"answer": why.reply, "failures": 0}
    if isinstance(why, ReplyLost) or THEN[fate] is Then.FAILS:
        fields["text"] = letter.text  # its reader may have it, and quote it in his answer
    ends = THEN[fate] is Then.FAILS
    if ends or row.attempts > MOST_ATTEMPTS:
        verdict = fate if ends or fate == "O03" else "O06"
        if _mark(row, status=Status.FAILED, verdict=verdict, **fields):
            count(row, fate, now=now, reply=why.reply)
    else:
        _mark(row, verdict=fate, next_try_at=now + pause_after(row.attempts, THEN[fate]), **fields)


def _failed(row: OutboundMail, error: Exception, now: datetime) -> None:
    """Our own program did."""
    log.exception("S01: letter %s cannot be written, attempt %s", row.pk, row.failures)
    if row.failures >= MOST_FAILURES:
        _shunt(row, describe(error))
        return
    again = now + pause_after(row.failures, Then.WAITS)
    _mark(row, verdict="S01", next_try_at=again, failures=row.failures, trouble=describe(error))


def _shunt(row: OutboundMail, trouble: str) -> None:
    verdict = verdict_of(trouble)
    log.error("%s: letter %s was shunted: %s", verdict, row.pk, trouble)
    counted = {"attempts": row.attempts, "failures": row.failures}
    _mark(row, status=Status.FAILED, verdict=verdict, trouble=trouble, **counted)


def _ring_for_the_next(domain: str, now: datetime, most: int) -> None:
    waiting = OutboundMail.objects.due(now).filter(domain=domain).order_by("next_try_at", "pk")
    for pk in waiting.values_list("pk", flat=True)[:most]:
        ring(tasks.send_mail, pk)


def _mark(row: OutboundMail, **fields: object) -> bool:
    """What came of our attempt. False if it took so long that the lease has ended: then somebody else knows better."""
    ours = OutboundMail.objects.filter(pk=row.pk, leased_until=row.leased_until)
    return bool(ours.update(leased_until=None, **fields))

"""Opening letters: claim the oldest of a lane, read it outside any transaction, carry it out in one."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F, QuerySet

from pbem.bells import ring
from pbem.inbox import tasks
from pbem.inbox.addressing import resolve
from pbem.inbox.answering import Answering
from pbem.inbox.carrying import carry_out
from pbem.inbox.copies import PATIENCE, is_to_come
from pbem.inbox.models import LEASE, MOST_ATTEMPTS, RELEASED, InboundMail
from pbem.inbox.reading import read
from pbem.matches.models import Part
from pbem.matches.time.heartbeat import wake
from pbem.moments import reach
from pbem.outbox.sending.shunting import KILLED, describe, verdict_of
from pbem.prepared import prepared

log = logging.getLogger(__name__)
DEADLOCK = "40P01"  # PostgreSQL's name for it
RETRY = (timedelta(seconds=10), timedelta(minutes=1))  # what was in the way may take a while to go


def waiting(*, now: datetime) -> Iterable[int]:
    return InboundMail.objects.unopened().free(now).order_by("pk").values_list("pk", flat=True)[:500]


def release_leases() -> None:
    """For whoever knows that nobody is at work on a letter now."""
    InboundMail.objects.unopened().update(leased_until=None)


def open_mail(pk: int, *, now: datetime) -> None:
    """Open the oldest letter of the lane that `pk` is in, then ring for the next. Run it as often as you like."""
    wake(Part.WORKER, now=now)  # an outage is credited before a letter after it is found to be late
    row = _claim(pk, now)
    if row is None:
        return
    try:
        reach("claimed")
        reading = read(row)
        reach("read")
        if is_to_come(row, reading, now):
            _put_off(row)
            return
        with transaction.atomic():
            if _unopened(row.pk):
                carry_out(row, reading, now)
                reach("carried-out")
    except Exception as error:
        if _was_in_the_way(error):
            _begin_again(row)
            return
        log.exception("S01: letter %s, attempt %s", row.pk, row.attempts)
        pause = RETRY[min(row.attempts, len(RETRY)) - 1]
        InboundMail.objects.filter(pk=row.pk).update(leased_until=now + pause, trouble=describe(error))
        return
    reach("opened")
    for following in _following(row.lane):
        ring(tasks.open_mail, following)


@prepared
def _oldest(pk: int) -> QuerySet[InboundMail]:
    """Of the lane that the letter `pk` is in."""
    lane = InboundMail.objects.filter(pk=pk).values("lane")[:1]
    return InboundMail.objects.unopened().filter(lane=lane).order_by("pk").select_for_update()[:1]


@prepared
def _unopened(pk: int) -> QuerySet[InboundMail, int]:
    return InboundMail.objects.unopened().filter(pk=pk).select_for_update().values_list("pk", flat=True)


@prepared
def _following(lane: str) -> QuerySet[InboundMail, int]:
    return InboundMail.objects.unopened().filter(lane=lane).order_by("pk").values_list("pk", flat=True)[:1]


@transaction.atomic
def open_again(row: InboundMail) -> None:
    """The organiser's verb: forget the verdict, so that the letter is opened as if for the first time.

    What a mail server takes for spam is released by it.
    """
    InboundMail.objects.filter(pk=row.pk).update(
        verdict="",
        attempts=0,
        leased_until=None,
        opened_at=None,
        reading={RELEASED: True},
        trouble="",
        dropped_at=None,
        dropped_why="",
    )
    ring(tasks.open_mail, row.pk)


def _was_in_the_way(error: Exception) -> bool:
    """Two transactions waited for each other, and PostgreSQL has ended ours so that the other goes on."""
    return getattr(error.__cause__, "sqlstate", "") == DEADLOCK


def _begin_again(row: InboundMail) -> None:
    """At once, and it was no attempt: the fault is in no letter, and whoever was in the way has gone on."""
    log.warning("letter %s is opened again: it waited for a match of another, and that one for it", row.pk)
    InboundMail.objects.filter(pk=row.pk).update(leased_until=None, attempts=F("attempts") - 1)
    ring(tasks.open_mail, row.pk)


def _put_off(row: InboundMail) -> None:
    """Until the copy that its writer's reply address gets is here, or will not come. That was no attempt either."""
    until = row.received_at + PATIENCE
    InboundMail.objects.filter(pk=row.pk).update(leased_until=until, attempts=F("attempts") - 1)


@transaction.atomic
def _claim(pk: int, now: datetime) -> InboundMail | None:
    """The lane's oldest unopened letter, leased to us; None if there is none or somebody has it.

    The attempt is counted before the work, so that a letter that kills its reader is shunted in the end.
    """
    row = next(iter(_oldest(pk)), None)
    if row and row.attempts >= MOST_ATTEMPTS and row.is_free(now):
        row.trouble = row.trouble or KILLED
        row.verdict, row.opened_at = verdict_of(row.trouble), now
        log.error("%s: letter %s was shunted: %s", row.verdict, row.pk, row.trouble)
        _tell_of_poison(row, now)
        row.save(update_fields=["verdict", "opened_at", "trouble", "reading"])
        row = next(iter(_oldest(pk)), None)
    if row is None or not row.is_free(now):
        return None
    row.attempts, row.leased_until = row.attempts + 1, now + LEASE
    row.save(update_fields=["attempts", "leased_until"])
    return row


def _tell_of_poison(row: InboundMail, now: datetime) -> None:
    """The fault is ours; whoever answered a letter of his match hears that he need do nothing."""
    addressed = resolve(row.recipient, now)
    if addressed and (seat := addressed.seat):
        answering = Answering(row, row.account.startswith("seat:"), now)
        answering.tell_player(seat.player, {"kind": "refused", "code": row.verdict}, match=seat.match)
        row.reading = answering.facts

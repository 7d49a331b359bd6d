"""Letters that come back: each is written down and counted against its address, once."""

from __future__ import annotations

import logging
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Sum

from pbem.outbox.delivery.status_codes import THEN, Then
from pbem.outbox.delivery.suppression import paused
from pbem.outbox.models import BouncedMail, OutboundMail
from pbem.players.bounce_score import points_for
from pbem.players.models import Address, Undisturbed
from pbem.refusals import Code

log = logging.getLogger(__name__)
Status = OutboundMail.Status

AGAIN = timedelta(days=1)  # a mailbox that is full is not emptied within the hour
MOST_RETURNS = 3  # of one letter


@transaction.atomic
def came_back(
    letter: OutboundMail, fate: str, *, now: datetime, reply: str = "", report: int, proved: bool = True
) -> BouncedMail:
    """A bounce arrived for a letter that our relay had taken. One that is not `proved` ours counts nothing."""
    if proved:
        again = THEN[fate] is not Then.FAILS and letter.bounces.count() + 1 < MOST_RETURNS
        OutboundMail.objects.filter(pk=letter.pk).update(
            status=Status.WAITING if again else Status.FAILED,
            verdict=fate,
            answer=reply,
            next_try_at=now + AGAIN,
            leased_until=None,
        )
    return count(letter, fate, now=now, reply=reply, report=report, proved=proved)


@transaction.atomic
def count(
    letter: OutboundMail,
    fate: str,
    *,
    now: datetime,
    reply: str = "",
    report: int | None = None,
    proved: bool = True,
) -> BouncedMail:
    """Write down that a letter was not taken; the address is paused when it is one too many.

    So it is for everybody who shares the mailbox. `report` is the inbound letter that says so, None where our
    relay refused at once.
    """
    points = _points(letter, fate, now) if proved else 0
    row = BouncedMail.objects.create(
        letter=letter,
        address=letter.address,
        fate=fate,
        reply=reply[:500],
        points=points,
        report=report,
        happened_at=now,
    )
    if fate == Code.POLICY:
        log.error("letter %s: our mail is refused, for any reader: %s", letter.pk, reply)
    for address in Address.objects.select_for_update().filter(email=letter.address) if points else ():
        worked = address.paused_at is None
        address.add_bounce(points, now)
        if worked and address.paused_at:
            log.warning("%s is paused: too many letters came back, the last with %r", address, reply)
            paused(address, now=now)
    return row


def arrived(letter: OutboundMail, *, now: datetime) -> None:
    """The mailbox has taken it, its server or our provider tells. For the organiser to know: no clock asks."""
    OutboundMail.objects.filter(pk=letter.pk, delivered_at__isnull=True).update(delivered_at=now)


def complained(address: str) -> bool:
    """Whether a letter to this address was called spam."""
    return BouncedMail.objects.filter(address=address, fate=Code.COMPLAINT).exists()


def may_be_disturbed(address: str) -> bool:
    """Whether anybody may have us write there: its reader has neither asked for peace nor called a letter spam."""
    return not Undisturbed.objects.among([address]) and not complained(address)


def _points(letter: OutboundMail, fate: str, now: datetime) -> int:
    """A letter counts once, by the worst that was said of it; soft bounces of one day count once."""
    points = points_for(fate)
    if points == points_for(Code.SOFT):
        today = BouncedMail.objects.filter(address=letter.address, points__gt=0, happened_at__gt=now - AGAIN)
        if today.exists():
            return 0
    counted = letter.bounces.aggregate(sum=Sum("points"))["sum"] or 0
    return max(0, points - counted)

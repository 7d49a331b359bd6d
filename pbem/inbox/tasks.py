"""Celery tasks of the inbox: one for each letter that came, and what comes with time."""

from __future__ import annotations

import atexit
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Any

from celery import shared_task
from celery.signals import worker_process_init, worker_ready
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from pbem.inbox import address_changes, reading_process, seen, services, time_forfeits, warmup
from pbem.inbox.models import OPEN_MAIL, QUESTION_STANDS, Confirmation, InboundMail, PersonalMessage
from pbem.inbox.rate_limits import slots
from pbem.inbox.transports.heartbeat import Heart
from pbem.matches.clock import outages
from pbem.matches.models import Component, Match
from pbem.outbox.models import OutboundMail
from pbem.outbox.notifications import direct_messages
from pbem.queue.enqueue import enqueue_lost
from pbem.queue.models import is_shunted
from pbem.queue.one_at_a_time import one_at_a_time
from pbem.refusals import REFUSALS, Code, Told

# Letters are not kept for ever: what they said goes after some time, the rows and the games stay.
# Kept whatever its age: what nobody has opened, what is set aside or waits for a YES, all that we
# wrote about a match that goes on, and the newest letter about any match to each of its players:
# their answers quote it. The hash that recognises a repeated delivery stays with its row.

BATCH = 200
MOST = 500_000  # rows of each sort in one sweep: the first night may have years before it
NO_LONGER_KEPT = "forgotten"  # the kind of a section
STRANGERS = (Code.UNVERIFIED, Code.LOST_SIGN_UP)
SILENT = frozenset(
    code for code, refusal in REFUSALS.items() if refusal.told is Told.NOBODY and code[0] in "IA"
)


def empty_old_mail(*, now: datetime) -> int:
    """How many rows were emptied. Each batch is a statement of its own, so that nobody waits for long."""
    Session.objects.filter(expire_date__lt=now).delete()  # of the desk
    raw = _empty(rejected(now), raw=b"") + _empty(opened(now), raw=b"")
    if days := settings.RETAIN_RAW_MAIL:  # what players have written goes with them
        PersonalMessage.objects.filter(player=None, received_at__lt=now - timedelta(days)).delete()
    return raw + _empty(written(now), sections=[{"kind": NO_LONGER_KEPT}], text="", emptied_at=now)


def opened(now: datetime) -> QuerySet[InboundMail]:
    """Letters as they came, once they are done with."""
    return _received(now, settings.RETAIN_RAW_MAIL)


def rejected(now: datetime) -> QuerySet[InboundMail]:
    """Those of machines, of strangers, and of nobody who was believed."""
    return _received(now, settings.RETAIN_REJECTED).filter(verdict__in=SILENT.union(STRANGERS))


def written(now: datetime) -> QuerySet[OutboundMail]:
    """What has left, or never will."""
    days = settings.RETAIN_LETTERS
    if not days:
        return OutboundMail.objects.none()
    gone = (OutboundMail.Status.SENT, OutboundMail.Status.SUPPRESSED)
    goes_on = Match.objects.alive().filter(pk=OuterRef("match"))
    later = OutboundMail.objects.filter(
        match=OuterRef("match"), player=OuterRef("player"), pk__gt=OuterRef("pk")
    )
    overtaken = Q(match=None) | (Exists(later) & ~Exists(goes_on))
    old = OutboundMail.objects.filter(emptied_at=None, created_at__lt=now - timedelta(days))
    return old.filter(overtaken, status__in=gone)


def _received(now: datetime, days: int) -> QuerySet[InboundMail]:
    if not days:
        return InboundMail.objects.none()
    asked = Confirmation.objects.filter(
        letter=OuterRef("pk"), used_at=None, asked_at__gt=now - QUESTION_STANDS
    )
    old = InboundMail.objects.filter(received_at__lt=now - timedelta(days)).exclude(verdict="")
    return old.filter(~Exists(asked), ~Q(raw=b"")).exclude(is_shunted())


def _empty(rows: QuerySet[Any], **emptied: object) -> int:
    """By their numbers, and only those that are still to be emptied when it comes to them."""
    found = list(
        rows.order_by().values_list("pk", flat=True)[:MOST]
    )  # in no order: PostgreSQL takes the index
    batches = (found[begin : begin + BATCH] for begin in range(0, len(found), BATCH))
    every = rows.model._default_manager
    return sum(
        every.filter(pk__in=rows.filter(pk__in=batch).order_by().values("pk")).update(**emptied)
        for batch in batches
    )


# The heart of a Celery worker: a thread of its own beside the letters, however many of them wait.

_beating = ExitStack()


@worker_process_init.connect  # each process of a pool of processes, which Celery forks
def _begin(**_: object) -> None:
    _beating.enter_context(Heart(Component.WORKER, starts=True).beating())
    atexit.register(_beating.close)


@worker_ready.connect  # not sent by the worker inside manage.py serve
def _begin_with_threads(sender: object = None, **_: object) -> None:
    """A pool of threads, or none. Of processes the parent must not talk to the database: it forks more of them."""
    pool = type(getattr(sender, "pool", None)).__module__
    if not pool.endswith(("prefork", "solo")):  # solo has sent the other signal as well
        _begin()
        reading_process.use()
        atexit.register(reading_process.stop)


__all__ = ["warmup"]  # Celery loads this module, and warmup with it, in every worker


@shared_task
def open_mail(pk: int) -> None:
    services.open_next(pk, now=timezone.now())


@shared_task
@one_at_a_time
def sweep() -> None:
    """Enqueue again where tasks were lost or a reader died: there are to be as many tasks as letters that wait.
    A change of address that stood for three days is carried out."""
    now = timezone.now()
    enqueue_lost(OPEN_MAIL, services.waiting(now=now))
    slots.forget_old_days(now=now)
    seen.forget_old(now=now)
    address_changes.carry_out_due(now=now)
    outages.done("inbox", now=timezone.now())


@shared_task
@one_at_a_time
def flag_overdue() -> None:
    time_forfeits.flag_overdue(now=timezone.now())
    outages.done("deadlines", now=timezone.now())


@shared_task
@one_at_a_time
def tell_watchers() -> None:
    """Tell those who follow a match day by day, each at their hour."""
    direct_messages.tell_daily(now=timezone.now())


@shared_task
def forget_old_letters() -> None:
    """Once a day, at night."""
    empty_old_mail(now=timezone.now())

"""Celery tasks of the inbox: opening letters, sweeps, time forfeits and the deletion of old mail."""

from __future__ import annotations

import atexit
import gc
from contextlib import ExitStack
from datetime import datetime, timedelta
from typing import Any

from celery import shared_task
from celery.concurrency import get_implementation
from celery.signals import worker_before_create_process, worker_init, worker_process_init, worker_ready
from django.conf import settings
from django.contrib.sessions.models import Session
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.utils import timezone

from pbem.inbox import address_changes, reading_child, reading_process, seen, services, time_forfeits
from pbem.inbox.models import OPEN_MAIL, QUESTION_STANDS, Confirmation, InboundMail, PersonalMessage
from pbem.inbox.rate_limits import slots
from pbem.inbox.transports.heartbeat import HeartbeatThread
from pbem.matches.clock import outages
from pbem.matches.models import Component, Match
from pbem.outbox.models import OutboundMail
from pbem.queue.enqueue import enqueue_lost
from pbem.queue.models import is_shunted
from pbem.queue.one_at_a_time import one_at_a_time
from pbem.refusals import REFUSALS, Code, Told

# Deletion of old mail. Exempt are unopened, shunted and questioned letters, our letters of running matches,
# and each player's newest letter of a match, which answers quote. The digest of a row stays.

BATCH = 200
MOST = 500_000  # rows of each kind in one sweep
NO_LONGER_KEPT = "forgotten"  # the kind of a section
STRANGERS = (Code.UNVERIFIED, Code.LOST_SIGN_UP)
SILENT = frozenset(
    code for code, refusal in REFUSALS.items() if refusal.told is Told.NOBODY and code[0] in "IA"
)


def empty_old_mail(*, now: datetime) -> int:
    """Empties old mail in batches, each a statement; returns how many rows."""
    Session.objects.filter(expire_date__lt=now).delete()  # of the desk
    raw = _empty(rejected(now), raw=b"") + _empty(opened(now), raw=b"")
    if days := settings.RETAIN_RAW_MAIL:  # strangers' messages are deleted with their letters
        PersonalMessage.objects.filter(player=None, received_at__lt=now - timedelta(days)).delete()
    return raw + _empty(written(now), sections=[{"kind": NO_LONGER_KEPT}], text="", emptied_at=now)


def opened(now: datetime) -> QuerySet[InboundMail]:
    """Raw letters that are done."""
    return _received(now, settings.RETAIN_RAW_MAIL)


def rejected(now: datetime) -> QuerySet[InboundMail]:
    """Raw letters by programs, strangers and unproved senders."""
    return _received(now, settings.RETAIN_REJECTED).filter(verdict__in=SILENT.union(STRANGERS))


def written(now: datetime) -> QuerySet[OutboundMail]:
    """Our letters that are sent or suppressed."""
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
    """Empties the rows in batches, rechecking each."""
    found = list(
        rows.order_by().values_list("pk", flat=True)[:MOST]
    )  # unordered, so that PostgreSQL uses the index
    batches = (found[begin : begin + BATCH] for begin in range(0, len(found), BATCH))
    every = rows.model._default_manager
    return sum(
        every.filter(pk__in=rows.filter(pk__in=batch).order_by().values("pk")).update(**emptied)
        for batch in batches
    )


# The start of a Celery worker

OPENED = "inbound"  # the queue of letters that are to be opened
_beating = ExitStack()


@worker_process_init.connect  # each child of a prefork pool
def _begin(**_: object) -> None:
    _beating.enter_context(HeartbeatThread(Component.WORKER, starts=True).beating())
    atexit.register(_beating.close)


@worker_ready.connect  # not sent by the worker inside manage.py serve
def _begin_with_threads(sender: object = None, **_: object) -> None:
    """Starts the heartbeat for a thread pool. A prefork parent must not open a database connection."""
    pool = type(getattr(sender, "pool", None)).__module__
    if not pool.endswith(("prefork", "solo")):  # solo has sent the other signal as well
        _begin()


@worker_init.connect  # of any pool; before one forks, and before there are threads or connections
def _prepare(sender: Any, **_: object) -> None:
    """Prepares a worker that opens letters for the first of them."""
    if OPENED not in sender.app.amqp.queues.consume_from:
        return
    reading_child.warm()
    if not get_implementation(sender.pool_cls).__module__.endswith(("prefork", "solo")):
        reading_process.use(reading_child.answer)
        atexit.register(reading_process.stop)


@worker_before_create_process.connect  # only prefork pools; threads share memory anyway
def _freeze(**_: object) -> None:
    gc.collect()
    gc.freeze()  # scanning shared pages for garbage would copy them


@shared_task
def open_mail(pk: int) -> None:
    services.open_next(pk, now=timezone.now())


@shared_task
@one_at_a_time
def sweep() -> None:
    """Enqueues lost tasks, deletes expired rows, and carries out address changes that are due."""
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
def forget_old_letters() -> None:
    """Empties old mail, once a night."""
    empty_old_mail(now=timezone.now())

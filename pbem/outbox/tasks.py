"""Celery tasks of the outbox: sending, sweeping, probes and digests."""

import logging

from celery import shared_task
from django.utils import timezone

from pbem.matches.clock import outages
from pbem.outbox import sending
from pbem.outbox.delivery import bounces
from pbem.outbox.models import SEND_MAIL
from pbem.outbox.notifications import digests
from pbem.queue.enqueue import enqueue_lost
from pbem.queue.one_at_a_time import one_at_a_time

log = logging.getLogger(__name__)


@shared_task
def send_mail(pk: int) -> None:
    sending.send_next(pk, now=timezone.now())


@shared_task
@one_at_a_time
def sweep() -> None:
    """Enqueues due letters again: lost tasks, dead senders, retries. One task for each letter."""
    enqueue_lost(SEND_MAIL, sending.due(now=timezone.now()))
    outages.done("outbox", now=timezone.now())


@shared_task
@one_at_a_time
def probe() -> None:
    """Probes paused addresses."""
    bounces.probe_or_resume(now=timezone.now())


@shared_task
@one_at_a_time
def write_digests() -> None:
    """Writes the due digests, each in its own transaction."""
    now = timezone.now()
    for pk in digests.due(now=now):
        try:
            digests.write(pk, now=now)
        except Exception:
            log.exception("the digest of player %s cannot be written", pk)

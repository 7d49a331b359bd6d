"""Bells of the outbox: each carries the primary key of a letter."""

import logging

from celery import shared_task
from django.utils import timezone

from pbem.bells import missing, one_at_a_time
from pbem.outbox import digests, services
from pbem.outbox.returns import probing
from pbem.queue.failpoints import failpoint

log = logging.getLogger(__name__)


@shared_task
def send_mail(pk: int) -> None:
    services.send_next(pk, now=timezone.now())


@shared_task
@one_at_a_time
def sweep() -> None:
    """Ring again where bells were lost, a sender died, or the next attempt is due: a bell for each letter."""
    for pk in missing(services.due(now=timezone.now()), services.QUEUE):
        send_mail.delay(pk)
        failpoint("sweeping")


@shared_task
@one_at_a_time
def probe() -> None:
    """Ask the addresses that are paused whether they work again."""
    probing.probe_or_resume(now=timezone.now())


@shared_task
@one_at_a_time
def write_digests() -> None:
    """Each in a transaction of its own; what one player was told waits for nobody else."""
    now = timezone.now()
    for pk in digests.due(now=now):
        try:
            digests.write(pk, now=now)
        except Exception:
            log.exception("the digest of player %s cannot be written", pk)

"""Bells of the outbox: each carries the primary key of a letter."""

from celery import shared_task
from django.utils import timezone

from pbem.moments import reach
from pbem.outbox import digests, services
from pbem.outbox.returns import probing


@shared_task
def send_mail(pk: int) -> None:
    services.send(pk, now=timezone.now())


@shared_task
def sweep() -> None:
    """Ring again for every letter whose bell was lost, whose sender died, or whose next attempt is due."""
    for pk in services.due(now=timezone.now()):
        send_mail.delay(pk)
        reach("sweeping")


@shared_task
def probe() -> None:
    """Ask the addresses that are paused whether they work again."""
    probing.probe_or_resume(now=timezone.now())


@shared_task
def write_digests() -> None:
    """Each in a transaction of its own; what one player was told waits for nobody else."""
    now = timezone.now()
    for pk in digests.due(now=now):
        digests.write(pk, now=now)

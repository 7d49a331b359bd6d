"""Bells of the inbox: each carries the primary key of a letter."""

from celery import shared_task
from django.utils import timezone

from pbem.inbox import barrier, places, seen, services
from pbem.moments import reach
from pbem.outbox import watching


@shared_task
def open_mail(pk: int) -> None:
    services.open_mail(pk, now=timezone.now())


@shared_task
def sweep() -> None:
    """Ring again for every letter whose bell was lost or whose reader died."""
    now = timezone.now()
    for pk in services.waiting(now=now):
        open_mail.delay(pk)
        reach("sweeping")
    places.forget_old_days(now=now)
    seen.forget_old(now=now)


@shared_task
def flag_overdue() -> None:
    barrier.flag_overdue(now=timezone.now())


@shared_task
def tell_watchers() -> None:
    """Tell those who follow a match day by day, each at his hour."""
    watching.tell_daily(now=timezone.now())

"""Bells of the inbox: each carries the primary key of a letter."""

from celery import shared_task
from django.utils import timezone

from pbem.inbox import barrier, places, pulse, services
from pbem.moments import reach
from pbem.outbox import watching

__all__ = ["pulse"]  # Celery loads this module in every worker, whose heart is in that one


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


@shared_task
def flag_overdue() -> None:
    barrier.flag_overdue(now=timezone.now())


@shared_task
def tell_watchers() -> None:
    """Tell those who follow a match day by day, each at his hour."""
    watching.tell_daily(now=timezone.now())

"""Bells of the inbox: each carries the primary key of a letter."""

from celery import shared_task
from django.utils import timezone

from pbem.bells import missing, one_at_a_time
from pbem.inbox import barrier, places, pulse, retention, seen, services
from pbem.outbox import watching
from pbem.queue.failpoints import failpoint

__all__ = ["pulse"]  # Celery loads this module in every worker, whose heart is in that one


@shared_task
def open_mail(pk: int) -> None:
    services.open_next(pk, now=timezone.now())


@shared_task
@one_at_a_time
def sweep() -> None:
    """Ring again where bells were lost or a reader died: there are to be as many bells as letters that wait."""
    now = timezone.now()
    for pk in missing(services.waiting(now=now), services.QUEUE):
        open_mail.delay(pk)
        failpoint("sweeping")
    places.forget_old_days(now=now)
    seen.forget_old(now=now)


@shared_task
@one_at_a_time
def flag_overdue() -> None:
    barrier.flag_overdue(now=timezone.now())


@shared_task
@one_at_a_time
def tell_watchers() -> None:
    """Tell those who follow a match day by day, each at their hour."""
    watching.tell_daily(now=timezone.now())


@shared_task
def forget_old_letters() -> None:
    """Once a day, at night."""
    retention.sweep(now=timezone.now())

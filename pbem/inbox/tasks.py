"""Celery tasks of the inbox: one for each letter that came, and what comes with time."""

from celery import shared_task
from django.utils import timezone

from pbem.inbox import address_changes, retention, seen, services, time_forfeits, warmup, worker_heartbeat
from pbem.inbox.models import OPEN_MAIL
from pbem.inbox.rate_limits import slots
from pbem.matches.clock import sweeps
from pbem.outbox.notifications import observers
from pbem.queue.enqueue import enqueue_lost
from pbem.queue.one_at_a_time import one_at_a_time

__all__ = ["warmup", "worker_heartbeat"]  # Celery loads this module, and these two with it, in every worker


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
    sweeps.done("inbox", now=timezone.now())


@shared_task
@one_at_a_time
def flag_overdue() -> None:
    time_forfeits.flag_overdue(now=timezone.now())
    sweeps.done("deadlines", now=timezone.now())


@shared_task
@one_at_a_time
def tell_watchers() -> None:
    """Tell those who follow a match day by day, each at their hour."""
    observers.tell_daily(now=timezone.now())


@shared_task
def forget_old_letters() -> None:
    """Once a day, at night."""
    retention.sweep(now=timezone.now())

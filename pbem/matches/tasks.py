"""Celery tasks of the matches: what comes with time."""

from celery import shared_task
from django.utils import timezone

from pbem.matches.clock import heartbeat, sweeps
from pbem.matches.clock import sweep as sweeping
from pbem.matches.models import Component
from pbem.queue.one_at_a_time import one_at_a_time


@shared_task
def beat() -> None:
    """Proves that tasks are enqueued, done and written down; the hearts of the workers beat beside it."""
    heartbeat.wake(Component.WORKER, now=timezone.now())


@shared_task
@one_at_a_time
def sweep() -> None:
    """Days of absence are taken, pauses end, players are reminded."""
    sweeping.sweep(now=timezone.now())
    sweeps.done("clocks", now=timezone.now())

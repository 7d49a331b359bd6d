"""Celery tasks of the contests: what comes with time."""

from random import SystemRandom

from celery import shared_task
from django.utils import timezone

from pbem.contests import sweep as by_time
from pbem.queue.one_at_a_time import one_at_a_time


@shared_task
@one_at_a_time
def sweep() -> None:
    """Editions and rounds begin and end."""
    by_time.sweep(now=timezone.now(), rng=SystemRandom())

"""Celery tasks of the robots, in a queue of their own: one for each think and study, and the sweep."""

from celery import shared_task
from django.utils import timezone

from pbem.analysis.models import STUDY
from pbem.matches.clock import outages
from pbem.queue.enqueue import enqueue_lost
from pbem.queue.one_at_a_time import one_at_a_time
from pbem.robots import services, studies
from pbem.robots.models import THINK


@shared_task
def think(pk: int) -> None:
    services.think_next(pk, now=timezone.now())


@shared_task
def study(pk: int) -> None:
    studies.study_next(pk, now=timezone.now())


@shared_task
@one_at_a_time
def sweep() -> None:
    """Enqueues what is due, and again what was lost or held by a worker that died."""
    now = timezone.now()
    services.remember(now=now)
    enqueue_lost(THINK, services.due(now=now))
    enqueue_lost(STUDY, studies.due(now=now))
    outages.done("robots", now=timezone.now())

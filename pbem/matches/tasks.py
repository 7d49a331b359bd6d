"""The bell that proves once a minute that bells are rung, heard and written down."""

from celery import shared_task
from django.utils import timezone

from pbem.matches import heartbeat
from pbem.matches.models import Part


@shared_task
def beat() -> None:
    heartbeat.beat(Part.WORKER, now=timezone.now())

"""Attempts at what a robot was asked: claimed under a lease, tried again, or given up."""

from __future__ import annotations

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

from django.db.models import F

from pbem.queue import faults
from pbem.queue.jobs import AnyJob, Job, JobQuerySet
from pbem.queue.trouble import KILLED, describe
from pbem.robots.child_process import Failed

log = logging.getLogger(__name__)
SOON = timedelta(seconds=10)


def claim(
    jobs: JobQuerySet[AnyJob], pk: int, now: datetime, lease_of: Callable[[AnyJob], timedelta]
) -> AnyJob | None:
    """The row, in our hands; None if it is not due, or in somebody else's."""
    row = jobs.filter(pk=pk).first()
    if row is None or not jobs.claim(pk, now, lease_of(row)):
        return None
    row.refresh_from_db()
    return row


def set_aside(job: Job, error: Exception, now: datetime) -> dict[str, Any] | None:
    """What is to be written of an attempt that has failed. None for a fault of the environment: that was no attempt,
    and the row is due again soon."""
    if faults.is_fault(error):
        log.warning("%s %s waits: %s", job._meta.model_name, job.pk, error)
        job.held().update(leased_until=now + SOON, tries=job.tries - 1)
        return None
    said = str(error) if isinstance(error, Failed) else describe(error)
    log.warning("%s %s, attempt %s: %s", job._meta.model_name, job.pk, job.tries, said)
    used = F("seconds") + getattr(error, "seconds", 0.0)
    return {"leased_until": None, "trouble": said or KILLED, "seconds": used}


def afresh(now: datetime) -> dict[str, Any]:
    """What is written where the organiser has a row tried as if for the first time."""
    fresh = {"status": Job.Status.WAITING, "tries": 0, "leased_until": None}
    return fresh | {"due_at": now, "trouble": ""}

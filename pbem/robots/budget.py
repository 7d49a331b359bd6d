"""The processor time of a day that all robots together may use: for what they play, and for what they look into."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, Sum

from pbem.analysis.models import Study
from pbem.robots.models import Think

DAY = timedelta(days=1)


def is_spent(now: datetime) -> bool:
    return seconds_used(now) >= settings.ROBOT_CPU_PER_DAY


def seconds_used(now: datetime) -> float:
    """Since yesterday; of a study that waits, all that was in vain."""
    thinks = Think.objects.filter(created_at__gt=now - DAY)
    studies = Study.objects.filter(Q(done_at__gt=now - DAY) | Q(status=Study.Status.WAITING))
    return sum(rows.aggregate(all=Sum("seconds"))["all"] or 0.0 for rows in (thinks, studies))

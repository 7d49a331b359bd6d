"""The desk's first page: what waits for somebody, and whether the service lives."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from pbem.desk.frame.pages import page_of
from pbem.desk.queues import called, queues
from pbem.matches.models import Heartbeat, Part

SILENT = timedelta(minutes=5)  # without a sign of life somebody should look


def fill(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """What the page shows to whoever may see it; unfold asks for it."""
    now = timezone.now()
    seen = [queue for queue in queues(now) if request.user.has_perm(queue.permission)]
    context["now"] = now
    context["queues"] = [
        {
            "queue": queue,
            "rows": [(page_of(row), called(row), since) for row, since in queue.shown()],
            "size": queue.size(),
        }
        for queue in seen
    ]
    if request.user.has_perm("matches.view_heartbeat"):
        last = Heartbeat.objects.filter(part=Part.WORKER).order_by("-pk").first()
        context["silent_since"] = last.beat_at if last and last.beat_at < now - SILENT else None
    return context

"""The desk's first page: what waits for somebody, and whether the service lives."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from pbem.desk.health import health
from pbem.desk.queues import called, page_of_row, queues


def fill(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """What the page shows to whoever may see it; unfold asks for it."""
    now = timezone.now()
    seen = [queue for queue in queues(now) if request.user.has_perm(queue.permission)]
    context["now"] = now
    context["queues"] = [
        {
            "queue": queue,
            "rows": [(page_of_row(row), called(row, now), since) for row, since in queue.shown()],
            "size": queue.size(),
        }
        for queue in seen
    ]
    if request.user.has_perm("matches.view_heartbeat"):
        context["troubles"] = [each.vital.trouble for each in health(now) if each.is_ill]
    return context

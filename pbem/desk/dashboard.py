"""The desk's first page: the tournaments that run, what waits for somebody, and whether the service lives."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from pbem.desk import queues
from pbem.desk.events import running
from pbem.desk.health import health
from pbem.desk.scalars import Size, scalars
from pbem.matches.models import Match
from pbem.players.models import Player


def fill(request: HttpRequest, context: dict[str, Any]) -> dict[str, Any]:
    """What the page shows to anyone who may see it; unfold asks for it. Queues with nothing in them cost nothing."""
    now = timezone.now()
    seen = [queue for queue in queues.queues(now) if request.user.has_perm(queue.permission)]
    sizes = scalars([Size(queue.rows, queues.COUNTED + 1) for queue in seen])
    shown = [queue.shown() if size else [] for queue, size in zip(seen, sizes, strict=True)]
    queues.read_players(row for rows in shown for row, _since in rows)
    filled: list[dict[str, Any]] = [
        {
            "queue": queue,
            "rows": [(queues.page_of_row(row), queues.called(row, now), since) for row, since in rows],
            "size": f"{queues.COUNTED}+" if size > queues.COUNTED else str(size),
        }
        for queue, rows, size in zip(seen, shown, sizes, strict=True)
    ]
    context["now"] = now
    context["queues"] = filled
    context["sections"] = [
        (title, [each for each in filled if each["rows"] and each["queue"].urgent is urgent])
        for title, urgent in ((_("Needs attention"), True), (_("What waits for somebody"), False))
    ]
    context["idle"] = [each for each in filled if not each["rows"]]
    if request.user.has_perm("matches.view_tournament"):
        context["events"] = running(now)
        context["first_steps"] = not context["events"] and _is_new()
    if request.user.has_perm("matches.view_heartbeat"):
        context["troubles"] = [each.vital.trouble for each in health(now) if each.is_ill]
    return context


def _is_new() -> bool:
    """Nobody has signed up, or nothing was ever played."""
    return not (Player.objects.people().exists() and Match.objects.exists())

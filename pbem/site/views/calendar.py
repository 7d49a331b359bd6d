"""A player's deadlines at a secret address that calendar programs ask again and again."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import path
from django.utils import timezone
from django.utils.cache import patch_cache_control
from django.utils.translation import override
from django.views.decorators.http import require_safe

from pbem.inbox.resolver import resolve_calendar
from pbem.outbox.rendering.deadlines import FRESH, deadlines
from pbem.site.page import compared


@require_safe
def calendar(request: HttpRequest, token: str) -> HttpResponse:
    """Gives the calendar, which only its reader's program keeps."""
    player = resolve_calendar(token, timezone.now())
    if player is None:
        raise Http404
    with override(player.language):
        answer = HttpResponse(deadlines(player), "text/calendar; charset=utf-8")
    answer.headers["Content-Language"] = player.language
    answer.headers["X-Robots-Tag"] = "noindex"
    patch_cache_control(answer, private=True, max_age=int(FRESH.total_seconds()))
    return compared(request, answer)


urlpatterns = [path("<str:token>.ics", calendar)]

"""Beside the desk: whether the service is well."""

import logging
import threading
from time import monotonic

from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse
from django.utils import timezone

from pbem.desk.health import health

log = logging.getLogger(__name__)
_LOOKING = threading.Lock()
_SEEN: dict[str, tuple[float, bool]] = {}


def well(request: HttpRequest) -> HttpResponse:
    """200 or 503, for whoever watches from outside; what is wrong is for the desk and `manage.py health`.

    Anybody may ask, as often as they like: this process looks once in HEALTH_SECONDS.
    """
    with _LOOKING:
        looked_at, is_ill = _SEEN.get("health", (-settings.HEALTH_SECONDS, True))
        if monotonic() - looked_at >= settings.HEALTH_SECONDS:
            is_ill = _is_ill()
            _SEEN["health"] = (monotonic(), is_ill)
    return HttpResponse(
        "ill\n" if is_ill else "well\n", content_type="text/plain", status=503 if is_ill else 200
    )


def _is_ill() -> bool:
    try:
        return any(each.is_ill for each in health(timezone.now()))
    except (DatabaseError, OSError) as trouble:
        log.error("the health of the service is not known: %s", trouble)
        return True

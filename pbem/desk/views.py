"""Beside the desk: whether the service is well."""

import logging
import threading
from time import monotonic

from django.conf import settings
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone, translation
from django.utils.crypto import constant_time_compare

from pbem.desk.health import health
from pbem.desk.metrics import CONTENT_TYPE, exposition
from pbem.desk.people.throttle import client_address
from pbem.imap_url import LOOPBACK

log = logging.getLogger(__name__)
_LOOKING = threading.Lock()
_SEEN: dict[str, tuple[float, bool]] = {}


def well(request: HttpRequest) -> HttpResponse:
    """200 or 503, for anyone who watches from outside; what is wrong is for the desk and `manage.py health`.

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


def metrics(request: HttpRequest) -> HttpResponse:
    """For Prometheus."""
    _only_for_the_operator(request)
    with translation.override("en"):
        return HttpResponse(exposition(timezone.now()), content_type=CONTENT_TYPE)


def vitals(request: HttpRequest) -> HttpResponse:
    """What `manage.py health` prints, for programs."""
    _only_for_the_operator(request)
    with translation.override("en"):
        measured = [
            {
                "name": each.vital.name,
                "value": each.value,
                "most": each.vital.most,
                "ill": each.is_ill,
                "trouble": str(each.vital.trouble) if each.is_ill else "",
            }
            for each in health(timezone.now())
        ]
    is_ill = any(each["ill"] for each in measured)
    return JsonResponse({"well": not is_ill, "vitals": measured}, status=503 if is_ill else 200)


def _only_for_the_operator(request: HttpRequest) -> None:
    """On this machine, or by METRICS_TOKEN. To anybody else there is no such page."""
    said = request.headers.get("Authorization", "")
    wanted = f"Bearer {settings.METRICS_TOKEN}"
    if settings.METRICS_TOKEN and constant_time_compare(said, wanted):
        return
    if client_address(request, settings.TRUSTED_PROXIES) not in (*LOOPBACK, "::/64"):
        raise Http404

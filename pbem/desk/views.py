"""Pages beside the desk: a sign-in that works once, and whether the service is well."""

import logging
import threading
from time import monotonic

from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.tokens import default_token_generator
from django.db import DatabaseError
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
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


def sign_in_once(request: HttpRequest, pk: int, token: str) -> HttpResponse:
    """The token dies with this sign-in, which it contains the time of (Django's password reset token)."""
    user = get_user_model().objects.filter(pk=pk, is_staff=True, is_active=True).first()
    if user is None or not default_token_generator.check_token(user, token):
        raise Http404
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return redirect("admin:index")

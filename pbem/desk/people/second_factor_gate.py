"""Anyone who has a second factor, or must have one, gets no page of the desk before it is proved."""

from __future__ import annotations

from collections.abc import Callable
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.urls import reverse

from pbem.desk.models import SecondFactor
from pbem.desk.people import second_factor

DESK = "/admin/"
# The ways in and out, and the page that asks.
OPEN = tuple(DESK + path for path in ("second-factor/", "sign-in/", "new-password/", "login/", "logout/"))
PROVED = "second_factor"  # in the session: the factor that was proved, so that another one is asked for again


class Gate:
    """A middleware of Django's, after the one that knows the user."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        if request.path.startswith(DESK) and not request.path.startswith(OPEN) and owes(request):
            asked_for = request.get_full_path() if request.method == "GET" else DESK
            return redirect(f"{reverse('second-factor')}?{urlencode({'next': asked_for})}")
        return self._get_response(request)


def owes(request: HttpRequest) -> bool:
    if not isinstance(request.user, User):
        return False
    factor = second_factor.of(request.user)
    if factor is None:
        return bool(settings.SECOND_FACTOR_REQUIRED)
    return not is_proved(request, factor)


def is_proved(request: HttpRequest, factor: SecondFactor) -> bool:
    return bool(request.session.get(PROVED) == factor.pk)


def prove(request: HttpRequest, factor: SecondFactor) -> None:
    request.session.cycle_key()
    request.session[PROVED] = factor.pk

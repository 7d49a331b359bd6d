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

# By the view, since who asks may have a say in how its path is written (the header SCRIPT_NAME, some proxies). Of the
# desk these are open; the page that asks, links that sign in and new passwords are none of its own (pbem/urls.py).
DESK = "admin"
OPEN = ("login", "logout")
PROVED = "second_factor"  # in the session: the factor that was proved, so that another one is asked for again


class Gate:
    """A middleware of Django's, after the one that knows the user."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        found = request.resolver_match
        if found and DESK in found.namespaces and found.url_name not in OPEN and owes(request):
            asked_for = request.get_full_path() if request.method == "GET" else reverse("admin:index")
            return redirect(f"{reverse('second-factor')}?{urlencode({'next': asked_for})}")
        return None


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

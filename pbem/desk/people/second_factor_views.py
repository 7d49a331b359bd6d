"""The page of the second factor: it asks for a code, sets an app up, and looks after the recovery codes."""

from __future__ import annotations

import logging
from datetime import datetime
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from pbem.desk.base import audit_log
from pbem.desk.models import SecondFactor
from pbem.desk.people import second_factor
from pbem.desk.people.second_factor_gate import is_proved, prove
from pbem.desk.people.throttle import begin, client_address, succeeded

log = logging.getLogger("pbem.signin")
SALT = "second_factor_salt"  # in the session, until the first code shows that the app has the key


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    user = request.user
    if not (isinstance(user, User) and user.is_staff):
        return redirect(f"{reverse('admin:login')}?{urlencode({'next': request.path})}")
    factor = second_factor.of(user)
    if factor is None:
        return _set_up(request, user)
    return _look_after(request, user, factor) if is_proved(request, factor) else _ask(request, user, factor)


def _ask(request: HttpRequest, user: User, factor: SecondFactor) -> HttpResponse:
    wrong = request.method == "POST" and not _accepted(request, user, factor)
    if request.method != "POST" or wrong:
        return render(request, "site/second_factor_ask.html", {"wrong": wrong})
    prove(request, factor)
    return redirect(_wanted(request))


def _set_up(request: HttpRequest, user: User) -> HttpResponse:
    salt = request.session.setdefault(SALT, second_factor.new_salt())
    now, wrong = timezone.now(), False
    if request.method == "POST":
        attempt = begin(f"code {user.get_username()}", _address(request), now=now)
        codes = attempt and second_factor.enrol(user, salt, request.POST.get("code", ""), now=now)
        factor = second_factor.of(user)
        if attempt and codes and factor:
            succeeded(attempt)
            del request.session[SALT]
            prove(request, factor)
            _noted(user, _("second factor set up"), now)
            return _shown(request, codes)
        wrong = True
    key = second_factor.key(salt)
    return render(request, "site/second_factor_set_up.html", {
        "wrong": wrong,
        "picture": second_factor.qr_code(salt, user),
        "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4)),
        "required": settings.SECOND_FACTOR_REQUIRED,
    })  # fmt: skip


def _look_after(request: HttpRequest, user: User, factor: SecondFactor) -> HttpResponse:
    """New recovery codes, or none of it any more: each for one more code, since a session may be somebody else's."""
    wrong = request.method == "POST" and not _accepted(request, user, factor)
    if request.method == "POST" and not wrong:
        if "codes" in request.POST:
            _noted(user, _("new recovery codes"), timezone.now())
            return _shown(request, second_factor.new_recovery_codes(factor))
        factor.delete()
        _noted(user, _("second factor switched off"), timezone.now())
        return redirect("second-factor")
    left = factor.recovery_codes.count()
    shown = {"wrong": wrong, "since": factor.confirmed_at, "left": left}
    return render(request, "site/second_factor.html", shown)


def _shown(request: HttpRequest, codes: list[str]) -> HttpResponse:
    return render(request, "site/second_factor_codes.html", {"codes": codes, "wanted": _wanted(request)})


def _accepted(request: HttpRequest, user: User, factor: SecondFactor) -> bool:
    """Counted as passwords are, for an account of their own."""
    now, address = timezone.now(), _address(request)
    attempt = begin(f"code {user.get_username()}", address, now=now)
    if attempt and second_factor.accepts(factor, request.POST.get("code", "")[:40], now=now):
        succeeded(attempt)
        return True
    why = "wrong code" if attempt else "throttled"
    log.warning("sign-in refused from %s (%s) for %r", address, why, user.get_username())
    return False


def _address(request: HttpRequest) -> str:
    return client_address(request, settings.TRUSTED_PROXIES)


def _wanted(request: HttpRequest) -> str:
    """Where they were going, if that is here."""
    said = request.GET.get("next", "")
    is_here = url_has_allowed_host_and_scheme(
        said, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return said if is_here else reverse("admin:index")


def _noted(user: User, said: str, now: datetime) -> None:
    audit_log.note(
        user, who=user.get_username(), verb="second_factor", said=said, before={}, after={}, now=now
    )

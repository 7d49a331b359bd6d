"""The second factor of the staff by django-otp: codes of an app, recovery codes, the gate and the page."""

from __future__ import annotations

import logging
import secrets
from base64 import b32encode
from collections.abc import Callable
from typing import Any
from urllib.parse import urlencode

import segno
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_otp import login as verify
from django_otp import verify_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice

from pbem.admin.base import audit_log
from pbem.admin.people.sign_in import failed, is_locked, succeeded
from pbem.network import client_address

RECOVERY_CODES = 10
RECOVERY_DIGITS = 12  # digits only, as the codes of the app: one keyboard on a telephone


def of(user: User) -> TOTPDevice | None:
    return TOTPDevice.objects.filter(user=user, confirmed=True).first()


def secret_key(device: TOTPDevice) -> str:
    """Returns the key in base 32, to type into an app."""
    return b32encode(device.bin_key).decode()


def qr_code(device: TOTPDevice) -> str:
    """Returns the key's QR code as a data: URI, made here, so that no other service sees the key."""
    code = segno.make(device.config_url, error="m", micro=False)
    return str(code.svg_data_uri(scale=5, border=4, light="#fff"))


def accepts(user: User, code: str) -> TOTPDevice | StaticDevice | None:
    """Returns the device that gave the code: an app, or the recovery codes. Each code is accepted once."""
    said = "".join(code.split()).replace("-", "")
    kind = StaticDevice if len(said) == RECOVERY_DIGITS else TOTPDevice
    device = kind.objects.filter(user=user, confirmed=True).first()
    return device and verify_token(user, device.persistent_id, said)


@transaction.atomic
def new_recovery_codes(user: User) -> list[str]:
    """Returns new recovery codes, in groups of four digits, and invalidates the old ones."""
    device, _created = StaticDevice.objects.get_or_create(user=user)
    device.token_set.all().delete()
    codes = [f"{secrets.randbelow(10**RECOVERY_DIGITS):0{RECOVERY_DIGITS}}" for _ in range(RECOVERY_CODES)]
    StaticToken.objects.bulk_create(StaticToken(device=device, token=code) for code in codes)
    return [f"{code[:4]} {code[4:8]} {code[8:]}" for code in codes]


@transaction.atomic
def forget(user: User) -> None:
    for kind in (TOTPDevice, StaticDevice):
        kind.objects.filter(user=user).delete()


# The gate: no page of the desk before the second factor is proved

# Decided by view, since a client may influence the path (SCRIPT_NAME, some proxies). These views of the desk
# are open; the code page, sign-in links and new passwords are outside it (pbem/urls.py).
DESK = "admin"
OPEN = ("login", "logout")


class SecondFactorMiddleware:
    """A Django middleware, placed after django-otp's."""

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
    user = request.user
    if not isinstance(user, User) or is_verified(user):
        return False
    return bool(settings.SECOND_FACTOR_REQUIRED) or of(user) is not None


def is_verified(user: Any) -> bool:
    """Tells whether this session has given a code of a device that the user still has."""
    return bool(user.is_verified())


def prove(request: HttpRequest, device: TOTPDevice | StaticDevice) -> None:
    request.session.cycle_key()
    verify(request, device)


# The page: asks for a code, sets up an app, manages recovery codes

log = logging.getLogger("pbem.signin")
UNCONFIRMED = "second_factor_device"  # session key: what another session was shown is not set up here


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    user = request.user
    if not (isinstance(user, User) and user.is_staff):
        return redirect(f"{reverse('admin:login')}?{urlencode({'next': request.path})}")
    device = of(user)
    if device is None:
        return _set_up(request, user)
    return _look_after(request, user, device) if is_verified(user) else _ask(request, user)


def _ask(request: HttpRequest, user: User) -> HttpResponse:
    device = _accepted(request, user) if request.method == "POST" else None
    if device is None:
        return render(request, "site/second_factor_ask.html", {"wrong": request.method == "POST"})
    prove(request, device)
    return redirect(_wanted(request))


def _set_up(request: HttpRequest, user: User) -> HttpResponse:
    """Shows a key of this session alone, until the first code proves that the app has it."""
    asked = TOTPDevice.objects.filter(user=user, confirmed=False, pk=request.session.get(UNCONFIRMED))
    device = asked.first() or TOTPDevice.objects.create(user=user, confirmed=False)
    request.session[UNCONFIRMED] = device.pk
    if request.method == "POST" and _checked(request, user, device.verify_token):
        codes = _confirmed(user, device)
        prove(request, device)
        _noted(user, _("second factor set up"))
        return _shown(request, codes)
    key = secret_key(device)
    return render(request, "site/second_factor_set_up.html", {
        "wrong": request.method == "POST",
        "picture": qr_code(device),
        "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4)),
        "required": settings.SECOND_FACTOR_REQUIRED,
    })  # fmt: skip


@transaction.atomic
def _confirmed(user: User, device: TOTPDevice) -> list[str]:
    """Switches the second factor on and returns the recovery codes, once."""
    TOTPDevice.objects.filter(user=user).exclude(pk=device.pk).delete()
    device.confirmed = True
    device.save()
    return new_recovery_codes(user)


def _look_after(request: HttpRequest, user: User, device: TOTPDevice) -> HttpResponse:
    """Makes new recovery codes or ends the factor, each for another code: the session may be stolen."""
    wrong = request.method == "POST" and not _accepted(request, user)
    if request.method == "POST" and not wrong:
        if "codes" in request.POST:
            _noted(user, _("new recovery codes"))
            return _shown(request, new_recovery_codes(user))
        forget(user)
        _noted(user, _("second factor switched off"))
        return redirect("second-factor")
    left = StaticToken.objects.filter(device__user=user).count()
    return render(
        request, "site/second_factor.html", {"wrong": wrong, "since": device.created_at, "left": left}
    )


def _shown(request: HttpRequest, codes: list[str]) -> HttpResponse:
    return render(request, "site/second_factor_codes.html", {"codes": codes, "wanted": _wanted(request)})


def _accepted(request: HttpRequest, user: User) -> TOTPDevice | StaticDevice | None:
    return _checked(request, user, lambda code: accepts(user, code))


def _checked(request: HttpRequest, user: User, check: Callable[[str], Any]) -> Any:
    """Throttled like passwords, under an account name of its own."""
    name = f"code {user.get_username()}"
    was_locked = is_locked(request, name)
    if not was_locked:
        if found := check("".join(request.POST.get("code", "")[:40].split())):
            succeeded(request, name)
            return found
        failed(request, name)
    address = client_address(request, settings.TRUSTED_PROXIES)
    why = "throttled" if was_locked else "wrong code"
    log.warning("sign-in refused from %s (%s) for %r", address, why, user.get_username())
    return None


def _wanted(request: HttpRequest) -> str:
    """Returns the address in `next` when it is on this host, else the desk."""
    said = request.GET.get("next", "")
    is_here = url_has_allowed_host_and_scheme(
        said, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return said if is_here else reverse("admin:index")


def _noted(user: User, said: str) -> None:
    audit_log.note(
        user,
        who=user.get_username(),
        verb="second_factor",
        said=said,
        before={},
        after={},
        now=timezone.now(),
    )

"""The second factor of the staff: codes of an app (RFC 6238), recovery codes, the gate and the page.

The database holds no secrets: keys and digests are derived with SECRET_KEY. When that changes, every user
enrols again.
"""

from __future__ import annotations

import logging
import secrets
from base64 import b32encode
from collections.abc import Callable
from datetime import datetime
from urllib.parse import urlencode

import segno
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac
from django.utils.http import url_has_allowed_host_and_scheme
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from pyotp import TOTP

from pbem.admin.base import audit_log
from pbem.admin.models import RecoveryCode, SecondFactor
from pbem.admin.people.sign_in import client_address, failed, is_locked, succeeded

RECOVERY_CODES = 10
RECOVERY_DIGITS = 12  # digits only, as the codes of the app: one keyboard on a telephone
DRIFT = (0, -1, 1)  # steps of 30 seconds that the two clocks may differ (RFC 6238, 5.2)
_KEY_BYTES = 20  # the digest size of SHA-1 (RFC 4226, 4)


def new_salt() -> str:
    return secrets.token_hex(16)


def secret_key(salt: str) -> str:
    """Returns the key in base 32, to type into an app."""
    return b32encode(_sealed("key", salt)[:_KEY_BYTES]).decode()


def qr_code(salt: str, user: User) -> str:
    """Returns the key's QR code as a data: URI, made here, so that no other service sees the key."""
    totp = TOTP(secret_key(salt), name=user.get_username(), issuer=f"PBeM {settings.MAIL_DOMAIN}")
    uri = totp.provisioning_uri()
    return str(segno.make(uri, error="m", micro=False).svg_data_uri(scale=5, border=4, light="#fff"))


def of(user: User) -> SecondFactor | None:
    return SecondFactor.objects.filter(user=user).first()


def enrol(user: User, salt: str, code: str, *, now: datetime) -> list[str] | None:
    """Switches the second factor on and returns the recovery codes, once. None when the code is wrong."""
    step = _step(salt, code, now)
    if step is None:
        return None
    with transaction.atomic():
        factor, is_new = SecondFactor.objects.get_or_create(
            user=user, defaults={"salt": salt, "confirmed_at": now, "last_step": step}
        )
        return new_recovery_codes(factor) if is_new else None


def accepts(factor: SecondFactor, code: str, *, now: datetime) -> bool:
    """Accepts a code of the app, or a recovery code. Each counts once, also under concurrent requests."""
    said = "".join(code.split()).replace("-", "")
    if len(said) == RECOVERY_DIGITS:
        return bool(factor.recovery_codes.filter(digest=_digest(factor, said)).delete()[0])
    step = _step(factor.salt, said, now)
    if step is None:
        return False
    return bool(SecondFactor.objects.filter(pk=factor.pk, last_step__lt=step).update(last_step=step))


@transaction.atomic
def new_recovery_codes(factor: SecondFactor) -> list[str]:
    """Returns new recovery codes, in groups of four digits, and invalidates the old ones."""
    factor.recovery_codes.all().delete()
    codes = [f"{secrets.randbelow(10**RECOVERY_DIGITS):0{RECOVERY_DIGITS}}" for _ in range(RECOVERY_CODES)]
    RecoveryCode.objects.bulk_create(
        RecoveryCode(factor=factor, digest=_digest(factor, code)) for code in codes
    )
    return [f"{code[:4]} {code[4:8]} {code[8:]}" for code in codes]


def _step(salt: str, code: str, now: datetime) -> int | None:
    """Returns the time step of the code. None when it is wrong."""
    totp, said = TOTP(secret_key(salt)), "".join(code.split())
    steps = [totp.timecode(now) + drift for drift in DRIFT]
    return next((step for step in steps if constant_time_compare(totp.generate_otp(step), said)), None)


def _digest(factor: SecondFactor, code: str) -> str:
    return _sealed("recovery", f"{factor.salt} {code}").hex()


def _sealed(purpose: str, value: str) -> bytes:
    return salted_hmac(f"pbem.second_factor.{purpose}", value, algorithm="sha256").digest()


# The gate: no page of the desk before the second factor is proved

# Decided by view, since a client may influence the path (SCRIPT_NAME, some proxies). These views of the desk
# are open; the code page, sign-in links and new passwords are outside it (pbem/urls.py).
DESK = "admin"
OPEN = ("login", "logout")
PROVED = "second_factor"  # session key: the factor that was proved; a new one is asked for again


class SecondFactorMiddleware:
    """A Django middleware, placed after authentication."""

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
    factor = of(request.user)
    if factor is None:
        return bool(settings.SECOND_FACTOR_REQUIRED)
    return not is_proved(request, factor)


def is_proved(request: HttpRequest, factor: SecondFactor) -> bool:
    return bool(request.session.get(PROVED) == factor.pk)


def prove(request: HttpRequest, factor: SecondFactor) -> None:
    request.session.cycle_key()
    request.session[PROVED] = factor.pk


# The page: asks for a code, sets up an app, manages recovery codes

log = logging.getLogger("pbem.signin")
SALT = "second_factor_salt"  # session key, until the first code proves that the app has the key


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def page(request: HttpRequest) -> HttpResponse:
    user = request.user
    if not (isinstance(user, User) and user.is_staff):
        return redirect(f"{reverse('admin:login')}?{urlencode({'next': request.path})}")
    factor = of(user)
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
    salt = request.session.setdefault(SALT, new_salt())
    now, wrong = timezone.now(), False
    if request.method == "POST":
        name = f"code {user.get_username()}"
        was_locked = is_locked(request, name)
        codes = None if was_locked else enrol(user, salt, request.POST.get("code", ""), now=now)
        factor = of(user)
        if codes and factor:
            succeeded(request, name)
            del request.session[SALT]
            prove(request, factor)
            _noted(user, _("second factor set up"), now)
            return _shown(request, codes)
        if not was_locked:
            failed(request, name)
        wrong = True
    key = secret_key(salt)
    return render(request, "site/second_factor_set_up.html", {
        "wrong": wrong,
        "picture": qr_code(salt, user),
        "key": " ".join(key[at : at + 4] for at in range(0, len(key), 4)),
        "required": settings.SECOND_FACTOR_REQUIRED,
    })  # fmt: skip


def _look_after(request: HttpRequest, user: User, factor: SecondFactor) -> HttpResponse:
    """Makes new recovery codes or ends the factor, each for another code: the session may be stolen."""
    wrong = request.method == "POST" and not _accepted(request, user, factor)
    if request.method == "POST" and not wrong:
        if "codes" in request.POST:
            _noted(user, _("new recovery codes"), timezone.now())
            return _shown(request, new_recovery_codes(factor))
        factor.delete()
        _noted(user, _("second factor switched off"), timezone.now())
        return redirect("second-factor")
    left = factor.recovery_codes.count()
    shown = {"wrong": wrong, "since": factor.confirmed_at, "left": left}
    return render(request, "site/second_factor.html", shown)


def _shown(request: HttpRequest, codes: list[str]) -> HttpResponse:
    return render(request, "site/second_factor_codes.html", {"codes": codes, "wanted": _wanted(request)})


def _accepted(request: HttpRequest, user: User, factor: SecondFactor) -> bool:
    """Throttled like passwords, under an account name of its own."""
    name = f"code {user.get_username()}"
    was_locked = is_locked(request, name)
    if not was_locked and accepts(factor, request.POST.get("code", "")[:40], now=timezone.now()):
        succeeded(request, name)
        return True
    if not was_locked:
        failed(request, name)
    address = client_address(request, settings.TRUSTED_PROXIES)
    why = "throttled" if was_locked else "wrong code"
    log.warning("sign-in refused from %s (%s) for %r", address, why, user.get_username())
    return False


def _wanted(request: HttpRequest) -> str:
    """Returns the address in `next` when it is on this host, else the desk."""
    said = request.GET.get("next", "")
    is_here = url_has_allowed_host_and_scheme(
        said, allowed_hosts={request.get_host()}, require_https=request.is_secure()
    )
    return said if is_here else reverse("admin:index")


def _noted(user: User, said: str, now: datetime) -> None:
    audit_log.note(
        user, who=user.get_username(), verb="second_factor", said=said, before={}, after={}, now=now
    )

"""Signing in at the desk: the throttled form, sign-in links, and log lines for fail2ban."""

from __future__ import annotations

import logging
import secrets
import threading
from base64 import b32encode
from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

import segno
from axes.handlers.proxy import AxesProxyHandler
from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import url_has_allowed_host_and_scheme, urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from django_otp import login as verify
from django_otp import verify_token
from django_otp.plugins.otp_static.models import StaticDevice, StaticToken
from django_otp.plugins.otp_totp.models import TOTPDevice
from unfold.forms import AuthenticationForm

from pbem.admin.base import audit_log
from pbem.network import UNKNOWN, client_address
from pbem.outbox.delivery.smtp import DeliveryError

# Throttling by django-axes (`AXES_…` in `pbem.base_settings`): of one name from one address


def is_locked(request: HttpRequest, account: str) -> bool:
    """Tells whether attempts for this account from this address are refused unchecked."""
    return not AxesProxyHandler.is_allowed(request, {"username": account})


def failed(request: HttpRequest, account: str) -> None:
    """Counts an attempt that is no password: those are counted by Django's own signal."""
    AxesProxyHandler.user_login_failed(sender=__name__, credentials={"username": account}, request=request)


def succeeded(request: HttpRequest, account: str) -> None:
    """Deletes the failed attempts for this account from this address, and no others."""
    AxesProxyHandler.get_implementation().reset_user_attempts(request, {"username": account})


def account_name(request: HttpRequest, credentials: Mapping[str, Any] | None) -> str:
    """Returns the name under which attempts are counted: however it is written, it is one account."""
    said = (credentials or request.POST).get("username")
    return str(said or "").replace("\0", "").strip().casefold()[:150]


def counted_address(request: HttpRequest) -> str | None:
    """Returns the client's address, or the first of its network. None when it is unknown."""
    address = client_address(request, settings.TRUSTED_PROXIES)
    return None if address == UNKNOWN else address.partition("/")[0]


def own_answer(request: HttpRequest, answer: HttpResponse, credentials: object) -> HttpResponse:
    """Leaves the answer to the form, which says that it is locked."""
    return answer


log = logging.getLogger("pbem.signin")
LOCKED = gettext_lazy("Too many mistakes: no sign-in from here with this name for fifteen minutes.")


class SignInForm(AuthenticationForm):  # type: ignore[misc]  # unfold has no types
    """Says that there were too many attempts, and not whether the password was right."""

    def clean(self) -> dict[str, Any]:
        account = str(self.cleaned_data.get("username") or "")
        address = client_address(self.request, settings.TRUSTED_PROXIES)
        was_locked = is_locked(self.request, account)
        try:
            answers: dict[str, Any] = super().clean()
        except ValidationError:
            if self.get_user() is not None:  # the password is right, and no one of the staff
                failed(self.request, account)
            self._refused(address, "throttled" if was_locked else "wrong", account)
            if self.request.axes_locked_out:
                raise ValidationError(LOCKED, "locked") from None
            raise
        return answers

    @staticmethod
    def _refused(address: str, why: str, account: str) -> None:
        # The address comes before the name, which may be made up to look like one.
        log.warning("sign-in refused from %s (%s) for %r", address, why, account[:150])


# Sign-in links, each for one use within PASSWORD_RESET_TIMEOUT


def sign_in_link(user: User) -> str:
    """Returns a link that works once: Django's password reset token is void after the next sign-in."""
    path = reverse("sign-in-once", args=[user.pk, default_token_generator.make_token(user)])
    return f"{settings.SITE_URL}{path}"


def new_password_link(user: User) -> str:
    known = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("new-password", args=[known, default_token_generator.make_token(user)])
    return f"{settings.SITE_URL}{path}"


def mail_links(request: HttpRequest, email: str) -> None:
    """Sends links to each staff account with this address. The page answers the same in every case.

    Attempts are throttled like passwords, under an account name of their own, so that they lock no account.
    """
    if is_locked(request, f"link {email}"):
        address = client_address(request, settings.TRUSTED_PROXIES)
        log.warning("sign-in refused from %s (throttled) for %r", address, email[:150])
        return
    failed(request, f"link {email}")
    for user in User.objects.filter(email__iexact=email.strip(), is_staff=True, is_active=True):
        links = {"sign_in": sign_in_link(user), "new_password": new_password_link(user), "user": user}
        letter = EmailMessage(
            _("PBeM: sign in to the admin"), render_to_string("site/sign_in.txt", links), to=[user.email]
        )
        # In a thread: the duration of the request would tell whether the account exists.
        threading.Thread(target=_send, args=(letter, user.get_username()), name="link").start()


def _send(letter: EmailMessage, who: str) -> None:
    try:
        letter.send()
    except DeliveryError as trouble:
        log.error("no link could be sent to %r: %s", who, trouble.reply)


# Pages for sign-in links and new passwords


@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_link(request: HttpRequest) -> HttpResponse:
    """Asks for an address; the page does not tell whether it belongs to the staff."""
    asked = request.method == "POST"
    if asked:
        mail_links(request, request.POST.get("email", "")[:320])
    return render(request, "site/ask_for_link.html", {"asked": asked})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_once(request: HttpRequest, pk: int, token: str) -> HttpResponse:
    """Signs in on POST, by a button, since mail programs fetch links. The token ends with the sign-in."""
    user = get_user_model().objects.filter(pk=pk, is_staff=True, is_active=True).first()
    if user is None or not default_token_generator.check_token(user, token):
        raise Http404
    if request.method != "POST":
        return render(request, "site/sign_in_once.html", {"who": user.get_username()})
    login(request, user, backend="django.contrib.auth.backends.ModelBackend")
    return redirect("admin:index")


class NewPassword(PasswordResetConfirmView):
    template_name = "site/new_password.html"
    success_url = reverse_lazy("admin:login")


# The second factor: a code of an app, or one of the spare codes

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

"""Signing in at the desk: the throttled form, sign-in links, and log lines for fail2ban."""

from __future__ import annotations

import logging
import threading
from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime, timedelta
from ipaddress import IPv6Address, ip_address, ip_network
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.contrib.auth.views import PasswordResetConfirmView
from django.core.exceptions import ValidationError
from django.core.mail import EmailMessage
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.urls import reverse, reverse_lazy
from django.utils import timezone
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from unfold.forms import AuthenticationForm

from pbem.admin.models import SignInAttempt
from pbem.outbox.delivery.smtp import DeliveryError

# Throttling, with rows that all processes share

UNKNOWN = "unknown"
KEPT = timedelta(days=1)


@dataclass(frozen=True)
class Limit:
    """A limit on failed attempts with equal columns within a time; one more is refused unchecked."""

    columns: tuple[str, ...]
    most: int
    within: timedelta


# Guesses from one address are stopped early, guesses from many addresses later, at the account, so that five
# attempts do not lock its owner out.
LIMITS = (
    Limit(("account", "address"), 5, timedelta(minutes=15)),
    Limit(("address",), 20, timedelta(hours=1)),
    Limit(("account",), 50, timedelta(hours=1)),
)


def begin(account: str, address: str, *, now: datetime) -> SignInAttempt | None:
    """Records an attempt, which counts as failed until `succeeded`. None when there were too many.

    The row is written before the others are counted, so that of simultaneous attempts each sees the earlier
    ones.
    """
    SignInAttempt.objects.filter(at__lt=now - KEPT).delete()
    attempt = SignInAttempt.objects.create(account=account.strip().casefold()[:150], address=address, at=now)
    if any(_full(attempt, limit, now) for limit in LIMITS):
        attempt.delete()
        return None
    return attempt


def succeeded(attempt: SignInAttempt) -> None:
    """Deletes the failed attempts for this account from this address, and no others."""
    SignInAttempt.objects.filter(account=attempt.account, address=attempt.address).delete()


def _full(attempt: SignInAttempt, limit: Limit, now: datetime) -> bool:
    alike = {column: getattr(attempt, column) for column in limit.columns}
    earlier = SignInAttempt.objects.filter(**alike, at__gt=now - limit.within, pk__lt=attempt.pk)
    return earlier.order_by()[: limit.most].count() >= limit.most


def client_address(request: HttpRequest, proxies: Collection[str]) -> str:
    """Returns the client: behind a proxy of ours, the last address of X-Forwarded-For that is no proxy.

    Anything further left may be forged. A /64 is one customer (RFC 6177); a socket without an address is
    local.
    """
    asked = str(request.META.get("REMOTE_ADDR", ""))
    if asked and asked not in proxies:
        return _network(asked)
    said = str(request.META.get("HTTP_X_FORWARDED_FOR", "")).split(",")
    hops = [hop.strip() for hop in said if hop.strip() and hop.strip() not in proxies]
    return _network(hops[-1] if hops else asked)


def _network(address: str) -> str:
    try:
        known = ip_address(address.strip("[]"))
    except ValueError:
        return UNKNOWN
    if not isinstance(known, IPv6Address):
        return str(known)
    if known.ipv4_mapped:
        return str(known.ipv4_mapped)
    return str(ip_network(f"{known}/64", strict=False))


log = logging.getLogger("pbem.signin")


class SignInForm(AuthenticationForm):  # type: ignore[misc]  # unfold has no types
    """Gives a throttled attempt the answer of a wrong password, even when the password is right."""

    def clean(self) -> dict[str, Any]:
        account = str(self.cleaned_data.get("username") or "")
        address = client_address(self.request, settings.TRUSTED_PROXIES)
        attempt = begin(account, address, now=timezone.now())
        if attempt is None:
            self._refused(address, "throttled", account)
            raise self.get_invalid_login_error()
        try:
            answers: dict[str, Any] = super().clean()
        except ValidationError:
            self._refused(address, "wrong", account)
            raise
        if self.get_user() is not None:
            succeeded(attempt)
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


def mail_links(email: str, address: str, *, now: datetime) -> None:
    """Sends links to each staff account with this address. The page answers the same in every case.

    Attempts are throttled like passwords, under an account name of their own, so that they lock no account.
    """
    if begin(f"link {email}", address, now=now) is None:
        log.warning("sign-in refused from %s (throttled) for %r", address, email[:150])
        return
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
        address = client_address(request, settings.TRUSTED_PROXIES)
        mail_links(request.POST.get("email", "")[:320], address, now=timezone.now())
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

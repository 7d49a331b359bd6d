"""The form at the desk's door: throttled, and each refusal a line in the log, for fail2ban and its kin."""

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

from pbem.desk.models import SignInAttempt
from pbem.outbox.delivery.smtp import NotTaken

# How often somebody may be wrong at the desk's door, and whose attempt it was. Rows, so that all
# processes agree.

UNKNOWN = "unknown"
KEPT = timedelta(days=1)


@dataclass(frozen=True)
class Limit:
    """So many failed attempts that agree in these columns, within that time; one more is not even looked at."""

    columns: tuple[str, ...]
    most: int
    within: timedelta


# Anyone who guesses from one address is stopped soon; anyone who guesses from many is stopped at the account, later, so
# that nobody keeps its owner out with five attempts.
LIMITS = (
    Limit(("account", "address"), 5, timedelta(minutes=15)),
    Limit(("address",), 20, timedelta(hours=1)),
    Limit(("account",), 50, timedelta(hours=1)),
)


def begin(account: str, address: str, *, now: datetime) -> SignInAttempt | None:
    """An attempt, which has failed until it is known to have succeeded; None: too many have.

    The row stands before the others are counted: of many attempts at one moment each sees those before it.
    """
    SignInAttempt.objects.filter(at__lt=now - KEPT).delete()
    attempt = SignInAttempt.objects.create(account=account.strip().casefold()[:150], address=address, at=now)
    if any(_full(attempt, limit, now) for limit in LIMITS):
        attempt.delete()
        return None
    return attempt


def succeeded(attempt: SignInAttempt) -> None:
    """Their own mistakes from there are forgiven; not those for other accounts, nor of others for this one."""
    SignInAttempt.objects.filter(account=attempt.account, address=attempt.address).delete()


def _full(attempt: SignInAttempt, limit: Limit, now: datetime) -> bool:
    alike = {column: getattr(attempt, column) for column in limit.columns}
    earlier = SignInAttempt.objects.filter(**alike, at__gt=now - limit.within, pk__lt=attempt.pk)
    return earlier.order_by()[: limit.most].count() >= limit.most


def client_address(request: HttpRequest, proxies: Collection[str]) -> str:
    """Who asks: the last address of X-Forwarded-For that is no proxy of ours, where one of them has asked us.

    What stands further left anybody may have written. A /64 is one customer (RFC 6177); a socket without an address
    is of this machine.
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
    """Anyone who was wrong too often hears what they heard before, whether they are right now or not."""

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
        """The address stands before the name, which anybody may have made up to look like one."""
        log.warning("sign-in refused from %s (%s) for %r", address, why, account[:150])


# Links that sign a member of the staff in: each works once, and for an hour
# (PASSWORD_RESET_TIMEOUT).


def sign_in_link(user: User) -> str:
    """The token dies with the sign-in, which it contains the time of (Django's password reset token)."""
    path = reverse("sign-in-once", args=[user.pk, default_token_generator.make_token(user)])
    return f"{settings.SITE_URL}{path}"


def new_password_link(user: User) -> str:
    known = urlsafe_base64_encode(force_bytes(user.pk))
    path = reverse("new-password", args=[known, default_token_generator.make_token(user)])
    return f"{settings.SITE_URL}{path}"


def mail_links(email: str, address: str, *, now: datetime) -> None:
    """To each of the staff with this mailbox. Everybody who asks hears the same, whatever becomes of it.

    Attempts are counted like wrong passwords, for an account of their own: nobody is kept out by them.
    """
    if begin(f"link {email}", address, now=now) is None:
        log.warning("sign-in refused from %s (throttled) for %r", address, email[:150])
        return
    for user in User.objects.filter(email__iexact=email.strip(), is_staff=True, is_active=True):
        links = {"sign_in": sign_in_link(user), "new_password": new_password_link(user), "user": user}
        letter = EmailMessage(
            _("PBeM: sign in to the admin"), render_to_string("site/sign_in.txt", links), to=[user.email]
        )
        # Not while they wait: the time that it takes would tell who is of the staff.
        threading.Thread(target=_send, args=(letter, user.get_username()), name="link").start()


def _send(letter: EmailMessage, who: str) -> None:
    try:
        letter.send()
    except NotTaken as trouble:
        log.error("no link could be sent to %r: %s", who, trouble.reply)


# How the staff come in without a password, or to a new one: by a link in a letter.


@require_http_methods(["GET", "HEAD", "POST"])
def ask_for_link(request: HttpRequest) -> HttpResponse:
    """Nobody learns here who is of the staff."""
    asked = request.method == "POST"
    if asked:
        address = client_address(request, settings.TRUSTED_PROXIES)
        mail_links(request.POST.get("email", "")[:320], address, now=timezone.now())
    return render(request, "site/ask_for_link.html", {"asked": asked})


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def sign_in_once(request: HttpRequest, pk: int, token: str) -> HttpResponse:
    """A button, since mail programs look at links before people do. The token dies with the sign-in."""
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

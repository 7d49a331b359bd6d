"""Signing in at the desk: the throttled form, sign-in links, and log lines for fail2ban."""

from __future__ import annotations

import logging
import threading
from collections.abc import Mapping
from typing import Any

from axes.handlers.proxy import AxesProxyHandler
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
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods
from unfold.forms import AuthenticationForm

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
LOCKED = gettext_lazy(
    "Too many mistakes: for a quarter of an hour, nobody signs in from here with this name."
)


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

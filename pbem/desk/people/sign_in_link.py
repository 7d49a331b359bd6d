"""Links that sign a member of the staff in: each works once, and for an hour (PASSWORD_RESET_TIMEOUT)."""

from __future__ import annotations

import logging
import threading
from datetime import datetime

from django.conf import settings
from django.contrib.auth.models import User
from django.contrib.auth.tokens import default_token_generator
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils.encoding import force_bytes
from django.utils.http import urlsafe_base64_encode
from django.utils.translation import gettext as _

from pbem.desk.people.throttle import begin
from pbem.outbox.delivery.failures import NotTaken

log = logging.getLogger("pbem.signin")


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
